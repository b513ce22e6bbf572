import { type Address, decodeEventLog, type Hex, parseAbi, toEventSelector } from 'viem'
import type { Manifest } from '../../../sandbox/manifest.ts'
import type { Chain, RawLog } from './chain.ts'

/** Where an event stands on the chain. */
export type Place = {
  readonly block: number
  readonly ts: number
  readonly txHash: Hex
  readonly logIndex: number
}

export type Key = {
  readonly token0: Address
  readonly token1: Address
  readonly fee: number
  readonly tickSpacing: number
  /** Null in v3. */
  readonly hooks: Address | null
  /** Of a custom pool of Algebra. */
  readonly deployer: Address | null
}

export type Created = {
  readonly kind: 'created'
  readonly pool: Hex
  readonly version: 'v3' | 'v4'
  /** The factory or PoolManager that emitted it. */
  readonly venue: Address
  readonly key: Key
}
export type Initialized = {
  readonly kind: 'initialized'
  readonly pool: Hex
  readonly sqrtPriceX96: bigint
  readonly tick: number
}
/** Amounts are the pool's: positive = received. */
export type Swapped = {
  readonly kind: 'swapped'
  readonly pool: Hex
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly tick: number
  readonly fee: number | null
  readonly sender: Address
  readonly recipient: Address | null
}
export type LiquidityMoved = {
  readonly kind: 'liquidity'
  readonly pool: Hex
  readonly owner: Address
  readonly tickLower: number
  readonly tickUpper: number
  readonly salt: Hex
  readonly delta: bigint
}
export type Answered = {
  readonly kind: 'answered'
  readonly aggregator: Address
  readonly answer: bigint
  readonly updatedTs: number
}
/** What Algebra's pools set by logs of their own, in place of their key. */
export type KeySet = {
  readonly kind: 'key-set'
  readonly pool: Hex
  readonly key: Partial<Pick<Key, 'fee' | 'tickSpacing'>>
}
export type ChainEvent = Place &
  (Created | Initialized | Swapped | LiquidityMoved | Answered | KeySet)

/* Parts of several signatures. */
const stateArgs = 'uint160 sqrtPriceX96, uint128 liquidity, int24 tick'
const paidArgs = 'uint128 amount, uint256 amount0, uint256 amount1'

/** v3-core IUniswapV3Factory, IUniswapV3PoolEvents. */
const pairArgs = 'address indexed token0, address indexed token1'
const rangeArgs = 'int24 indexed tickLower, int24 indexed tickUpper'
const peopleArgs = 'address indexed sender, address indexed recipient'
/** What the protocol takes of the fee of each side: PancakeSwap v3. */
const shareArgs = 'uint128 share0, uint128 share1'
const v3Abi = parseAbi([
  `event Pool(${pairArgs}, address pool)`,
  `event CustomPool(address indexed deployer, ${pairArgs}, address pool)`,
  'event Fee(uint16 fee)',
  'event TickSpacing(int24 tickSpacing)',
  `event PoolCreated(${pairArgs}, uint24 indexed fee, int24 tickSpacing, address pool)`,
  // Slipstream: no log says what the fee is.
  `event PoolCreated(${pairArgs}, int24 indexed tickSpacing, address pool)`,
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
  `event Mint(address sender, address indexed owner, ${rangeArgs}, ${paidArgs})`,
  `event Burn(address indexed owner, ${rangeArgs}, ${paidArgs})`,
  `event Swap(${peopleArgs}, int256 amount0, int256 amount1, ${stateArgs})`,
  `event Swap(${peopleArgs}, int256 amount0, int256 amount1, ${stateArgs}, ${shareArgs})`,
])

/** What the key of a pool has whose fee changes. */
const dynamicFee = 0x80_0000

/** v4-core IPoolManager. */
const currencyArgs = 'address indexed currency0, address indexed currency1'
const keyArgs = `${currencyArgs}, uint24 fee, int24 tickSpacing, address hooks` as const
const changeArgs = 'int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt'
const senderArgs = 'bytes32 indexed id, address indexed sender'
const v4Abi = parseAbi([
  `event Initialize(bytes32 indexed id, ${keyArgs}, uint160 sqrtPriceX96, int24 tick)`,
  `event ModifyLiquidity(${senderArgs}, ${changeArgs})`,
  `event Swap(${senderArgs}, int128 amount0, int128 amount1, ${stateArgs}, uint24 fee)`,
])

/** Chainlink AggregatorInterface. */
const feedAbi = parseAbi([
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)',
])

const topics = [...v3Abi, ...v4Abi, ...feedAbi].map((event) => toEventSelector(event))

const low = <T extends Hex>(hex: T): T => hex.toLowerCase() as T
const noSalt: Hex = `0x${'0'.repeat(64)}`

type ChainEvents = readonly ChainEvent[]

const decoded = <const A extends Parameters<typeof decodeEventLog>[0]['abi']>(
  abi: A,
  log: RawLog,
) => decodeEventLog({ abi, data: log.data, topics: log.topics as [Hex, ...Hex[]] })

const ofFactory = (log: RawLog, at: Place): ChainEvents => {
  const { eventName, args } = decoded(v3Abi, log)
  if (eventName !== 'PoolCreated' && eventName !== 'Pool' && eventName !== 'CustomPool') return []
  const { token0, token1, pool } = args
  const fee = 'fee' in args ? args.fee : dynamicFee
  const tickSpacing = 'tickSpacing' in args ? args.tickSpacing : 0
  const deployer = eventName === 'CustomPool' ? low(args.deployer) : null
  const tokens = { token0: low(token0), token1: low(token1) }
  const key = { ...tokens, fee, tickSpacing, hooks: null, deployer }
  return [{ ...at, kind: 'created', version: 'v3', venue: low(log.address), pool: low(pool), key }]
}

