import type { Address } from '../../units.ts'
import {
  addressAt,
  hashAt,
  int24At,
  int128At,
  int256At,
  uint24At,
  uint128At,
  uint160At,
} from '../abi-words.ts'
import { computePoolId } from '../pool-id.ts'
import { eventDecoder, type Probe, type Protocol, slot0Decoder, toDecoders } from '../protocol.ts'

/**
 * Uniswap v4 (v4-core: IPoolManager). One PoolManager emits the events of all pools.
 * Not decoded, because none moves price, principal or the fee of a swap: `Donate` pays fees to
 * positions in range, the ERC-6909 events concern claims.
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

/** ProtocolFeeUpdated(bytes32 indexed, uint24), of IProtocolFees */
const v4ProtocolFeeUpdatedTopic =
  '0xe9c42593e71f84403b84352cd168d693e2c9fcd1fdbcc3feb21d92b43e6696f9'

const initialize = eventDecoder({
  topic: v4InitializeTopic,
  name: 'Initialize',
  indexed: 3,
  words: 5,
  read: ({ topics, data }) => ({
    id: hashAt(topics[1], 0),
    token0: addressAt(topics[2], 0),
    token1: addressAt(topics[3], 0),
    fee: uint24At(data, 0),
    tickSpacing: int24At(data, 1),
    hooks: addressAt(data, 2),
    sqrtPriceX96: uint160At(data, 3),
    tick: int24At(data, 4),
  }),
  toEvent: ({ id, sqrtPriceX96, tick, ...key }, { address, at }) => ({
    kind: 'created',
    poolId: id,
    at,
    protocol: 'uniswap-v4',
    venue: address,
    key,
    initial: { sqrtPriceX96, tick },
  }),
})

/** The event's amounts are the swapper's (negative: paid), so they change sign here. */
const swap = eventDecoder({
  topic: v4SwapTopic,
  name: 'Swap',
  indexed: 2,
  words: 6,
  read: ({ topics, data }) => ({
    id: hashAt(topics[1], 0),
    sender: addressAt(topics[2], 0),
    amount0: int128At(data, 0),
    amount1: int128At(data, 1),
    sqrtPriceX96: uint160At(data, 2),
    liquidity: uint128At(data, 3),
    tick: int24At(data, 4),
    fee: uint24At(data, 5),
  }),
  toEvent: (fields, { at }) => ({
    kind: 'swapped',
    poolId: fields.id,
    at,
    amount0: -fields.amount0,
    amount1: -fields.amount1,
    sqrtPriceX96: fields.sqrtPriceX96,
    liquidity: fields.liquidity,
    tick: fields.tick,
    fee: fields.fee,
    sender: fields.sender,
    recipient: null,
  }),
})

/** A change by zero, which only credits fees, becomes an event with a delta of 0n. */
export const modifyLiquidity = eventDecoder({
  topic: v4ModifyLiquidityTopic,
  name: 'ModifyLiquidity',
  indexed: 2,
  words: 4,
  read: ({ topics, data }) => ({
    id: hashAt(topics[1], 0),
    sender: addressAt(topics[2], 0),
    tickLower: int24At(data, 0),
    tickUpper: int24At(data, 1),
    liquidityDelta: int256At(data, 2),
    salt: hashAt(data, 3),
  }),
  toEvent: ({ id, sender, tickLower, tickUpper, liquidityDelta, salt }, { at }) => ({
    kind: 'liquidity-changed',
    poolId: id,
    at,
    tickLower,
    tickUpper,
    liquidityDelta,
    owner: null,
    sender,
    salt,
  }),
})

export const protocolFeeUpdated = eventDecoder({
  topic: v4ProtocolFeeUpdatedTopic,
  name: 'ProtocolFeeUpdated',
  indexed: 1,
  words: 1,
  read: ({ topics, data }) => ({ id: hashAt(topics[1], 0), protocolFee: uint24At(data, 0) }),
  toEvent: ({ id, protocolFee }, { at }) => ({
    kind: 'protocol-fee-set',
    poolId: id,
    at,
    protocolFee,
  }),
})

/**
 * v4-periphery StateView: getSlot0(bytes32) returns four words (√price, tick, protocol fee, LP
 * fee), getLiquidity(bytes32) one.
 */
const slot0Selector = '0xc815641c'
const liquiditySelector = '0xfa6793d5'

/** extsload(bytes32): v4-core, IExtsload.sol */
const managerProbe: Probe = {
  name: 'v4 PoolManager',
  data: `0x1e2eaeaf${'0'.repeat(64)}`,
  answerBytes: 32,
}

/** poolManager(): v4-periphery, ImmutableState.sol */
const stateViewProbe = (manager: Address): Probe => ({
  name: 'StateView',
  data: '0xdc4c90d3',
  answerBytes: 32,
  expected: { address: manager, otherwise: 'it belongs to another PoolManager' },
})

/** vault(): infinity-core, ProtocolFees.sol */
export const vaultSelector = '0xfbfa77cf'

/** Managers of PancakeSwap Infinity answer the other probe as well. */
const foreignManagerProbe: Probe = {
  name: 'v4 PoolManager',
  data: vaultSelector,
  answerBytes: 32,
  unexpected: 'it has a vault, as managers of PancakeSwap Infinity have',
}

/** What v4 has in common with PancakeSwap Infinity, a copy of it. */
export const singletonState = {
  version: 'v4',
  emitter: 'singleton',
  hasPriceAtCreation: true,
  fee: 'state',
  swapFee: 'log',
  hasSettings: false,
  swapStops: 'words',
  protocolFee: 'of-input',
  liquidityTopics: [v4ModifyLiquidityTopic],
  stateCallNames: ['getSlot0(bytes32)', 'getLiquidity(bytes32)'],
  stateCalls: (id, stateView) =>
    stateView && [
      { to: stateView, data: `${slot0Selector}${id.slice(2)}` },
      { to: stateView, data: `${liquiditySelector}${id.slice(2)}` },
    ],
  decodeState: slot0Decoder(4, (slot0) => ({
    protocolFee: uint24At(slot0, 2),
    lpFee: uint24At(slot0, 3),
  })),
  // v4-core 1.0.2, StateLibrary.sol: POOLS_SLOT, and LIQUIDITY_, TICKS_ and TICK_BITMAP_OFFSET.
  storage: { pools: 6n, slot0: 0n, liquidity: 3n, ticks: 4n, bitmap: 5n },
  listsPools: null,
} as const satisfies Partial<Protocol>

export const uniswapV4: Protocol = {
  ...singletonState,
  id: 'uniswap-v4',
  name: 'Uniswap v4',
  creationEvents: toDecoders([{ ...initialize, tokenTopics: [2, 3] }]),
  poolEvents: toDecoders([swap, modifyLiquidity, protocolFeeUpdated]),
  logsLpFee: false,
  hasFeesAtCreation: true,
  swapTopic: v4SwapTopic,
  computeId: (key, _, keccak256) => computePoolId(key, keccak256),
  invalidIdReason: 'the id of a v4 pool does not follow from its key',
  network: {
    key: 'uniswapV4',
    addressKey: 'poolManager',
    takes: ['stateView'],
    noun: 'v4 pool manager',
    contracts: ({ address, stateView }) => [
      { key: 'poolManager', address, probe: managerProbe },
      ...(stateView === null
        ? []
        : [{ key: 'stateView', address: stateView, probe: stateViewProbe(address) }]),
      { key: 'poolManager', address, probe: foreignManagerProbe },
    ],
  },
}
