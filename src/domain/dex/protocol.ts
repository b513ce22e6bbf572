import type { ChainLog } from '../chain/log.ts'
import type { EventPosition, PoolEvent, PoolKey, PoolVersion } from '../pool/pool-event.ts'
import type { ContractFees } from '../pool/pool-state.ts'
import type { Address, Hash, Hex, PoolId, ProtocolId } from '../units.ts'
import {
  hasWords,
  int24At,
  parseWords,
  uint24At,
  uint128At,
  uint160At,
  type Words,
} from './abi-words.ts'
import type { Keccak256 } from './pool-id.ts'
import type { Venue } from './venue.ts'

/** A pool's state as its contract reports it at one block. */
export type ContractState = {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  /** Null where the fee of the key is all that a trader pays. */
  readonly fees: ContractFees | null
}

export type StateCall = { readonly to: Address; readonly data: Hex }

/** The calls of a pool's state: slot0, liquidity and, of some protocols, the fee. */
export type StateCalls = readonly [StateCall, StateCall, ...StateCall[]]

/** Return data of the state calls; no `fee` if there is no such call, or it failed. */
export type StateAnswers = { readonly slot0: Hex; readonly liquidity: Hex; readonly fee?: Hex }

/** A log with a registered topic: its event, or the reason why the log is invalid. */
export type DecodedEvent =
  | { readonly ok: true; readonly event: PoolEvent }
  | { readonly ok: false; readonly reason: string }

/** What the id of a pool follows from, besides its key. */
export type VenueProof = Pick<
  Venue,
  'address' | 'initCodeHash' | 'poolDeployer' | 'poolImplementation'
>

/** First topics of logs with their decoders. */
export type EventDecoders = ReadonlyMap<Hash, EventDecoder>

/**
 * Everything that the service needs to know about a DEX. Forks emit the same topics, so the emitter
 * of a log decides its protocol (`decodePoolLog`), and only then its topic the event.
 */
export type Protocol = {
  readonly id: ProtocolId
  /** For people; that of its venues without a name of their own. */
  readonly name: string
  readonly version: PoolVersion
  /** Logs of a venue that create a pool. */
  readonly creationEvents: ReadonlyMap<Hash, CreationDecoder>
  /** Logs that change a pool's price, principal or fees. */
  readonly poolEvents: EventDecoders
  /** Logs of a venue that change one of its pools; only where pools emit their own events. */
  readonly venueEvents?: EventDecoders
  /** Whether each pool is a contract that emits its own events, or its venue emits all. */
  readonly emitter: 'pool' | 'singleton'
  /** Whether a pool is created with its price, or gets it by a later event. */
  readonly hasPriceAtCreation: boolean
  /**
   * What a trader pays: `key` is the fee of the pool's key for good; `state` the fees that the
   * contract holds, which events or a hook change.
   */
  readonly fee: 'key' | 'state'
  /**
   * Whether each change of the LP fee has a log (`lp-fee-set`), also that of a pool whose key says
   * that its fee is dynamic. Otherwise only reads show a dynamic fee.
   */
  readonly logsLpFee: boolean
  /** Whether the log of a swap has its fee, or the fee that the pool has then is the swap's. */
  readonly swapFee: 'log' | 'pool'
  /** Whether logs set and change the tick spacing and the plugin (`PoolSettings`). */
  readonly hasSettings: boolean
  /**
   * Where a swap stops at the latest: at the end of each word of the tick bitmap, or only at the
   * next tick with positions. Each stop rounds.
   */
  readonly swapStops: 'words' | 'ticks'
  /**
   * How the protocol's part of a swap's fee is known (docs/methodology.md §14). `quotient`: one
   * part in so many of the fee, of each token. `thousandths`: of the fee. `logged-amount`: the log
   * of the swap has the amount. `of-input`: a fee of its own beside the LP fee.
   */
  readonly protocolFee: 'quotient' | 'thousandths' | 'logged-amount' | 'of-input' | 'unknown'
  /** Whether a pool is created without a protocol fee, so that its fees follow from its key. */
  readonly hasFeesAtCreation: boolean
  readonly swapTopic: Hash
  /** First topics of the logs that change the tick map or the settings, and of no others. */
  readonly liquidityTopics: readonly Hash[]
  /**
   * The id that follows from a pool's key and venue (docs/methodology.md §1); null if none does,
   * and only the log of the venue names it.
   */
  readonly computeId: (key: PoolKey, venue: VenueProof, keccak256: Keccak256) => PoolId | null
  /** Why a creation log with another id is rejected. */
  readonly invalidIdReason: string
  /** Signatures of the calls that read a pool's price and liquidity. */
  readonly stateCallNames: readonly [string, string]
  /** The calls of a pool's state; null if they require a StateView and there is none. */
  readonly stateCalls: (id: PoolId, stateView: Address | null) => StateCalls | null
  /** Returns null if the answers do not have the shape of a pool's state. */
  readonly decodeState: (answers: StateAnswers) => ContractState | null
  /** By the hash of the pools' creation code where builds of the contracts differ. */
  readonly storage: PoolStorage | ((initCodeHash: Hash | null) => PoolStorage | null)
  /** How the coverage audit asks a venue for its pools; null if no contract lists them. */
  readonly listsPools: PoolListing | null
  readonly network: ProtocolNetwork
}

