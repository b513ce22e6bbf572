import { encodeAbiParameters, toFunctionSelector } from 'viem'
import type { PoolVersion } from '../../../src/domain/pool/pool-event.ts'
import { beaconSlot } from '../../../src/domain/stock/onchain-calls.ts'
import type { StockListing } from '../../../src/domain/stock/stock.ts'
import type { Address, BlockNumber, Hash, Hex } from '../../../src/domain/units.ts'
import type { IndexedNetwork } from '../../../src/indexer/deps.ts'
import type { CallResult } from '../../../src/ports/chain-reader.ts'
import { poolOf, tokens, venues } from '../domain/sample-market.ts'
import { logOf, type SamplePool } from '../domain/sample-pool.ts'
import { beaconStandard } from '../domain/sample-standard.ts'
import type { Contract, FakeChain } from './fake-chain.ts'

const repeated = (digits: string): Address => `0x${digits.repeat(40 / digits.length)}`

export const beacon = repeated('be')
export const stateView = repeated('57')
export const ethFeed = repeated('fe')
const ethAggregator = repeated('a9')
const feedDecimals = 8

export const encode = (type: string, value: unknown): Hex =>
  encodeAbiParameters([{ type }], [value])

export const returned = (data: Hex): CallResult => ({ ok: true, data })
export const reverted: CallResult = { ok: false, reason: 'reverted' }
export const tooLarge: CallResult = { ok: false, reason: 'too-large' }

/** A contract by the signatures of the functions that it has; others revert. */
export const contractOf = (
  functions: Readonly<Record<string, (argument: Hex, at: BlockNumber) => CallResult>>,
): Contract => {
  const bySelector = new Map(
    Object.entries(functions).map(([signature, run]) => [toFunctionSelector(signature), run]),
  )
  return (data, at) =>
    bySelector.get(data.slice(0, 10) as Hex)?.(`0x${data.slice(10)}`, at) ?? reverted
}

const answering =
  (answers: Readonly<Record<string, Hex>>): Contract =>
  (data, at) =>
    contractOf(
      Object.fromEntries(
        Object.entries(answers).map(([signature, answer]) => [signature, () => returned(answer)]),
      ),
    )(data, at)

export const one = 10n ** 18n

const metadataOf = (symbol: string, decimals: number) => ({
  'symbol()': encode('string', symbol),
  'name()': encode('string', `${symbol} token`),
  'decimals()': encode('uint8', decimals),
})

