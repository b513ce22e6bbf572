import { beaconSlot } from '../../src/domain/stock/onchain-calls.ts'
import type { Address, Hash, Hex } from '../../src/domain/units.ts'
import type { CallResult } from '../../src/ports/chain-reader.ts'
import { tokens } from '../support/domain/sample-market.ts'
import type { SamplePool } from '../support/domain/sample-pool.ts'
import {
  beacon,
  contractOf,
  encode,
  ethFeed,
  one,
  returned,
  reverted,
  stateView,
  wordOf,
} from '../support/indexer/market.ts'
import { poolsAfter, type SimBlock } from './sim-chain.ts'

/** What a contract answers at a block; undefined where there is none of this address. */
export type Answering = (to: Address, data: Hex, at: SimBlock) => CallResult | undefined

const ethAggregator: Address = `0x${'a9'.repeat(20)}`

const tokenOf = (symbol: string, decimals: number) => ({
  'symbol()': () => returned(encode('string', symbol)),
  'name()': () => returned(encode('string', `${symbol} token`)),
  'decimals()': () => returned(encode('uint8', decimals)),
})

const stockOf = (symbol: string) => ({
  ...tokenOf(symbol, 18),
  'uiMultiplier()': () => returned(encode('uint256', one)),
  'newUIMultiplier()': () => returned(encode('uint256', one)),
  'effectiveAt()': () => returned(encode('uint256', 0n)),
  'oraclePaused()': () => returned(encode('bool', false)),
})

const fixed = new Map([
  [tokens.usdg as Address, contractOf(tokenOf('USDG', 6))],
  [tokens.weth, contractOf(tokenOf('WETH', 18))],
  [tokens.meme, contractOf(tokenOf('MEME', 9))],
  [tokens.apple, contractOf(stockOf('AAPL'))],
  [tokens.tesla, contractOf(stockOf('TSLA'))],
  [
    ethFeed,
    contractOf({
      'aggregator()': () => returned(encode('address', ethAggregator)),
      'decimals()': () => returned(encode('uint8', 8)),
    }),
  ],
])

const words = (...values: readonly bigint[]): Hex =>
  `0x${values.map((value) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')).join('')}`

const stateContractOf = (pool: SamplePool) => {
  const { sqrtPriceX96, tick } = pool.price()
  const fees = pool.fees()
  const ofV4 = fees && [BigInt(fees.protocolFee), BigInt(fees.lpFee)]
  const rest = ofV4 ?? [0n, 0n, 0n, 0n, 1n]
  const slot0 = () => returned(words(sqrtPriceX96, BigInt(tick), ...rest))
  const liquidity = () => returned(words(pool.liquidity()))
  return contractOf({
    'slot0()': slot0,
    'getSlot0(bytes32)': slot0,
    'liquidity()': liquidity,
    'getLiquidity(bytes32)': liquidity,
  })
}

/** The contracts of the sample network on a simulated chain, and others by the test's wish. */
export const createContracts = (others: Answering = () => undefined) => {
  const states = new Map<Hash, ReadonlyMap<string, ReturnType<typeof contractOf>>>()

  const statesAt = (block: SimBlock) => {
    const known = states.get(block.anchor.hash)
    if (known !== undefined) return known
    const read = new Map(poolsAfter(block).map((pool) => [pool.id, stateContractOf(pool)]))
    states.set(block.anchor.hash, read)
    return read
  }

  return {
    call: (to: Address, data: Hex, at: SimBlock): CallResult => {
      const other = others(to, data, at)
      if (other !== undefined) return other
      const known = fixed.get(to)
      if (known !== undefined) return known(data, at.anchor.block)
      const id = to === stateView ? `0x${data.slice(10)}` : to
      return statesAt(at).get(id)?.(data, at.anchor.block) ?? reverted
    },
    storageAt: (address: Address, slot: Hash): Hash => {
      const isStock = address === tokens.apple || address === tokens.tesla
      const isBeacon = isStock && slot === beaconSlot
      return isBeacon ? wordOf(beacon) : `0x${'0'.repeat(64)}`
    },
  }
}

export type Contracts = ReturnType<typeof createContracts>
