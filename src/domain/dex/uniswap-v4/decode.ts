import type { ChainLog } from '../../chain/log.ts'
import {
  addressAt,
  hashAt,
  hasWords,
  int24At,
  int128At,
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
 * Uniswap v4 (v4-core: IPoolManager). One PoolManager emits the events of all pools.
 * Not decoded, because none moves price or principal: `Donate` pays fees to positions in range,
 * `ProtocolFeeUpdated` and the ERC-6909 events concern fees and claims.
 */

/**
 * Initialize(bytes32 indexed, address indexed, address indexed, uint24, int24, address, uint160,
 * int24)
 */
const v4InitializeTopic = '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438'
/** Swap(bytes32 indexed, address indexed, int128, int128, uint160, uint128, int24, uint24) */
const v4SwapTopic = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f'
/** ModifyLiquidity(bytes32 indexed, address indexed, int24, int24, int256, bytes32) */
export const v4ModifyLiquidityTopic =
  '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'

const decodeInitialize = (log: ChainLog): Decoded => {
  if (!hasWords(log, 3, 5)) return refusedShape('Initialize')
  const { topics, data } = log
  const fields = {
    id: hashAt(topics[1], 0),
    token0: addressAt(topics[2], 0),
    token1: addressAt(topics[3], 0),
    fee: uint24At(data, 0),
    tickSpacing: int24At(data, 1),
    hooks: addressAt(data, 2),
    sqrtPriceX96: uint160At(data, 3),
    tick: int24At(data, 4),
  }
  if (!isComplete(fields)) return refusedField('Initialize', fields)
  const { id, sqrtPriceX96, tick, ...key } = fields
  return accepted({
    kind: 'created',
    poolId: id,
    at: positionOf(log),
    version: 'v4',
    venue: log.address,
    key,
    initial: { sqrtPriceX96, tick },
  })
}

/** The event's amounts are the swapper's (negative: he paid), so they change sign here. */
const decodeSwap = (log: ChainLog): Decoded => {
  if (!hasWords(log, 2, 6)) return refusedShape('Swap')
  const { topics, data } = log
  const fields = {
    id: hashAt(topics[1], 0),
    sender: addressAt(topics[2], 0),
    amount0: int128At(data, 0),
    amount1: int128At(data, 1),
    sqrtPriceX96: uint160At(data, 2),
    liquidity: uint128At(data, 3),
    tick: int24At(data, 4),
    fee: uint24At(data, 5),
  }
  if (!isComplete(fields)) return refusedField('Swap', fields)
  return accepted({
    kind: 'swapped',
    poolId: fields.id,
    at: positionOf(log),
    amount0: -fields.amount0,
    amount1: -fields.amount1,
    sqrtPriceX96: fields.sqrtPriceX96,
    liquidity: fields.liquidity,
    tick: fields.tick,
    fee: fields.fee,
    sender: fields.sender,
    recipient: null,
  })
}

/** A change by nothing (a "poke", which only books fees) is an event with a delta of 0n. */
const decodeModifyLiquidity = (log: ChainLog): Decoded => {
  if (!hasWords(log, 2, 4)) return refusedShape('ModifyLiquidity')
  const { topics, data } = log
  const fields = {
    id: hashAt(topics[1], 0),
    sender: addressAt(topics[2], 0),
    tickLower: int24At(data, 0),
    tickUpper: int24At(data, 1),
    liquidityDelta: int256At(data, 2),
  }
  if (!isComplete(fields)) return refusedField('ModifyLiquidity', fields)
  const { id, tickLower, tickUpper, liquidityDelta } = fields
  return accepted({
    kind: 'liquidity-changed',
    poolId: id,
    at: positionOf(log),
    tickLower,
    tickUpper,
    liquidityDelta,
  })
}

const decoders = new Map([
  [v4InitializeTopic, decodeInitialize],
  [v4SwapTopic, decodeSwap],
  [v4ModifyLiquidityTopic, decodeModifyLiquidity],
] as const)

export const uniswapV4: DexDefinition = {
  id: 'uniswap-v4',
  version: 'v4',
  topics: [...decoders.keys()],
  decode: decoderOf(decoders),
  emitter: 'singleton',
  creationTopic: v4InitializeTopic,
  liquidityTopics: [v4ModifyLiquidityTopic],
  creationTokenTopics: [2, 3],
}
