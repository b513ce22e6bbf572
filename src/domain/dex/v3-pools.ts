import type { ChainLog } from '../chain/log.ts'
import type { EventPosition, PoolEvent } from '../pool/pool-event.ts'
import type { Address, Hash, ProtocolId } from '../units.ts'
import { addressAt, int24At, int256At, uint24At, uint128At, uint160At } from './abi-words.ts'
import {
  type CreationDecoder,
  type EventDecoder,
  eventDecoder,
  type PoolListing,
  type Probe,
  type Protocol,
  slot0Decoder,
} from './protocol.ts'

/**
 * What the pools of Uniswap v3 (v3-core: IUniswapV3Factory, IUniswapV3PoolEvents) and of the DEXes
 * that copied them have in common.
 * Not decoded, because none moves price, principal or the fee of a swap: `Collect` pays out what
 * `Burn` has already taken from the principal, `Flash` is repaid within its call, `CollectProtocol`
 * and `IncreaseObservationCardinalityNext` concern fees and the oracle.
 */

/** PoolCreated(address indexed, address indexed, uint24 indexed, int24, address) */
const poolCreatedTopic = '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118'
/** Initialize(uint160,int24) */
const initializeTopic = '0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95'
/** Mint(address, address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256) */
const mintTopic = '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde'
/** Burn(address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256) */
export const v3BurnTopic = '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c'

/** The creation log of a factory, for the protocol of its venue. */
export const v3PoolCreated = (protocol: ProtocolId): CreationDecoder => ({
  tokenTopics: [1, 2],
  ...eventDecoder({
    topic: poolCreatedTopic,
    name: 'PoolCreated',
    indexed: 3,
    words: 2,
    read: ({ topics, data }) => ({
      token0: addressAt(topics[1], 0),
      token1: addressAt(topics[2], 0),
      fee: uint24At(topics[3], 0),
      tickSpacing: int24At(data, 0),
      pool: addressAt(data, 1),
    }),
    toEvent: ({ pool: poolId, ...key }, { address, at }) => ({
      kind: 'created',
      poolId,
      at,
      protocol,
      venue: address,
      key: { ...key, hooks: null },
      initial: null,
    }),
  }),
})

export const v3Initialize = eventDecoder({
  topic: initializeTopic,
  name: 'Initialize',
  indexed: 0,
  words: 2,
  read: ({ data }) => ({ sqrtPriceX96: uint160At(data, 0), tick: int24At(data, 1) }),
  toEvent: (fields, { address, at }) => ({ kind: 'initialized', poolId: address, at, ...fields }),
})

/** The first five words of a swap, which all have in this order. */
export const readV3Swap = ({ topics, data }: ChainLog) => ({
  sender: addressAt(topics[1], 0),
  recipient: addressAt(topics[2], 0),
  amount0: int256At(data, 0),
  amount1: int256At(data, 1),
  sqrtPriceX96: uint160At(data, 2),
  liquidity: uint128At(data, 3),
  tick: int24At(data, 4),
})

type V3SwapFields = {
  readonly [Name in keyof ReturnType<typeof readV3Swap>]: NonNullable<
    ReturnType<typeof readV3Swap>[Name]
  >
}

/** The event's amounts are already signed from the pool's side. */
export const toSwapped = (
  fields: V3SwapFields,
  { address, at }: { readonly address: Address; readonly at: EventPosition },
): Extract<PoolEvent, { kind: 'swapped' }> => ({
  kind: 'swapped',
  poolId: address,
  at,
  amount0: fields.amount0,
  amount1: fields.amount1,
  sqrtPriceX96: fields.sqrtPriceX96,
  liquidity: fields.liquidity,
  tick: fields.tick,
  fee: null,
  sender: fields.sender,
  recipient: fields.recipient,
})

/** Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24) */
export const v3SwapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'

/** The swap of Uniswap v3, which several copies of it kept. */
export const v3Swap = eventDecoder({
  topic: v3SwapTopic,
  name: 'Swap',
  indexed: 2,
  words: 5,
  read: readV3Swap,
  toEvent: toSwapped,
})

