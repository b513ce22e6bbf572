import type { Hash } from '../../units.ts'
import { addressAt, int24At, uint8At, uint16At, uint24At } from '../abi-words.ts'
import { type CreationDecoder, type EventDecoder, eventDecoder } from '../protocol.ts'
import { dynamicFee } from '../uniswap-v4/hook-flags.ts'
import { readV3Swap, toSwapped, v3BurnOf, v3PoolEvents, v3Swap } from '../v3-pools.ts'

/**
 * Events of Algebra Integral (Algebra: IAlgebraFactory, IAlgebraPoolEvents; docs/protocols.md).
 * Swap and Burn are those of Uniswap v3 but in 1.2.1 to 1.2.5. Not decoded, because none moves
 * price, principal or the fee of a swap: `Collect`, `Flash`, `Skim`, `ExcessTokens` and `BurnFee`,
 * and `Plugin`, after which `PluginConfig` says whether a plugin is called.
 */
const protocol = 'algebra-integral'

/** Pool(address indexed, address indexed, address) */
const poolTopic = '0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db'
/** CustomPool(address indexed, address indexed, address indexed, address) */
const customPoolTopic = '0x8a5f030f5fc13b04a1e4ef7c47177e3d76b0e80e1d9be9843db37caa5b7b9b8f'
/**
 * Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24, uint24, uint24)
 */
const feeSwapTopic = '0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79'
/** Burn(address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256, uint24) */
const feeBurnTopic = '0x932214d4a69c27c086643126ed97c32681da179064c678836c173f99bd13ca01'
/** SwapFee(address indexed, uint24, uint24) */
const swapFeeTopic = '0x9443903d84c9719611bd4bba871daaf18a3950d00d5d78b1a2fa701f76df54ff'
/** Fee(uint16) */
const feeTopic = '0x598b9f043c813aa6be3426ca60d1c65d17256312890be5118dab55b0775ebe2a'
/** CommunityFee(uint16) */
const communityFeeTopic = '0x3647dccc990d4941b0b05b32527ef493a98d6187b20639ca2f9743f3b55ca5e1'
/** TickSpacing(int24) */
const tickSpacingTopic = '0x01413b1d5d4c359e9a0daa7909ecda165f6e8c51fe2ff529d74b22a5a7c02645'
/** PluginConfig(uint8) */
const pluginConfigTopic = '0x3a6271b36c1b44bd6a0a0d56230602dc6919b7c17af57254306fadf5fee69dc3'

/** The key of a pool has neither: logs set them after the first price, and may change them. */
const unsetKey = { fee: dynamicFee, tickSpacing: 0, hooks: null } as const

const pool: CreationDecoder = {
  tokenTopics: [1, 2],
  ...eventDecoder({
    topic: poolTopic,
    name: 'Pool',
    indexed: 2,
    words: 1,
    read: ({ topics, data }) => ({
      token0: addressAt(topics[1], 0),
      token1: addressAt(topics[2], 0),
      pool: addressAt(data, 0),
    }),
    toEvent: ({ pool: poolId, ...tokens }, { address, at }) => ({
      kind: 'created',
      poolId,
      at,
      protocol,
      venue: address,
      key: { ...tokens, ...unsetKey },
      initial: null,
    }),
  }),
}

const customPool: CreationDecoder = {
  tokenTopics: [2, 3],
  ...eventDecoder({
    topic: customPoolTopic,
    name: 'CustomPool',
    indexed: 3,
    words: 1,
    read: ({ topics, data }) => ({
      deployer: addressAt(topics[1], 0),
      token0: addressAt(topics[2], 0),
      token1: addressAt(topics[3], 0),
      pool: addressAt(data, 0),
    }),
    toEvent: ({ pool: poolId, ...key }, { address, at }) => ({
      kind: 'created',
      poolId,
      at,
      protocol,
      venue: address,
      key: { ...key, ...unsetKey },
      initial: null,
    }),
  }),
}

/** Of 1.2.1 to 1.2.5. */
const feeSwap = eventDecoder({
  topic: feeSwapTopic,
  name: 'Swap',
  indexed: 2,
  words: 7,
  read: (log) => ({
    ...readV3Swap(log),
    overrideFee: uint24At(log.data, 5),
    pluginFee: uint24At(log.data, 6),
  }),
  toEvent: ({ overrideFee, pluginFee, ...fields }, from) => ({
    ...toSwapped(fields, from),
    announced: { overrideFee, pluginFee },
  }),
})

/** From 1.2.9 on, right before each Swap. */
const swapFee = eventDecoder({
  topic: swapFeeTopic,
  name: 'SwapFee',
  indexed: 1,
  words: 2,
  read: ({ topics, data }) => ({
    sender: addressAt(topics[1], 0),
    overrideFee: uint24At(data, 0),
    pluginFee: uint24At(data, 1),
  }),
  toEvent: ({ overrideFee, pluginFee }, { address, at }) => ({
    kind: 'swap-fees-announced',
    poolId: address,
    at,
    overrideFee,
    pluginFee,
  }),
})

const fee = eventDecoder({
  topic: feeTopic,
  name: 'Fee',
  indexed: 0,
  words: 1,
  read: ({ data }) => ({ lpFee: uint16At(data, 0) }),
  toEvent: (fields, { address, at }) => ({ kind: 'lp-fee-set', poolId: address, at, ...fields }),
})

/** Thousandths of each fee go to the protocol. */
const communityFee = eventDecoder({
  topic: communityFeeTopic,
  name: 'CommunityFee',
  indexed: 0,
  words: 1,
  read: ({ data }) => ({ protocolFee: uint16At(data, 0) }),
  toEvent: (fields, { address, at }) => ({
    kind: 'protocol-fee-set',
    poolId: address,
    at,
    ...fields,
  }),
})

const tickSpacing = eventDecoder({
  topic: tickSpacingTopic,
  name: 'TickSpacing',
  indexed: 0,
  words: 1,
  read: ({ data }) => ({ tickSpacing: int24At(data, 0) }),
  toEvent: (fields, { address, at }) => ({ kind: 'setting-set', poolId: address, at, ...fields }),
})

const pluginConfig = eventDecoder({
  topic: pluginConfigTopic,
  name: 'PluginConfig',
  indexed: 0,
  words: 1,
  read: ({ data }) => ({ pluginConfig: uint8At(data, 0) }),
  toEvent: (fields, { address, at }) => ({ kind: 'setting-set', poolId: address, at, ...fields }),
})

export const algebraCreations: readonly CreationDecoder[] = [pool, customPool]

export const algebraPoolEvents: readonly EventDecoder[] = [
  ...[v3Swap, feeSwap, swapFee],
  ...[...v3PoolEvents, v3BurnOf(feeBurnTopic, 4)],
  ...[fee, communityFee, tickSpacing, pluginConfig],
]

/** What the tick map and the settings follow from, besides the logs of Uniswap v3. */
export const algebraMapTopics: readonly Hash[] = [feeBurnTopic, tickSpacingTopic, pluginConfigTopic]