/** Calls of a factory that return its pools. */
export type PoolListing = {
  /** Selector of `getPool(token, token, key)`: the pool's address, or zero. */
  readonly pool: Hex
  /** The fees or tick spacings that may be a key, of which each factory enables some. */
  readonly keys: readonly number[]
  /** Selector of a call that answers zero for a key that is not enabled. */
  readonly enabled: Hex
}

/** Variables of a pool in its contract's storage, in words after its first one. */
export type PoolStorage = {
  /** Slot of the mapping from ids to pools; null where the pool is the contract. */
  readonly pools: bigint | null
  /** √price and tick in the lowest bits. */
  readonly slot0: bigint
  readonly liquidity: bigint
  /** Lowest bit of the liquidity in its word; 0 unless other variables come first. */
  readonly liquidityBit?: number
  readonly ticks: bigint
  /** Of ticks that have positions; null where each of them names the next one instead. */
  readonly bitmap: bigint | null
}

/** How a network file names the venues of a protocol. */
export type ProtocolNetwork = {
  /** Key of the list of venues, which a file without any may leave out. */
  readonly key: string
  /** Key of a venue's address. */
  readonly addressKey: string
  /** Keys that a venue has besides its address, its start block and perhaps its name. */
  readonly takes: readonly ('initCodeHash' | 'poolDeployer' | 'poolImplementation' | 'stateView')[]
  /** What an operator calls the contract at the address. */
  readonly noun: string
  /** The contracts of a venue, each with a call that only the right one answers. */
  readonly contracts: (
    venue: Pick<Venue, 'address' | 'poolDeployer' | 'poolImplementation' | 'stateView'>,
  ) => readonly ProbedContract[]
}

/** A call of a contract that shows whether it is the right one. */
export type Probe = {
  /** What the right contract is called. */
  readonly name: string
  readonly data: Hex
  /** Length of the return data. */
  readonly answerBytes: number
  /** The address that the answer must be, and what is wrong with another one. */
  readonly expected?: { readonly address: Address; readonly otherwise: string }
  /** What an answer proves, where the right contract has no such function. */
  readonly unexpected?: string
}

export type ProbedContract = {
  /** Of the venue in the network file. */
  readonly key: string
  readonly address: Address
  readonly probe: Probe
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

/** Decodes creation logs, and says at which topics they have token0 and token1: for filters. */
export type CreationDecoder = EventDecoder & { readonly tokenTopics: readonly [number, number] }

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

export const toDecoders = <Decoder extends EventDecoder>(
  events: readonly Decoder[],
): ReadonlyMap<Hash, Decoder> => new Map(events.map((event) => [event.topic, event]))

/** Decodes a log of a pool or a venue of this protocol; null for another topic. Never throws. */
export const decodeLog = (
  { creationEvents, poolEvents, venueEvents }: Protocol,
  log: ChainLog,
): DecodedEvent | null => {
  const topic = log.topics[0] ?? '0x'
  const decoder = poolEvents.get(topic) ?? venueEvents?.get(topic) ?? creationEvents.get(topic)
  return decoder?.decode(log) ?? null
}

/** First topics of the logs that change a pool. */
export const changeTopicsOf = ({ poolEvents, venueEvents }: Protocol): readonly Hash[] => [
  ...poolEvents.keys(),
  ...(venueEvents?.keys() ?? []),
]

/** First topics of all logs that the protocol reads. */
export const topicsOf = (protocol: Protocol): readonly Hash[] => [
  ...protocol.creationEvents.keys(),
  ...changeTopicsOf(protocol),
]

/** First topics of all logs of a pool: a singleton emits its creation like its other events. */
export const poolTopicsOf = (protocol: Protocol): readonly Hash[] =>
  protocol.emitter === 'pool' ? changeTopicsOf(protocol) : topicsOf(protocol)

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

/** Adds the fee that the third call returns in one word; unknown if it returns another answer. */
export const withFeeCall =
  (decodeState: Protocol['decodeState']): Protocol['decodeState'] =>
  (answers) => {
    const state = decodeState(answers)
    const words = parseWords(answers.fee ?? '0x', 1)
    const lpFee = words && uint24At(words, 0)
    const fees = lpFee === null ? null : { lpFee, protocolFee: 0 }
    return state && { ...state, fees }
  }
