import { encodeAbiParameters, parseAbiItem, toEventSelector } from 'viem'
import { cloneInitCodeHash, computeSpacedPoolAddress } from '../../../src/domain/dex/pool-id.ts'
import type { Venue } from '../../../src/domain/dex/venue.ts'
import type { Address, BlockNumber, Hash, Hex, PoolId } from '../../../src/domain/units.ts'
import type { CallResult } from '../../../src/ports/chain-reader.ts'
import { ramsesFeeAdjustment, ramsesMint } from '../domain/ramses-v3-fixture.ts'
import type { RawLog } from '../domain/sample-chain.ts'
import { poolOf } from '../domain/sample-market.ts'
import { keccak, logOf } from '../domain/sample-pool.ts'
import { slipstreamPoolCreated } from '../domain/slipstream-fixture.ts'
import { uniswapV3Fixture } from '../domain/uniswap-v3-fixture.ts'
import type { FakeChain } from './fake-chain.ts'
import { contractOf, encode, returned, reverted } from './market.ts'

type Pair = { readonly token0: Address; readonly token1: Address }

const implementation: Address = `0x${'c1'.repeat(20)}`
const poolDeployer: Address = `0x${'d1'.repeat(20)}`
const initCodeHash: Hash = `0x${'d2'.repeat(32)}`
const none = { startBlock: 1, initCodeHash: null, poolDeployer: null, stateView: null }

export const slipstreamVenue: Venue = {
  ...none,
  address: `0x${'cf'.repeat(20)}`,
  protocol: 'slipstream',
  name: 'Slipstream',
  poolImplementation: implementation,
}

export const ramsesVenue: Venue = {
  ...none,
  address: `0x${'df'.repeat(20)}`,
  protocol: 'ramses-v3',
  name: 'Ramses v3',
  poolImplementation: null,
  poolDeployer,
  initCodeHash,
}

const tickSpacing = 60
const feeAtCreation = 500

const topicOf = (name: string): Hash => {
  const found = uniswapV3Fixture.declarations.find((each) => each.startsWith(`event ${name}(`))
  return toEventSelector(parseAbiItem([found ?? '']) as never)
}

type Like = {
  readonly id: PoolId
  /** The types of slot0 after price and tick, with values. */
  readonly slot0: readonly (readonly [type: string, value: unknown])[]
  /** What this protocol emits for a log of a pool of Uniswap v3 or of its factory. */
  readonly rewrite: (log: RawLog) => readonly RawLog[]
}

/** A pool whose contract answers at every block as it did then. */
const createPoolLike = (chain: FakeChain, pair: Pair, { id, slot0: rest, rewrite }: Like) => {
  const history: { readonly block: BlockNumber; readonly answers: Record<string, Hex> }[] = []
  let fee = feeAtCreation
  const emit = (log: RawLog): void => {
    for (const each of rewrite(log)) chain.emit(each)
  }
  const like = poolOf(emit, 'v3', { ...pair, tickSpacing })

  /** Of the block under way. */
  const remember = (): void => {
    const { sqrtPriceX96, tick } = like.price()
    const types = ['uint160', 'int24', ...rest.map(([type]) => type)]
    const slot0 = encodeAbiParameters(
      types.map((type) => ({ type })),
      [sqrtPriceX96, tick, ...rest.map(([, value]) => value)],
    )
    const block = (chain.blocks().at(-1)?.blockRef.block ?? 0) + 1
    const liquidity = encode('uint128', like.liquidity())
    history.push({ block, answers: { slot0, liquidity, fee: encode('uint24', fee) } })
  }

  const answer =
    (name: string) =>
    (_: Hex, at: BlockNumber): CallResult => {
      const data = history.findLast(({ block }) => block <= at)?.answers[name]
      return data === undefined ? reverted : returned(data)
    }
  const functions = { 'slot0()': answer('slot0'), 'liquidity()': answer('liquidity') }
  const deploy = (more: Parameters<typeof contractOf>[0]): void => {
    chain.deploy(id, contractOf({ ...functions, ...more }))
  }
  deploy({ 'fee()': answer('fee') })

  const after =
    <Args extends readonly unknown[]>(act: (...args: Args) => unknown) =>
    (...args: Args): void => {
      act(...args)
      remember()
    }

  return {
    id,
    price: like.price,
    create: after(like.create),
    mint: after(like.mint),
    burn: after(like.burn),
    swapTo: after(like.swapTo),
    /** Without an event. */
    setFee: after((value: number) => {
      fee = value
    }),
    /** As a pool whose `fee()` reverts. */
    breakFee: (): void => deploy({}),
  }
}

/** A pool of Slipstream: its first price comes before the creation, and its fee moves by itself. */
export const createSlipstreamPool = (chain: FakeChain, pair: Pair) => {
  const { address: deployer } = slipstreamVenue
  const ofClone = cloneInitCodeHash(implementation, keccak)
  const origin = { ...pair, tickSpacing, deployer, initCodeHash: ofClone }
  const id = computeSpacedPoolAddress(origin, keccak)
  const created = logOf(deployer, slipstreamPoolCreated, { ...pair, tickSpacing, pool: id })
  const [initialize, poolCreated] = [topicOf('Initialize'), topicOf('PoolCreated')]
  return createPoolLike(chain, pair, {
    id,
    slot0: [...['uint16', 'uint16', 'uint16'].map((type) => [type, 1] as const), ['bool', true]],
    rewrite: (log) => {
      if (log.topics[0] === poolCreated) return []
      const own = { ...log, address: id }
      return log.topics[0] === initialize ? [own, created] : [own]
    },
  })
}

/** A pool of Ramses v3: its factory logs its fee. */
export const createRamsesPool = (chain: FakeChain, pair: Pair) => {
  const id = computeSpacedPoolAddress(
    { ...pair, tickSpacing, deployer: poolDeployer, initCodeHash },
    keccak,
  )
  const [declaration = ''] = uniswapV3Fixture.declarations
  const key = { ...pair, tickSpacing, fee: feeAtCreation, pool: id }
  const [mint, poolCreated] = [topicOf('Mint'), topicOf('PoolCreated')]
  const index = '7'.padStart(64, '0')
  const pool = createPoolLike(chain, pair, {
    id,
    slot0: [
      ...['uint16', 'uint16', 'uint16', 'uint8'].map((type) => [type, 1] as const),
      ['bool', true],
    ],
    rewrite: ({ topics, data, ...log }) => {
      const [topic, ...indexed] = topics
      if (topic === poolCreated) return [logOf(ramsesVenue.address, declaration, key)]
      if (topic !== mint) return [{ ...log, topics, data, address: id }]
      const renamed = toEventSelector(parseAbiItem([ramsesMint]) as never)
      const words: Hex = `0x${data.slice(2, 66)}${index}${data.slice(66)}`
      return [{ address: id, topics: [renamed, ...indexed], data: words }]
    },
  })
  return {
    ...pool,
    /** RamsesV3Factory.setFee; `venue`: the contract that says so. */
    adjustFee: (newFee: number, venue = ramsesVenue.address): void => {
      pool.setFee(newFee)
      chain.emit(logOf(venue, ramsesFeeAdjustment, { pool: id, newFee }))
    },
  }
}
