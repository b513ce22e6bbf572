import type { ChainLog } from '../chain/log.ts'
import type { EventPosition, PoolEvent, PoolVersion } from '../pool/pool-event.ts'
import type { Address, Hash } from '../units.ts'
import { hasWords } from './abi-words.ts'

/** A log that carries one of our topics: the event, or why it is none. */
export type DecodedEvent =
  | { readonly ok: true; readonly event: PoolEvent }
  | { readonly ok: false; readonly reason: string }

/**
 * All that the service needs to know of a DEX. A topic proves nothing about the emitter: other
 * venues emit the same ones, so whoever decodes must also look at `ChainLog.address`.
 */
export type Protocol = {
  readonly id: string
  readonly version: PoolVersion
  /** The first topics of every log that changes a pool's price, principal or existence. */
  readonly topics: readonly Hash[]
  /** Total: null if the first topic is none of `topics`, never an exception. */
  readonly decode: (log: ChainLog) => DecodedEvent | null
  /** Whether each pool is a contract that emits its own events, or one contract emits all. */
  readonly emitter: 'pool' | 'singleton'
  readonly creationTopic: Hash
  /** Of the logs that change the liquidity map, and of nothing else. */
  readonly liquidityTopics: readonly Hash[]
  /** Where a creation log's topics hold token0 and token1: what discovery filters by. */
  readonly creationTokenTopics: readonly [number, number]
}

const positionOf = ({ block, blockHash, ts, txHash, logIndex }: ChainLog): EventPosition => ({
  block,
  blockHash,
  ts,
  txHash,
  logIndex,
})

type Fields = Readonly<Record<string, unknown>>

type Complete<T> = { readonly [Name in keyof T]: NonNullable<T[Name]> }

const isComplete = <T extends Fields>(fields: T): fields is T & Complete<T> => {
  for (const name in fields) if (fields[name] === null) return false
  return true
}

const refused = (reason: string): DecodedEvent => ({ ok: false, reason })

/** One event of a DEX, by its first topic. */
export type EventDecoder = {
  readonly topic: Hash
  readonly decode: (log: ChainLog) => DecodedEvent
}

/** The decoder refuses a log of another shape, or with a word that is no value of its type. */
export const eventDecoder = <T extends Fields>(definition: {
  readonly topic: Hash
  readonly name: string
  /** Arguments that are topics, and words of data. */
  readonly indexed: number
  readonly words: number
  /** The arguments; null where a word is no value of its type. */
  readonly read: (log: ChainLog) => T
  readonly toEvent: (
    fields: Complete<T>,
    from: { readonly address: Address; readonly at: EventPosition },
  ) => PoolEvent
}): EventDecoder => {
  const { topic, name, indexed, words, read, toEvent } = definition
  const decode = (log: ChainLog): DecodedEvent => {
    if (!hasWords(log, indexed, words)) return refused(`${name}: not the shape of this event`)
    const fields = read(log)
    if (isComplete(fields)) {
      return { ok: true, event: toEvent(fields, { address: log.address, at: positionOf(log) }) }
    }
    const field = Object.keys(fields).find((key) => fields[key] === null)
    return refused(`${name}: ${field} is no value of its type`)
  }
  return { topic, decode }
}

/** What a protocol's definition says of its events. */
export const combineDecoders = (
  events: readonly EventDecoder[],
): Pick<Protocol, 'topics' | 'decode'> => {
  const byTopic = new Map(events.map((event) => [event.topic, event]))
  return {
    topics: [...byTopic.keys()],
    decode: (log) => byTopic.get(log.topics[0] ?? '0x')?.decode(log) ?? null,
  }
}
