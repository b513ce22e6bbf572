import type { ChainLog } from '../../chain/log.ts'
import {
  addressAt,
  hasWords,
  int24At,
  int256At,
  uint24At,
  uint128At,
  uint160At,
} from '../abi-words.ts'
import {
  accepted,
  type Decoded,
  type DexDefinition,
  decoderOf,
  isComplete,
  positionOf,
  refusedField,
  refusedShape,
} from '../dex.ts'

/**
 * Uniswap v3 (v3-core: IUniswapV3Factory, IUniswapV3PoolEvents).
 * Not decoded, because none moves price or principal: `Collect` pays out what `Burn` has already
 * taken from the principal, `Flash` is repaid within its call, `SetFeeProtocol`, `CollectProtocol`
 * and `IncreaseObservationCardinalityNext` concern fees and the oracle.
 */

/** PoolCreated(address indexed, address indexed, uint24 indexed, int24, address) */
const v3PoolCreatedTopic = '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118'
/** Initialize(uint160,int24) */
const v3InitializeTopic = '0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95'
/** Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24) */
const v3SwapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
/** Mint(address, address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256) */
const v3MintTopic = '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde'
/** Burn(address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256) */
export const v3BurnTopic = '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c'

const decodePoolCreated = (log: ChainLog): Decoded => {
  if (!hasWords(log, 3, 2)) return refusedShape('PoolCreated')
  const { topics, data } = log
  const fields = {
    token0: addressAt(topics[1], 0),
    token1: addressAt(topics[2], 0),
    fee: uint24At(topics[3], 0),
    tickSpacing: int24At(data, 0),
    pool: addressAt(data, 1),
  }
  if (!isComplete(fields)) return refusedField('PoolCreated', fields)
  const { pool: poolId, ...key } = fields
  return accepted({
    kind: 'created',
    poolId,
    at: positionOf(log),
    version: 'v3',
    venue: log.address,
    key: { ...key, hooks: null },
    initial: null,
  })
}

const decodeInitialize = (log: ChainLog): Decoded => {
  if (!hasWords(log, 0, 2)) return refusedShape('Initialize')
  const fields = { sqrtPriceX96: uint160At(log.data, 0), tick: int24At(log.data, 1) }
  if (!isComplete(fields)) return refusedField('Initialize', fields)
  return accepted({ kind: 'initialized', poolId: log.address, at: positionOf(log), ...fields })
}

/** The event's amounts are already the pool's. */
const decodeSwap = (log: ChainLog): Decoded => {
  if (!hasWords(log, 2, 5)) return refusedShape('Swap')
  const { topics, data } = log
  const fields = {
    sender: addressAt(topics[1], 0),
    recipient: addressAt(topics[2], 0),
    amount0: int256At(data, 0),
    amount1: int256At(data, 1),
    sqrtPriceX96: uint160At(data, 2),
    liquidity: uint128At(data, 3),
    tick: int24At(data, 4),
  }
  if (!isComplete(fields)) return refusedField('Swap', fields)
  return accepted({
    kind: 'swapped',
    poolId: log.address,
    at: positionOf(log),
    amount0: fields.amount0,
    amount1: fields.amount1,
    sqrtPriceX96: fields.sqrtPriceX96,
    liquidity: fields.liquidity,
    tick: fields.tick,
    fee: null,
    sender: fields.sender,
    recipient: fields.recipient,
  })
}

const decodeMint = (log: ChainLog): Decoded => {
  if (!hasWords(log, 3, 4)) return refusedShape('Mint')
  const { topics, data } = log
  const fields = {
    owner: addressAt(topics[1], 0),
    tickLower: int24At(topics[2], 0),
    tickUpper: int24At(topics[3], 0),
    sender: addressAt(data, 0),
    liquidityDelta: uint128At(data, 1),
  }
  if (!isComplete(fields)) return refusedField('Mint', fields)
  const { tickLower, tickUpper, liquidityDelta } = fields
  return accepted({
    kind: 'liquidity-changed',
    poolId: log.address,
    at: positionOf(log),
    tickLower,
    tickUpper,
    liquidityDelta,
  })
}

/** A burn of nothing (a "poke", which only books fees) is an event with a delta of 0n. */
const decodeBurn = (log: ChainLog): Decoded => {
  if (!hasWords(log, 3, 3)) return refusedShape('Burn')
  const { topics, data } = log
  const fields = {
    owner: addressAt(topics[1], 0),
    tickLower: int24At(topics[2], 0),
    tickUpper: int24At(topics[3], 0),
    liquidity: uint128At(data, 0),
  }
  if (!isComplete(fields)) return refusedField('Burn', fields)
  const { tickLower, tickUpper, liquidity } = fields
  return accepted({
    kind: 'liquidity-changed',
    poolId: log.address,
    at: positionOf(log),
    tickLower,
    tickUpper,
    liquidityDelta: -liquidity,
  })
}

const decoders = new Map([
  [v3PoolCreatedTopic, decodePoolCreated],
  [v3InitializeTopic, decodeInitialize],
  [v3SwapTopic, decodeSwap],
  [v3MintTopic, decodeMint],
  [v3BurnTopic, decodeBurn],
] as const)

export const uniswapV3: DexDefinition = {
  id: 'uniswap-v3',
  version: 'v3',
  topics: [...decoders.keys()],
  decode: decoderOf(decoders),
  emitter: 'pool',
  creationTopic: v3PoolCreatedTopic,
  liquidityTopics: [v3MintTopic, v3BurnTopic],
  creationTokenTopics: [1, 2],
}
