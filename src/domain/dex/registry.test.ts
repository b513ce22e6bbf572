import fc from 'fast-check'
import {
  type AbiEvent,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  parseAbiItem,
  toEventHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { algebraIntegralFixture } from '../../../test/support/domain/algebra-integral-fixture.ts'
import type { EventArguments, ProtocolFixture } from '../../../test/support/domain/dex-fixture.ts'
import { pancakeswapInfinityFixture } from '../../../test/support/domain/pancakeswap-infinity-fixture.ts'
import { pancakeswapV3Fixture } from '../../../test/support/domain/pancakeswap-v3-fixture.ts'
import { ramsesV3Fixture } from '../../../test/support/domain/ramses-v3-fixture.ts'
import { slipstreamFixture } from '../../../test/support/domain/slipstream-fixture.ts'
import { uniswapV3Fixture } from '../../../test/support/domain/uniswap-v3-fixture.ts'
import { uniswapV4Fixture } from '../../../test/support/domain/uniswap-v4-fixture.ts'
import type { ChainLog } from '../chain/log.ts'
import type { Hash, Hex } from '../units.ts'
import { decodeLog, type Protocol, topicsOf } from './protocol.ts'
import { protocols } from './registry.ts'

const fixtures: Readonly<Record<string, ProtocolFixture>> = {
  'uniswap-v3': uniswapV3Fixture,
  'uniswap-v4': uniswapV4Fixture,
  'pancakeswap-v3': pancakeswapV3Fixture,
  slipstream: slipstreamFixture,
  'ramses-v3': ramsesV3Fixture,
  'algebra-integral': algebraIntegralFixture,
  'pancakeswap-infinity-cl': pancakeswapInfinityFixture,
}

type Case = { dex: Protocol; fixture: ProtocolFixture }
const cases = protocols.map((dex): [string, Case] => {
  const fixture = fixtures[dex.id]
  if (fixture === undefined) throw new Error(`${dex.id} has no fixture`)
  return [dex.id, { dex, fixture }]
})

const abiOf = ({ declarations }: ProtocolFixture): AbiEvent[] =>
  declarations.map((declaration) => parseAbiItem([declaration]) as unknown as AbiEvent)

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const anyHex = (bytes: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(hexOf)

const bitsOf = (type: string): bigint => BigInt(type.replace(/\D/g, ''))

/** Any value of an ABI type, as viem takes and returns it. */
const anyOf = (type: string): fc.Arbitrary<unknown> => {
  if (type === 'address') return anyHex(20)
  if (type === 'bytes32') return anyHex(32)
  const bits = bitsOf(type)
  const signed = type.startsWith('int')
  const integers = signed
    ? fc.bigInt(-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n)
    : fc.bigInt(0n, (1n << bits) - 1n)
  return bits <= 48n ? integers.map(Number) : integers
}

const anyArguments = (event: AbiEvent): fc.Arbitrary<EventArguments> =>
  fc.record(
    Object.fromEntries(event.inputs.map(({ name = '', type }) => [name, anyOf(type)])),
  ) as fc.Arbitrary<unknown> as fc.Arbitrary<EventArguments>

const logOf = (event: AbiEvent, args: Readonly<Record<string, unknown>>, base: ChainLog) => {
  const plain = event.inputs.filter((input) => !input.indexed)
  return {
    ...base,
    topics: encodeEventTopics({ abi: [event], args }) as Hash[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ name = '' }) => args[name]),
    ),
  } satisfies ChainLog
}

/** viem writes addresses with a checksum; the service keeps them in lowercase. */
const lowercased = (args: Readonly<Record<string, unknown>>): EventArguments =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toLowerCase() : value,
    ]),
  ) as unknown as EventArguments

/** The word with its first bit flipped: no value of any type that is narrower than a word. */
const withDirtyWord = (data: Hex, index: number): Hex => {
  const at = 2 + 64 * index
  const first = Number.parseInt(data[at] ?? '0', 16) ^ 8
  return `${data.slice(0, at)}${first.toString(16)}${data.slice(at + 1)}` as Hex
}

describe('the registry', () => {
  it('gives each DEX its own id and its own key of the network file', () => {
    expect(new Set(protocols.map(({ id }) => id)).size).toBe(protocols.length)
    expect(new Set(protocols.map(({ network }) => network.key)).size).toBe(protocols.length)
  })
})

