import type { ChainLog } from '../chain/log.ts'
import type { EventPosition, PoolEvent, PoolVersion } from '../pool/pool-event.ts'
import type { Hash } from '../units.ts'

/** A log that carries one of our topics: the event, or why it is none. */
export type Decoded =
  | { readonly ok: true; readonly event: PoolEvent }
  | { readonly ok: false; readonly reason: string }

/**
 * All that the service needs to know of a DEX. A topic proves nothing about the emitter: other
 * venues emit the same ones, so whoever decodes must also look at `ChainLog.address`.
 */
export type DexDefinition = {
  readonly id: string
  readonly version: PoolVersion
  /** The first topics of every log that changes a pool's price, principal or existence. */
  readonly topics: readonly Hash[]
  /** Total: null if the first topic is none of `topics`, never an exception. */
  readonly decode: (log: ChainLog) => Decoded | null
  /** Whether each pool is a contract that emits its own events, or one contract emits all. */
  readonly emitter: 'pool' | 'singleton'
  readonly creationTopic: Hash
  /** Of the logs that change the liquidity map, and of nothing else. */
  readonly liquidityTopics: readonly Hash[]
  /** Where a creation log's topics hold token0 and token1: what discovery filters by. */
  readonly creationTokenTopics: readonly [number, number]
}

export const positionOf = (log: ChainLog): EventPosition => ({
  block: log.block,
  blockHash: log.blockHash,
  ts: log.ts,
  txHash: log.txHash,
  logIndex: log.logIndex,
})

export const accepted = (event: PoolEvent): Decoded => ({ ok: true, event })

/** The log has another number of topics or words than the event. */
export const refusedShape = (eventName: string): Decoded => ({
  ok: false,
  reason: `${eventName}: not the shape of this event`,
})

type Fields = Readonly<Record<string, unknown>>

/** Names the first argument that is no value of its type. */
export const refusedField = (eventName: string, fields: Fields): Decoded => {
  const name = Object.keys(fields).find((key) => fields[key] === null)
  return { ok: false, reason: `${eventName}: ${name} is no value of its type` }
}

type Complete<T> = { readonly [Name in keyof T]: NonNullable<T[Name]> }

export const isComplete = <T extends Fields>(fields: T): fields is T & Complete<T> => {
  for (const name in fields) if (fields[name] === null) return false
  return true
}

type EventDecoder = (log: ChainLog) => Decoded

export const decoderOf =
  (decoders: ReadonlyMap<Hash, EventDecoder>) =>
  (log: ChainLog): Decoded | null => {
    const topic = log.topics[0]
    return (topic !== undefined && decoders.get(topic)?.(log)) || null
  }