type V3Mint = {
  readonly owner: Address
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidityDelta: bigint
}

/** What all mints have, whatever else their logs say. */
export const toMinted = (
  { owner, tickLower, tickUpper, liquidityDelta }: V3Mint,
  { address, at }: { readonly address: Address; readonly at: EventPosition },
): PoolEvent => ({
  kind: 'liquidity-changed',
  poolId: address,
  at,
  tickLower,
  tickUpper,
  liquidityDelta,
  owner,
  sender: null,
  salt: null,
})

const mint = eventDecoder({
  topic: mintTopic,
  name: 'Mint',
  indexed: 3,
  words: 4,
  read: ({ topics, data }) => ({
    owner: addressAt(topics[1], 0),
    tickLower: int24At(topics[2], 0),
    tickUpper: int24At(topics[3], 0),
    sender: addressAt(data, 0),
    liquidityDelta: uint128At(data, 1),
  }),
  toEvent: toMinted,
})

/** A burn of zero, which only credits fees, becomes an event with a delta of 0n. */
export const v3BurnOf = (topic: Hash, words: number): EventDecoder =>
  eventDecoder({
    topic,
    name: 'Burn',
    indexed: 3,
    words,
    read: ({ topics, data }) => ({
      owner: addressAt(topics[1], 0),
      tickLower: int24At(topics[2], 0),
      tickUpper: int24At(topics[3], 0),
      liquidity: uint128At(data, 0),
    }),
    toEvent: ({ owner, tickLower, tickUpper, liquidity }, { address, at }) => ({
      kind: 'liquidity-changed',
      poolId: address,
      at,
      tickLower,
      tickUpper,
      liquidityDelta: -liquidity,
      owner,
      sender: null,
      salt: null,
    }),
  })

export const v3Burn = v3BurnOf(v3BurnTopic, 3)

/** The events of a pool but for its swaps. */
export const v3PoolEvents: readonly EventDecoder[] = [v3Initialize, mint, v3Burn]

/** IUniswapV3PoolState: slot0() returns seven words, liquidity() one. */
const slot0Selector = '0x3850c7bd'
const liquiditySelector = '0x1a686502'

/** fee(): constant of a pool of Uniswap v3, its present fee in others. */
export const feeSelector = '0xddca3f43'

/** getPool(address,address,int24), of factories with one pool for each tick spacing. */
export const spacedPoolSelector = '0x28af8d0b'

const word = '0'.repeat(64)

/** getPool(address,address,uint24): UniswapV3Factory.sol */
export const v3FactoryProbe = (name: string): Probe => ({
  name,
  data: `0x1698ee82${word}${word}${word}`,
  answerBytes: 32,
})

/** Factories of Uniswap v3 take a uint24 there. */
export const spacedFactoryProbe = (name: string): Probe => ({
  name,
  data: `${spacedPoolSelector}${word}${word}${word}`,
  answerBytes: 32,
})

/** poolDeployer(): PancakeV3Factory.sol */
export const poolDeployerSelector = '0x3119049a'

/** getPool(address,address,uint24) and feeAmountTickSpacing(uint24): UniswapV3Factory.sol */
const factoryListing: PoolListing = {
  pool: '0x1698ee82',
  // Fees that Uniswap and its common forks use.
  keys: [100, 200, 300, 400, 500, 1000, 2000, 2500, 3000, 5000, 10_000, 20_000],
  enabled: '0x22afcccb',
}

/** What a protocol with these pools has in common with the others. */
export const v3Traits = {
  version: 'v3',
  emitter: 'pool',
  hasPriceAtCreation: false,
  fee: 'key',
  logsLpFee: false,
  swapFee: 'pool',
  hasSettings: false,
  swapStops: 'words',
  protocolFee: 'unknown',
  hasFeesAtCreation: true,
  liquidityTopics: [mintTopic, v3BurnTopic],
  stateCallNames: ['slot0()', 'liquidity()'],
  stateCalls: (id) => [
    { to: id, data: slot0Selector },
    { to: id, data: liquiditySelector },
  ],
  decodeState: slot0Decoder(7),
  listsPools: factoryListing,
} as const satisfies Partial<Protocol>
