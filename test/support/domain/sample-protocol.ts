import { encodeAbiParameters } from 'viem'
import {
  addressAt,
  hashAt,
  int24At,
  int256At,
  uint24At,
  uint128At,
  uint160At,
} from '../../../src/domain/dex/abi-words.ts'
import {
  eventDecoder,
  type Protocol,
  slot0Decoder,
  toDecoders,
} from '../../../src/domain/dex/protocol.ts'
import { type Address, type Hash, type Hex, nativeAddress } from '../../../src/domain/units.ts'
import type { RawLog } from './sample-chain.ts'
import { keccak } from './sample-pool.ts'

/** A singleton as v4 is, with events, ids, state calls and keys of its own; it logs LP fees. */

const openedTopic: Hash = `0x${'a1'.repeat(32)}`
const tradedTopic: Hash = `0x${'a2'.repeat(32)}`
const fundedTopic: Hash = `0x${'a3'.repeat(32)}`
const repricedTopic: Hash = `0x${'a7'.repeat(32)}`
const slot0Selector = '0xa4a4a4a4'
const liquiditySelector = '0xa5a5a5a5'

const encode = (types: readonly string[], values: readonly unknown[]): Hex =>
  encodeAbiParameters(
    types.map((type) => ({ type })),
    values,
  )

/** The sample protocol's pool id: the hash of both tokens. */
export const samplePoolId = (token0: Address, token1: Address): Hash =>
  keccak(Buffer.from(`${token0.slice(2)}${token1.slice(2)}`, 'hex'))

const wordOf = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`

/** Logs of the sample protocol. */
const repriced = eventDecoder({
  topic: repricedTopic,
  name: 'Repriced',
  indexed: 1,
  words: 1,
  read: ({ topics, data }) => ({ poolId: hashAt(topics[1], 0), lpFee: uint24At(data, 0) }),
  toEvent: (fields, { at }) => ({ kind: 'lp-fee-set', at, ...fields }),
})

export const sampleProtocolLogs = (venue: Address, token0: Address, token1: Address) => {
  const id = samplePoolId(token0, token1)
  const write = (topics: readonly Hash[], data: Hex): RawLog => ({ address: venue, topics, data })
  return {
    opened: (sqrtPriceX96: bigint, tick: number, poolId = id): RawLog =>
      write(
        [openedTopic, poolId, wordOf(token0), wordOf(token1)],
        encode(['uint24', 'uint160', 'int24'], [500, sqrtPriceX96, tick]),
      ),
    funded: (tickLower: number, tickUpper: number, liquidityDelta: bigint): RawLog =>
      write(
        [fundedTopic, id],
        encode(['int24', 'int24', 'int256'], [tickLower, tickUpper, liquidityDelta]),
      ),
    repriced: (lpFee: number): RawLog => write([repricedTopic, id], encode(['uint24'], [lpFee])),
    traded: (
      amounts: readonly [bigint, bigint],
      state: { readonly sqrtPriceX96: bigint; readonly liquidity: bigint; readonly tick: number },
    ): RawLog =>
      write(
        [tradedTopic, id],
        encode(
          ['int256', 'int256', 'uint160', 'uint128', 'int24'],
          [...amounts, state.sqrtPriceX96, state.liquidity, state.tick],
        ),
      ),
  }
}

const opened = eventDecoder({
  topic: openedTopic,
  name: 'Opened',
  indexed: 3,
  words: 3,
  read: ({ topics, data }) => ({
    poolId: hashAt(topics[1], 0),
    token0: addressAt(topics[2], 0),
    token1: addressAt(topics[3], 0),
    fee: uint24At(data, 0),
    sqrtPriceX96: uint160At(data, 1),
    tick: int24At(data, 2),
  }),
  toEvent: ({ poolId, sqrtPriceX96, tick, ...key }, { address, at }) => ({
    kind: 'created',
    poolId,
    at,
    protocol: 'sample',
    venue: address,
    key: { ...key, tickSpacing: 10, hooks: null },
    initial: { sqrtPriceX96, tick },
  }),
})

const traded = eventDecoder({
  topic: tradedTopic,
  name: 'Traded',
  indexed: 1,
  words: 5,
  read: ({ topics, data }) => ({
    poolId: hashAt(topics[1], 0),
    amount0: int256At(data, 0),
    amount1: int256At(data, 1),
    sqrtPriceX96: uint160At(data, 2),
    liquidity: uint128At(data, 3),
    tick: int24At(data, 4),
  }),
  toEvent: (fields, { at }) => ({
    kind: 'swapped',
    at,
    ...fields,
    fee: null,
    sender: nativeAddress,
    recipient: null,
  }),
})

const funded = eventDecoder({
  topic: fundedTopic,
  name: 'Funded',
  indexed: 1,
  words: 3,
  read: ({ topics, data }) => ({
    poolId: hashAt(topics[1], 0),
    tickLower: int24At(data, 0),
    tickUpper: int24At(data, 1),
    liquidityDelta: int256At(data, 2),
  }),
  toEvent: (fields, { at }) => ({
    kind: 'liquidity-changed',
    at,
    ...fields,
    owner: null,
    sender: null,
    salt: null,
  }),
})

export const sampleProtocol: Protocol = {
  id: 'sample',
  version: 'v4',
  name: 'Sample',
  creationEvents: toDecoders([{ ...opened, tokenTopics: [2, 3] }]),
  poolEvents: toDecoders([traded, funded, repriced]),
  emitter: 'singleton',
  protocolFee: 'unknown',
  hasPriceAtCreation: true,
  fee: 'state',
  logsLpFee: true,
  swapFee: 'pool',
  hasSettings: false,
  swapStops: 'words',
  hasFeesAtCreation: true,
  swapTopic: tradedTopic,
  liquidityTopics: [fundedTopic],
  computeId: ({ token0, token1 }) => samplePoolId(token0, token1),
  invalidIdReason: 'the id of a sample pool is not the hash of its tokens',
  stateCalls: (id, stateView) =>
    stateView && [
      { to: stateView, data: `${slot0Selector}${id.slice(2)}` },
      { to: stateView, data: `${liquiditySelector}${id.slice(2)}` },
    ],
  stateCallNames: ['price(bytes32)', 'liquidity(bytes32)'],
  decodeState: slot0Decoder(3, (slot0) => ({ lpFee: uint24At(slot0, 2), protocolFee: 0 })),
  storage: { pools: 1n, slot0: 0n, liquidity: 1n, ticks: 2n, bitmap: 3n },
  listsPools: null,
  network: {
    key: 'sample',
    addressKey: 'hub',
    takes: ['stateView'],
    noun: 'sample hub',
    contracts: ({ address }) => [
      { key: 'hub', address, probe: { name: 'sample hub', data: '0xa6a6a6a6', answerBytes: 32 } },
    ],
  },
}
