import type { ChainLog } from '../chain/log.ts'
import type { EventPosition, PoolCreated, PoolEvent, PoolVersion } from '../pool/pool-event.ts'
import type { ContractFees } from '../pool/pool-state.ts'
import type { Address, Hash, Hex, PoolId } from '../units.ts'
import { hasWords, int24At, parseWords, uint128At, uint160At, type Words } from './abi-words.ts'
import type { Keccak256 } from './pool-id.ts'

/** A pool's state as its contract reports it at one block. */
export type ContractState = {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  /** Null where the fee of the key is all that a trader pays. */
  readonly fees: ContractFees | null
}

export type StateCall = { readonly to: Address; readonly data: Hex }

/** Return data of the two state calls, in their order. */
export type StateAnswers = { readonly slot0: Hex; readonly liquidity: Hex }

/** A log with a registered topic: its event, or the reason why the log is invalid. */
export type DecodedEvent =
  | { readonly ok: true; readonly event: PoolEvent }
  | { readonly ok: false; readonly reason: string }

/**
 * Everything that the service needs to know about a DEX. A topic proves nothing about the emitter:
 * other venues emit the same topics, so the caller must also check `ChainLog.address`.
 */
export type Protocol = {
  readonly id: string
  readonly version: PoolVersion
  /** First topics of the logs that create a pool or change its price, principal or fees. */
  readonly topics: readonly Hash[]
  /** Returns null if the first topic is not one of `topics`; never throws. */
  readonly decode: (log: ChainLog) => DecodedEvent | null
  /** Whether each pool is a contract that emits its own events, or one contract emits all. */
  readonly emitter: 'pool' | 'singleton'
  readonly creationTopic: Hash
  /** First topics of the logs that change the tick map, and of no others. */
  readonly liquidityTopics: readonly Hash[]
  /** Topic positions of token0 and token1 in a creation log; discovery filters by them. */
  readonly creationTokenTopics: readonly [number, number]
  /**
   * Whether the id of a created pool follows from its key and venue (docs/methodology.md §1).
   * `initCodeHash` is null where the network names none for the venue.
   */
  readonly hasValidId: (
    created: Pick<PoolEvent, 'poolId'> & PoolCreated,
    deps: { readonly keccak256: Keccak256; readonly initCodeHash: Hash | null },
  ) => boolean
  /** Why a creation log whose id is not valid is rejected. */
  readonly invalidIdReason: string
  /** The two calls that read a pool's state; null if they require a StateView and there is none. */
  readonly stateCalls: (
    id: PoolId,
    stateView: Address | null,
  ) => readonly [StateCall, StateCall] | null
  /** Returns null if the answers do not have the shape of a pool's state. */
  readonly decodeState: (answers: StateAnswers) => ContractState | null
}

const eventPosition = (log: ChainLog): EventPosition => ({
  block: log.block,
  blockHash: log.blockHash,
  ts: log.ts,
  txHash: log.txHash,
  txIndex: log.txIndex,
  logIndex: log.logIndex,
})

type Fields = Readonly<Record<string, unknown>>

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null }

type Complete<T> = { readonly [Name in keyof T]: NonNullable<T[Name]> }

const hasAllFields = <T extends Fields>(fields: T): fields is T & Complete<T> => {
  for (const name in fields) if (fields[name] === null) return false
  return true
}

const invalid = (reason: string): DecodedEvent => ({ ok: false, reason })

/** Decodes the logs of one event. */
export type EventDecoder = {
  readonly topic: Hash
  readonly decode: (log: ChainLog) => DecodedEvent
}

/** The decoder rejects logs of another shape and words that are not values of their type. */
export const eventDecoder = <T extends Fields>(definition: {
  readonly topic: Hash
  readonly name: string
  /** Number of indexed arguments, and number of data words. */
  readonly indexed: number
  readonly words: number
  /** Reads the arguments; null for a word that is not a value of its type. */
  readonly read: (log: ChainLog) => T
  readonly toEvent: (
    fields: Complete<T>,
    from: { readonly address: Address; readonly at: EventPosition },
  ) => PoolEvent
}): EventDecoder => {
  const { topic, name, indexed, words, read, toEvent } = definition
  const decode = (log: ChainLog): DecodedEvent => {
    if (!hasWords(log, indexed, words)) return invalid(`${name}: not the shape of this event`)
    const fields = read(log)
    if (hasAllFields(fields)) {
      return { ok: true, event: toEvent(fields, { address: log.address, at: eventPosition(log) }) }
    }
    const field = Object.keys(fields).find((key) => fields[key] === null)
    return invalid(`${name}: ${field} is no value of its type`)
  }
  return { topic, decode }
}

/** Combines event decoders into a protocol's `topics` and `decode`. */
export const combineDecoders = (
  events: readonly EventDecoder[],
): Pick<Protocol, 'topics' | 'decode'> => {
  const byTopic = new Map(events.map((event) => [event.topic, event]))
  return {
    topics: [...byTopic.keys()],
    decode: (log) => byTopic.get(log.topics[0] ?? '0x')?.decode(log) ?? null,
  }
}

/**
 * Decodes `slot0` answers of so many words, of which the first two are √price and tick, and
 * `liquidity` answers of one word. `readFees` returns the fees among the words, field by field.
 */
export const slot0Decoder =
  (
    slot0Words: number,
    readFees: ((slot0: Words) => Nullable<ContractFees>) | null = null,
  ): Protocol['decodeState'] =>
  (answers) => {
    const slot0 = parseWords(answers.slot0, slot0Words)
    const liquidityWord = parseWords(answers.liquidity, 1)
    const sqrtPriceX96 = slot0 && uint160At(slot0, 0)
    const tick = slot0 && int24At(slot0, 1)
    const liquidity = liquidityWord && uint128At(liquidityWord, 0)
    if (sqrtPriceX96 === null || tick === null || liquidity === null) return null
    if (readFees === null || slot0 === null) return { sqrtPriceX96, tick, liquidity, fees: null }
    const fees = readFees(slot0)
    return hasAllFields(fees) ? { sqrtPriceX96, tick, liquidity, fees } : null
  }
