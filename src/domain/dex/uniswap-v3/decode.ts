import { addressAt, int24At, int256At, uint24At, uint128At, uint160At } from '../abi-words.ts'
import { computePoolAddress } from '../pool-id.ts'
import { eventDecoder, type Probe, type Protocol, slot0Decoder, toDecoders } from '../protocol.ts'

/**
 * Uniswap v3 (v3-core: IUniswapV3Factory, IUniswapV3PoolEvents).
 * Not decoded, because none moves price, principal or the fee of a swap: `Collect` pays out what
 * `Burn` has already taken from the principal, `Flash` is repaid within its call, `SetFeeProtocol`
 * divides the fee, `CollectProtocol` and `IncreaseObservationCardinalityNext` concern fees and the
 * oracle.
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

const poolCreated = eventDecoder({
  topic: v3PoolCreatedTopic,
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
    protocol: 'uniswap-v3',
    venue: address,
    key: { ...key, hooks: null },
    initial: null,
  }),
})

const initialize = eventDecoder({
  topic: v3InitializeTopic,
  name: 'Initialize',
  indexed: 0,
  words: 2,
  read: ({ data }) => ({ sqrtPriceX96: uint160At(data, 0), tick: int24At(data, 1) }),
  toEvent: (fields, { address, at }) => ({ kind: 'initialized', poolId: address, at, ...fields }),
})

/** The event's amounts are already signed from the pool's side. */
const swap = eventDecoder({
  topic: v3SwapTopic,
  name: 'Swap',
  indexed: 2,
  words: 5,
  read: ({ topics, data }) => ({
    sender: addressAt(topics[1], 0),
    recipient: addressAt(topics[2], 0),
    amount0: int256At(data, 0),
    amount1: int256At(data, 1),
    sqrtPriceX96: uint160At(data, 2),
    liquidity: uint128At(data, 3),
    tick: int24At(data, 4),
  }),
  toEvent: (fields, { address, at }) => ({
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
  }),
})

const mint = eventDecoder({
  topic: v3MintTopic,
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
  toEvent: ({ owner, tickLower, tickUpper, liquidityDelta }, { address, at }) => ({
    kind: 'liquidity-changed',
    poolId: address,
    at,
    tickLower,
    tickUpper,
    liquidityDelta,
    owner,
    sender: null,
    salt: null,
  }),
})

/** A burn of zero, which only credits fees, becomes an event with a delta of 0n. */
const burn = eventDecoder({
  topic: v3BurnTopic,
  name: 'Burn',
  indexed: 3,
  words: 3,
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

/** IUniswapV3PoolState: slot0() returns seven words, liquidity() one. */
const slot0Selector = '0x3850c7bd'
const liquiditySelector = '0x1a686502'

const word = '0'.repeat(64)

/** getPool(address,address,uint24): UniswapV3Factory.sol */
const factoryProbe: Probe = {
  name: 'v3 factory',
  data: `0x1698ee82${word}${word}${word}`,
  answerBytes: 32,
}

/**
 * poolDeployer(): PancakeV3Factory.sol. It answers the other probe as well, and its pools emit
 * another Swap. Uniswap's factory deploys its pools itself.
 */
const foreignFactoryProbe: Probe = {
  name: 'v3 factory',
  data: '0x3119049a',
  answerBytes: 32,
  unexpected: 'it has a pool deployer, as factories of PancakeSwap v3 and its forks have',
}

export const uniswapV3: Protocol = {
  id: 'uniswap-v3',
  name: 'Uniswap v3',
  version: 'v3',
  creationEvents: toDecoders([poolCreated]),
  poolEvents: toDecoders([initialize, swap, mint, burn]),
  emitter: 'pool',
  hasPriceAtCreation: false,
  fee: 'key',
  swapTopic: v3SwapTopic,
  liquidityTopics: [v3MintTopic, v3BurnTopic],
  creationTokenTopics: [1, 2],
  // Without an init code hash (a fork) the address cannot be checked.
  computeId: (key, { address: factory, initCodeHash }, keccak256) =>
    initCodeHash && computePoolAddress({ ...key, factory, initCodeHash }, keccak256),
  invalidIdReason: 'the address of a v3 pool does not follow from its key and initCodeHash',
  stateCallNames: ['slot0()', 'liquidity()'],
  stateCalls: (id) => [
    { to: id, data: slot0Selector },
    { to: id, data: liquiditySelector },
  ],
  decodeState: slot0Decoder(7),
  // v3-core 1.0.1, UniswapV3Pool.sol: the first, fifth, sixth and seventh variable.
  storage: { pools: null, slot0: 0n, liquidity: 4n, ticks: 5n, bitmap: 6n },
  listsPools: true,
  network: {
    key: 'uniswapV3',
    addressKey: 'factory',
    takes: ['initCodeHash'],
    noun: 'v3 factory',
    contracts: ({ address }) => [
      { key: 'factory', address, probe: factoryProbe },
      { key: 'factory', address, probe: foreignFactoryProbe },
    ],
  },
}