export const wordOf = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`

/** A stock token as the issuer deploys it. */
export const deployStock = (
  chain: FakeChain,
  address: Address,
  { symbol = 'STK', multiplier = one }: { symbol?: string; multiplier?: bigint } = {},
): void => {
  chain.deploy(
    address,
    answering({
      ...metadataOf(symbol, 18),
      'uiMultiplier()': encode('uint256', multiplier),
      'newUIMultiplier()': encode('uint256', multiplier),
      'effectiveAt()': encode('uint256', 0n),
      'oraclePaused()': encode('bool', false),
    }),
  )
  chain.store(address, beaconSlot, wordOf(beacon))
}

export const listingOf = (address: Address, symbol: string): StockListing => ({
  address,
  symbol,
  name: `${symbol} Inc.`,
  issuer: 'Sample',
  decimals: 18,
  feed: null,
})

export const sampleNetwork: IndexedNetwork = {
  name: 'sample',
  chainId: 7,
  venues,
  origin: 1,
  stateViewOf: () => stateView,
  contracts: [],
  reviewedHooks: new Map(),
  trusted: [
    { address: tokens.usdg, symbol: 'USDG', feed: null },
    { address: tokens.weth, symbol: 'WETH', feed: ethFeed },
    { address: tokens.native, symbol: 'ETH', feed: ethFeed },
  ],
  stocks: [listingOf(tokens.apple, 'AAPL'), listingOf(tokens.tesla, 'TSLA')],
  standardOf: beaconStandard(beacon),
}

const answerUpdated =
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)'

type ContractAnswers = { readonly block: BlockNumber; readonly slot0: Hex; readonly liquidity: Hex }

/** The pool contract's current answers; slot0 of v3 has more fields. */
const readContract = (
  pool: SamplePool,
  version: PoolVersion,
  block: BlockNumber,
): ContractAnswers => {
  const { sqrtPriceX96, tick } = pool.price()
  const { lpFee = 0, protocolFee = 0 } = pool.fees() ?? {}
  const ofV4 = [BigInt(protocolFee), BigInt(lpFee)]
  const rest = version === 'v3' ? [0n, 0n, 0n, 0n, 1n] : ofV4
  const types = ['uint160', 'int24', ...rest.map(() => 'uint256')].map((type) => ({ type }))
  return {
    block,
    slot0: encodeAbiParameters(types, [sqrtPriceX96, tick, ...rest]),
    liquidity: encode('uint128', pool.liquidity()),
  }
}

/** The contracts' answers at every block. */
const createContractHistory = () => {
  const memory = new Map<Hex, ContractAnswers[]>()
  const at = (id: Hex, block: BlockNumber) =>
    memory.get(id)?.findLast((each) => each.block <= block)
  const answerOf =
    (field: 'slot0' | 'liquidity') =>
    (id: Hex, block: BlockNumber): CallResult => {
      const answers = at(id, block)
      return answers === undefined ? reverted : returned(answers[field])
    }
  return {
    remember: (id: Hex, answers: ContractAnswers) =>
      memory.set(id, [...(memory.get(id) ?? []), answers]),
    slot0: answerOf('slot0'),
    liquidity: answerOf('liquidity'),
  }
}

/** The tokens, feeds and pools of the sample network on a chain. */
export const createMarket = (chain: FakeChain) => {
  const contracts = createContractHistory()
  const pools: { readonly pool: SamplePool; readonly version: PoolVersion }[] = []
  let round = 0n

  chain.deploy(tokens.usdg, answering(metadataOf('USDG', 6)))
  chain.deploy(tokens.weth, answering(metadataOf('WETH', 18)))
  chain.deploy(tokens.meme, answering(metadataOf('MEME', 9)))
  deployStock(chain, tokens.apple, { symbol: 'AAPL' })
  deployStock(chain, tokens.tesla, { symbol: 'TSLA' })
  const aggregator = encode('address', ethAggregator)
  chain.deploy(
    ethFeed,
    answering({ 'aggregator()': aggregator, 'decimals()': encode('uint8', feedDecimals) }),
  )
  chain.deploy(
    stateView,
    contractOf({
      'getSlot0(bytes32)': contracts.slot0,
      'getLiquidity(bytes32)': contracts.liquidity,
    }),
  )

  const mine = (seconds = 1) => {
    const anchor = chain.mine(seconds)
    for (const { pool, version } of pools) {
      contracts.remember(pool.id, readContract(pool, version, anchor.block))
    }
    return anchor
  }

  return {
    mine,
    mineMany: (count: number): void => {
      for (let block = 0; block < count; block++) mine()
    },
    open: (version: PoolVersion, pair: Parameters<typeof poolOf>[2], root: bigint): SamplePool => {
      const pool = poolOf(chain.emit, version, pair)
      pools.push({ pool, version })
      pool.create(root)
      if (version === 'v3') {
        chain.deploy(
          pool.id,
          contractOf({
            'slot0()': (_, at) => contracts.slot0(pool.id, at),
            'liquidity()': (_, at) => contracts.liquidity(pool.id, at),
          }),
        )
      }
      return pool
    },
    /** The feed publishes a price of ETH in the block under way. */
    publishEth: (usd: number): void => {
      round += 1n
      const current = BigInt(Math.round(usd * 10 ** feedDecimals))
      const args = { current, roundId: round, updatedAt: BigInt(chain.ts()) }
      chain.emit(logOf(ethAggregator, answerUpdated, args))
    },
  }
}

export type Market = ReturnType<typeof createMarket>