describe.each(cases)('%s', (_, { dex, fixture }) => {
  const events = abiOf(fixture)
  const { log: swapLog, event: swapEvent } = fixture.swap

  it('decodes the events that it declares and no others', () => {
    expect([...topicsOf(dex)].sort()).toEqual(events.map((event) => toEventHash(event)).sort())
    expect(new Set(Object.keys(fixture.expectedEvents))).toEqual(
      new Set(events.map(({ name }) => name)),
    )
  })

  it('finds both tokens of a creation at the topics that discovery filters by', () => {
    for (const { topic, tokenTopics } of dex.creationEvents.values()) {
      const creation = events.find((event) => toEventHash(event) === topic)
      const indexed = creation?.inputs.filter((input) => input.indexed).map(({ name }) => name)
      expect(tokenTopics.map((position) => indexed?.[position - 1])).toEqual(
        dex.version === 'v3' ? ['token0', 'token1'] : ['currency0', 'currency1'],
      )
    }
  })

  it('reads a recorded swap with the signs of the pool', () => {
    expect(decodeLog(dex, swapLog)).toEqual({ ok: true, event: swapEvent })
  })

  it.each(events.map((event) => [event.name, event] as const))(
    'reads any %s as viem does',
    (name, event) => {
      fc.assert(
        fc.property(anyArguments(event), anyHex(20), (args, address) => {
          const log = logOf(event, args, { ...swapLog, address })
          const { args: decoded } = decodeEventLog({
            abi: [event],
            topics: log.topics as [Hash, ...Hash[]],
            data: log.data,
          })
          const meaning = fixture.expectedEvents[name]?.(lowercased(decoded ?? {}), log)
          expect(decodeLog(dex, log)).toEqual({
            ok: true,
            event: { ...meaning, at: swapEvent.at },
          })
        }),
        { numRuns: 300 },
      )
    },
  )

  it.each([
    ['no topics', { topics: [] }, null],
    ['a foreign topic', { topics: [`0x${'0'.repeat(64)}` as const] }, null],
    ['a topic too few', { topics: swapLog.topics.slice(0, -1) }, 'not the shape'],
    ['a topic too many', { topics: [...swapLog.topics, swapLog.topics[1] as Hash] }, 'shape'],
    [
      'a topic cut short',
      { topics: swapLog.topics.map((t, i) => (i ? `0x${t.slice(4)}` : t)) },
      'shape',
    ],
    ['no data', { data: '0x' }, 'shape'],
    ['a word too few', { data: swapLog.data.slice(0, -64) }, 'shape'],
    ['a word too many', { data: `${swapLog.data}${'0'.repeat(64)}` }, 'shape'],
    ['half a byte too few', { data: swapLog.data.slice(0, -1) }, 'shape'],
    ['data without its prefix', { data: `00${swapLog.data.slice(2)}` }, 'shape'],
    [
      'an address with dirty padding',
      { topics: swapLog.topics.map((t, i) => (i === 2 ? `0xff${t.slice(4)}` : t)) },
      'is no value of its type',
    ],
    [
      'a √price of more than 160 bits',
      { data: withDirtyWord(swapLog.data, 2) },
      'sqrtPriceX96 is no value of its type',
    ],
    [
      'a liquidity of more than 128 bits',
      { data: withDirtyWord(swapLog.data, 3) },
      'liquidity is no value of its type',
    ],
    [
      'a tick without its sign extension',
      { data: withDirtyWord(swapLog.data, 4) },
      'tick is no value of its type',
    ],
  ])('answers a swap with %s without an exception', (_case, wrong, reason) => {
    const decoded = decodeLog(dex, { ...swapLog, ...wrong } as ChainLog)
    if (reason === null) expect(decoded).toBe(null)
    else expect(decoded).toEqual({ ok: false, reason: expect.stringContaining(reason) })
  })

  // That a log is made of lowercase hexadecimal is the door's business (src/rpc/parse-log.ts).
  it('never throws, whatever a log is made of', () => {
    const anyText = fc.oneof(
      fc.constant<Hex>('0x'),
      fc.uint8Array({ maxLength: 320 }).map(hexOf),
      fc.nat(8).chain((words) => anyHex(32 * words)),
    )
    const anyTopics = fc
      .tuple(fc.constantFrom(...topicsOf(dex)), fc.array(fc.oneof(anyHex(32), anyText)))
      .map(([first, others]) => [first, ...others])
    fc.assert(
      fc.property(fc.oneof(anyTopics, fc.array(anyText)), anyText, (topics, data) => {
        const decoded = decodeLog(dex, { ...swapLog, topics, data } as ChainLog)
        const isOurs = topicsOf(dex).some((topic) => topic === topics[0])
        expect(decoded === null).toBe(!isOurs)
      }),
      { numRuns: 2000 },
    )
  })
})
