import type { Hash } from '../../units.ts'
import {
  addressAt,
  hashAt,
  int24At,
  int128At,
  uint16At,
  uint24At,
  uint128At,
  uint160At,
} from '../abi-words.ts'
import { computeInfinityPoolId } from '../pool-id.ts'
import { eventDecoder, type Probe, type Protocol, toDecoders } from '../protocol.ts'
import {
  modifyLiquidity,
  protocolFeeUpdated,
  singletonState,
  vaultSelector,
} from '../uniswap-v4/decode.ts'

/**
 * Concentrated liquidity of PancakeSwap Infinity and its forks (infinity-core: ICLPoolManager). One
 * CLPoolManager emits the events of all pools and answers for their states. A pool trades as one of
 * Uniswap v4. Not decoded, because it moves neither price nor principal: `Donate`, which has a tick
 * that v4's has not (docs/protocols.md).
 */
const id = 'pancakeswap-infinity-cl'
const managerName = 'CLPoolManager'

/**
 * Initialize(bytes32 indexed, address indexed, address indexed, address, uint24, bytes32, uint160,
 * int24)
 */
const initializeTopic = '0x426cc62fe6a33a40ba2788c2c87a9c34ee4582b95bc9fa5a7bb7ae70b750b99c'
/**
 * Swap(bytes32 indexed, address indexed, int128, int128, uint160, uint128, int24, uint24, uint16)
 */
const swapTopic = '0x04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237'
/** DynamicLPFeeUpdated(bytes32 indexed, uint24) */
const dynamicLpFeeUpdatedTopic =
  '0x14b2b80e0d62303dc85494859f35a84579160aafbd650180ddf526b1ab547bd6'

/** CLPoolParametersHelper: an int24 above the 16 bits of the hook's permissions. */
const tickSpacingIn = (parameters: Hash): number => {
  const spacing = Number.parseInt(parameters.slice(-10, -4), 16)
  return spacing < 2 ** 23 ? spacing : spacing - 2 ** 24
}

const initialize = eventDecoder({
  topic: initializeTopic,
  name: 'Initialize',
  indexed: 3,
  words: 5,
  read: ({ topics, data }) => ({
    poolId: hashAt(topics[1], 0),
    token0: addressAt(topics[2], 0),
    token1: addressAt(topics[3], 0),
    hooks: addressAt(data, 0),
    fee: uint24At(data, 1),
    parameters: hashAt(data, 2),
    sqrtPriceX96: uint160At(data, 3),
    tick: int24At(data, 4),
  }),
  toEvent: ({ poolId, sqrtPriceX96, tick, ...key }, { address, at }) => ({
    kind: 'created',
    poolId,
    at,
    protocol: id,
    venue: address,
    key: { ...key, tickSpacing: tickSpacingIn(key.parameters) },
    initial: { sqrtPriceX96, tick },
  }),
})

/**
 * The amounts are the swapper's (negative: paid), so they change sign here. The fee is the whole
 * one; the protocol's share of it stands beside it.
 */
const swap = eventDecoder({
  topic: swapTopic,
  name: 'Swap',
  indexed: 2,
  words: 7,
  read: ({ topics, data }) => ({
    poolId: hashAt(topics[1], 0),
    sender: addressAt(topics[2], 0),
    amount0: int128At(data, 0),
    amount1: int128At(data, 1),
    sqrtPriceX96: uint160At(data, 2),
    liquidity: uint128At(data, 3),
    tick: int24At(data, 4),
    fee: uint24At(data, 5),
    protocolFee: uint16At(data, 6),
  }),
  toEvent: ({ poolId, amount0, amount1, ...state }, { at }) => ({
    kind: 'swapped',
    poolId,
    at,
    amount0: -amount0,
    amount1: -amount1,
    ...state,
    recipient: null,
  }),
})

const dynamicLpFeeUpdated = eventDecoder({
  topic: dynamicLpFeeUpdatedTopic,
  name: 'DynamicLPFeeUpdated',
  indexed: 1,
  words: 1,
  read: ({ topics, data }) => ({ poolId: hashAt(topics[1], 0), lpFee: uint24At(data, 0) }),
  toEvent: (fields, { at }) => ({ kind: 'lp-fee-set', at, ...fields }),
})

/** The manager of bin pools answers in three words, and a PoolManager of v4 not at all. */
const stateProbe: Probe = {
  name: managerName,
  data: `0xc815641c${'0'.repeat(64)}`,
  answerBytes: 4 * 32,
}

/** A StateView of v4 answers the other probe as well. */
const vaultProbe: Probe = { name: managerName, data: vaultSelector, answerBytes: 32 }

export const pancakeswapInfinityCl: Protocol = {
  ...singletonState,
  id,
  name: 'PancakeSwap Infinity',
  creationEvents: toDecoders([{ ...initialize, tokenTopics: [2, 3] }]),
  poolEvents: toDecoders([swap, modifyLiquidity, protocolFeeUpdated, dynamicLpFeeUpdated]),
  logsLpFee: true,
  // CLPoolManager.initialize takes the protocol fee of its controller and logs none.
  hasFeesAtCreation: false,
  swapTopic,
  computeId: (key, { address }, keccak256) => computeInfinityPoolId(key, address, keccak256),
  invalidIdReason: 'the id of a PancakeSwap Infinity pool does not follow from its key and manager',
  // infinity-core, CLPoolManager.sol: `pools` is in slot 4.
  storage: { ...singletonState.storage, pools: 4n },
  network: {
    key: 'pancakeswapInfinity',
    addressKey: 'poolManager',
    takes: [],
    noun: managerName,
    contracts: ({ address }) => [
      { key: 'poolManager', address, probe: stateProbe },
      { key: 'poolManager', address, probe: vaultProbe },
    ],
  },
}