const ofV3Pool = (log: RawLog, at: Place): ChainEvents => {
  const pool = low(log.address)
  const { eventName, args } = decoded(v3Abi, log)
  switch (eventName) {
    case 'Initialize':
      return [{ ...at, kind: 'initialized', pool, ...args }]
    case 'Mint':
    case 'Burn': {
      const { owner, tickLower, tickUpper, amount } = args
      const delta = eventName === 'Mint' ? amount : -amount
      const range = { owner: low(owner), tickLower, tickUpper, salt: noSalt, delta }
      return [{ ...at, kind: 'liquidity', pool, ...range }]
    }
    case 'Swap': {
      const { sender, recipient, amount0, amount1, sqrtPriceX96, liquidity, tick } = args
      const rest = { amount0, amount1, sqrtPriceX96, liquidity, tick }
      const people = { sender: low(sender), recipient: low(recipient) }
      return [{ ...at, kind: 'swapped', pool, ...rest, ...people, fee: null }]
    }
    case 'Fee':
    case 'TickSpacing':
      return [{ ...at, kind: 'key-set', pool, key: args }]
    case 'Pool':
    case 'CustomPool':
    case 'PoolCreated':
      return []
  }
}

const ofPoolManager = (log: RawLog, at: Place): ChainEvents => {
  const { eventName, args } = decoded(v4Abi, log)
  const pool = low(args.id)
  switch (eventName) {
    case 'Initialize': {
      const { currency0, currency1, fee, tickSpacing, hooks, sqrtPriceX96, tick } = args
      const [token0, token1] = [low(currency0), low(currency1)]
      const key = { token0, token1, fee, tickSpacing, hooks: low(hooks), deployer: null }
      return [
        { ...at, kind: 'created', version: 'v4', venue: low(log.address), pool, key },
        { ...at, kind: 'initialized', pool, sqrtPriceX96, tick },
      ]
    }
    case 'ModifyLiquidity': {
      const { sender, tickLower, tickUpper, liquidityDelta: delta, salt } = args
      const range = { owner: low(sender), tickLower, tickUpper, salt, delta }
      return [{ ...at, kind: 'liquidity', pool, ...range }]
    }
    case 'Swap': {
      const { amount0, amount1, sqrtPriceX96, liquidity, tick, fee } = args
      // The event counts from the swapper's side.
      const amounts = { amount0: -amount0, amount1: -amount1 }
      const after = { sqrtPriceX96, liquidity, tick, fee }
      const people = { sender: low(args.sender), recipient: null }
      return [{ ...at, kind: 'swapped', pool, ...amounts, ...after, ...people }]
    }
  }
}

const ofFeed = (log: RawLog, at: Place): ChainEvents => {
  const { current: answer, updatedAt } = decoded(feedAbi, log).args
  const updatedTs = Number(updatedAt)
  return [{ ...at, kind: 'answered', aggregator: low(log.address), answer, updatedTs }]
}

/** All that Uniswap's contracts and the feeds have logged, in order; each log is read once. */
export const createEventLog = (chain: Chain, { contracts, tokens }: Manifest) => {
  const aggregators = new Set(tokens.map((token) => token.aggregator?.toLowerCase()))
  const factories = new Set(
    [
      ...[contracts.factory, contracts.forkFactory],
      ...[contracts.pancakeFactory, contracts.algebraFactory],
      contracts.slipstreamFactory,
    ].map(low),
  )
  const pools = new Set<string>()
  const events: ChainEvent[] = []
  let next = 0

  const decodeLog = (log: RawLog, at: Place): ChainEvents => {
    const emitter = low(log.address)
    if (emitter === low(contracts.poolManager)) return ofPoolManager(log, at)
    if (aggregators.has(emitter)) return ofFeed(log, at)
    if (pools.has(emitter)) return ofV3Pool(log, at)
    return factories.has(emitter) ? ofFactory(log, at) : []
  }

  /** In each block: Slipstream's factory logs a creation after the first price of the pool. */
  const creationsFirst = (logs: readonly RawLog[]): readonly RawLog[] => {
    const rank = ({ address }: RawLog): number => (factories.has(low(address)) ? 0 : 1)
    const isLater = (one: RawLog, other: RawLog): number =>
      Number(one.blockNumber) - Number(other.blockNumber) || rank(one) - rank(other)
    return logs.toSorted(isLater)
  }

  /** A swap of Algebra without a plugin pays the fee of the last log. */
  const fees = new Map<Hex, number>()
  const withLoggedFee = (event: ChainEvent): ChainEvent => {
    if (event.kind === 'key-set' && event.key.fee !== undefined) fees.set(event.pool, event.key.fee)
    return event.kind === 'swapped' && event.fee === null
      ? { ...event, fee: fees.get(event.pool) ?? null }
      : event
  }

  const read = async (to: number): Promise<void> => {
    const logs = creationsFirst(await chain.logs(topics, { from: next, to }))
    const times = await chain.blockTimes([...new Set(logs.map((log) => Number(log.blockNumber)))])
    for (const log of logs) {
      const block = Number(log.blockNumber)
      const place = { block, ts: times.get(block) ?? 0, logIndex: Number(log.logIndex) }
      for (const event of decodeLog(log, { ...place, txHash: low(log.transactionHash) })) {
        if (event.kind === 'created' && event.version === 'v3') pools.add(event.pool)
        events.push(withLoggedFee(event))
      }
    }
    next = to + 1
  }

  return {
    upTo: async (block: number): Promise<ChainEvents> => {
      if (block >= next) await read(block)
      return events.filter((event) => event.block <= block)
    },
  }
}
