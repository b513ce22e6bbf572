import type { ChainLog } from '../chain/chain-log.ts'
import type { Address } from '../units.ts'
import {
  addressAt,
  hashAt,
  int24At,
  int128At,
  int256At,
  uint24At,
  uint128At,
  uint160At,
  wordsOfLog,
} from './abi-words.ts'
import {
  accepted,
  type Decoded,
  type DexDefinition,
  decoderOf,
  isComplete,
  refusedField,
  refusedShape,
} from './dex.ts'

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
  const words = wordsOfLog(log, 3, 5)
  if (words === null) return refusedShape('Initialize')
  const fields = {
    id: hashAt(words, 0),
    token0: addressAt(words, 1),
    token1: addressAt(words, 2),
    fee: uint24At(words, 3),
    tickSpacing: int24At(words, 4),
    hooks: addressAt(words, 5),
    sqrtPriceX96: uint160At(words, 6),
    tick: int24At(words, 7),
  }
  if (!isComplete(fields)) return refusedField('Initialize', fields)
  const { id, sqrtPriceX96, tick, ...key } = fields
  return accepted(log, id, {
    kind: 'created',
    version: 'v4',
    venue: log.address.toLowerCase() as Address,
    key,
    initial: { sqrtPriceX96, tick },
  })
}

/** The event's amounts are the swapper's (negative: he paid), so they change sign here. */
const decodeSwap = (log: ChainLog): Decoded => {
  const words = wordsOfLog(log, 2, 6)
  if (words === null) return refusedShape('Swap')
  const fields = {
    id: hashAt(words, 0),
    sender: addressAt(words, 1),
    amount0: int128At(words, 2),
    amount1: int128At(words, 3),
    sqrtPriceX96: uint160At(words, 4),
    liquidity: uint128At(words, 5),
    tick: int24At(words, 6),
    fee: uint24At(words, 7),
  }
  if (!isComplete(fields)) return refusedField('Swap', fields)
  return accepted(log, fields.id, {
    kind: 'swapped',
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
  const words = wordsOfLog(log, 2, 4)
  if (words === null) return refusedShape('ModifyLiquidity')
  const fields = {
    id: hashAt(words, 0),
    sender: addressAt(words, 1),
    tickLower: int24At(words, 2),
    tickUpper: int24At(words, 3),
    liquidityDelta: int256At(words, 4),
  }
  if (!isComplete(fields)) return refusedField('ModifyLiquidity', fields)
  const { id, tickLower, tickUpper, liquidityDelta } = fields
  return accepted(log, id, { kind: 'liquidity-changed', tickLower, tickUpper, liquidityDelta })
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
