import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { encodeAbiParameters, encodeEventTopics, parseAbi, toEventSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import type { ChainLog } from '../chain/log.ts'
import type { Hash, Hex } from '../units.ts'
import {
  answerUpdatedTopic,
  type DecodedStockEvent,
  decodeStockEvent,
  multiplierUpdatedTopic,
} from './onchain-events.ts'

const multiplierSignature = 'event UIMultiplierUpdated(uint256, uint256, uint256)'
const answerSignature =
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)'
const answerAbi = parseAbi([answerSignature])

const position = {
  block: 978_630,
  blockHash: `0x${'b'.repeat(64)}`,
  ts: 1_782_954_082,
  txHash: `0x${'c'.repeat(64)}`,
  txIndex: 2,
  logIndex: 7,
} as const
const emitter = `0x${'ea'.repeat(20)}` as const
const logOf = (topics: readonly Hash[], data: Hex): ChainLog => ({
  ...position,
  address: emitter,
  topics,
  data,
})

const uint256s = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }] as const
const multiplierLog = (old: bigint, next: bigint, effectiveAt: bigint): ChainLog =>
  logOf([multiplierUpdatedTopic], encodeAbiParameters(uint256s, [old, next, effectiveAt]))
const answerLog = (current: bigint, roundId: bigint, updatedAt: bigint): ChainLog =>
  logOf(
    encodeEventTopics({ abi: answerAbi, args: { current, roundId } }) as Hash[],
    encodeAbiParameters([{ type: 'uint256' }], [updatedAt]),
  )

const refused = (reason: string): DecodedStockEvent => ({ ok: false, reason })
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const int256 = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n })
const time = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

it('topics are the hashes of their signatures', () => {
  expect(multiplierUpdatedTopic).toBe(toEventSelector(multiplierSignature))
  expect(answerUpdatedTopic).toBe(toEventSelector(answerSignature))
})

describe('UIMultiplierUpdated', () => {
  /** test/golden/SOURCES.md */
  const recorded: readonly {
    symbol: string
    token: string
    oldMultiplier: string
    newMultiplier: string
    effectiveTs: number
  }[] = JSON.parse(
    readFileSync(
      new URL('../../../test/golden/data/multiplier-events.json', import.meta.url),
      'utf8',
    ),
  )

  it.each(recorded)('recorded: $symbol becomes $newMultiplier', (row) => {
    const old = BigInt(row.oldMultiplier)
    const next = BigInt(row.newMultiplier)
    const log = multiplierLog(old, next, BigInt(row.effectiveTs))
    expect(decodeStockEvent({ ...log, address: row.token as Hex })).toEqual({
      ok: true,
      event: {
        kind: 'multiplier-updated',
        at: position,
        token: row.token,
        oldMultiplier: old,
        newMultiplier: next,
        effectiveTs: row.effectiveTs,
      },
    })
  })

  it('is read back as it was encoded', () => {
    fc.assert(
      fc.property(uint256, uint256, time, (oldMultiplier, newMultiplier, effectiveTs) => {
        const log = multiplierLog(oldMultiplier, newMultiplier, BigInt(effectiveTs))
        const event = { oldMultiplier, newMultiplier, effectiveTs }
        expect(decodeStockEvent(log)).toMatchObject({ ok: true, event })
      }),
    )
  })

  it('is refused in another layout, or with a time beyond all clocks', () => {
    const log = multiplierLog(1n, 2n, 3n)
    const word = `0x${'0'.repeat(63)}1` as const
    const shape = refused('UIMultiplierUpdated: not the shape of this event')
    expect(decodeStockEvent({ ...log, topics: [...log.topics, word] })).toEqual(shape)
    expect(decodeStockEvent({ ...log, data: `${log.data}00` })).toEqual(shape)
    expect(decodeStockEvent({ ...log, data: '0x' })).toEqual(shape)
    const late = refused('UIMultiplierUpdated: effectiveAt is no time')
    expect(decodeStockEvent(multiplierLog(1n, 2n, 2n ** 53n))).toEqual(late)
  })
})

describe('AnswerUpdated', () => {
  it('is read back as it was encoded, whatever the sign', () => {
    fc.assert(
      fc.property(int256, uint256, time, (answer, roundId, updatedTs) => {
        expect(decodeStockEvent(answerLog(answer, roundId, BigInt(updatedTs)))).toEqual({
          ok: true,
          event: {
            kind: 'answer-updated',
            at: position,
            aggregator: emitter,
            answer,
            roundId,
            updatedTs,
          },
        })
      }),
    )
  })

  it('is refused in another layout, or with a time beyond all clocks', () => {
    const log = answerLog(1n, 2n, 3n)
    const shape = refused('AnswerUpdated: not the shape of this event')
    expect(decodeStockEvent({ ...log, topics: log.topics.slice(0, 2) })).toEqual(shape)
    expect(decodeStockEvent({ ...log, data: `${log.data}${'0'.repeat(64)}` })).toEqual(shape)
    const late = refused('AnswerUpdated: updatedAt is no time')
    expect(decodeStockEvent(answerLog(1n, 2n, 2n ** 53n))).toEqual(late)
  })
})

describe('the decoder is total', () => {
  it('knows its topics, and no other', () => {
    const log = multiplierLog(1n, 2n, 3n)
    expect(decodeStockEvent({ ...log, topics: [] })).toBeNull()
    expect(decodeStockEvent({ ...log, topics: [`0x${'0'.repeat(64)}`] })).toBeNull()
    expect(decodeStockEvent({ ...log, topics: ['0xconstructor'] })).toBeNull()
  })

  it('on any topics and any data', () => {
    const topic = fc.constantFrom(multiplierUpdatedTopic, answerUpdatedTopic)
    const junk = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), maxLength: 260 }),
      fc.uint8Array({ maxLength: 128 }).map((bytes) => Buffer.from(bytes).toString('hex')),
    )
    fc.assert(
      fc.property(topic, fc.array(junk, { maxLength: 4 }), junk, (first, rest, data) => {
        const topics = [first, ...rest.map((text) => `0x${text}` as Hash)]
        expect(decodeStockEvent(logOf(topics, `0x${data}`))).not.toBeNull()
      }),
      { numRuns: 2_000 },
    )
  })
})
