import type { ChainLog } from '../chain/log.ts'
import { hasWords, int256At, uint256At } from '../dex/abi-words.ts'
import type { EventPosition } from '../pool/pool-event.ts'
import type { Address, Hash, UnixSeconds } from '../units.ts'

/** ERC-8056 UIMultiplierUpdated(uint256, uint256, uint256), none indexed. */
export const multiplierUpdatedTopic: Hash =
  '0x2205df4534432b2f60654a3fdb48737ffdaf3e9edb1a498bd985bc026b15b055'
/** Chainlink's AnswerUpdated(int256 indexed, uint256 indexed, uint256) (AggregatorInterface). */
export const answerUpdatedTopic: Hash =
  '0x0559884fd3a460db3073b7fc896cc77986f16e378210ded43186175bf646fc5f'

/**
 * A multiplier was announced for `effectiveTs`, when it takes effect without another event; at or
 * before the event's own time it is in force at once. The same change may be announced again.
 */
export type MultiplierUpdated = {
  readonly kind: 'multiplier-updated'
  readonly token: Address
  /** 1e18 fixed point. */
  readonly oldMultiplier: bigint
  readonly newMultiplier: bigint
  readonly effectiveTs: UnixSeconds
}

/** A price feed got a new answer. The emitter is the feed's aggregator, not its proxy. */
export type AnswerUpdated = {
  readonly kind: 'answer-updated'
  readonly aggregator: Address
  /** In the feed's decimals, and not yet judged: it may be zero or negative. */
  readonly answer: bigint
  readonly roundId: bigint
  /** The publisher's clock. */
  readonly updatedTs: UnixSeconds
}

export type StockEvent = { readonly at: EventPosition } & (MultiplierUpdated | AnswerUpdated)

/** A log with one of these topics: its event, or the reason why the log is invalid. */
export type DecodedStockEvent =
  | { readonly ok: true; readonly event: StockEvent }
  | { readonly ok: false; readonly reason: string }

const invalid = (reason: string): DecodedStockEvent => ({ ok: false, reason })

const decoded = (log: ChainLog, body: MultiplierUpdated | AnswerUpdated): DecodedStockEvent => {
  const { block, blockHash, ts, txHash, txIndex, logIndex } = log
  return { ok: true, event: { at: { block, blockHash, ts, txHash, txIndex, logIndex }, ...body } }
}

const timeMax = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Accepts only the layout of the tokens: another contract may index some arguments under the same
 * topic, which makes the words ambiguous.
 */
const decodeMultiplierUpdated = (log: ChainLog): DecodedStockEvent => {
  const data = hasWords(log, 0, 3) ? log.data : undefined
  const oldMultiplier = uint256At(data, 0)
  const newMultiplier = uint256At(data, 1)
  const effectiveAt = uint256At(data, 2)
  if (oldMultiplier === null || newMultiplier === null || effectiveAt === null)
    return invalid('UIMultiplierUpdated: not the shape of this event')
  if (effectiveAt > timeMax) return invalid('UIMultiplierUpdated: effectiveAt is no time')
  return decoded(log, {
    kind: 'multiplier-updated',
    token: log.address,
    oldMultiplier,
    newMultiplier,
    effectiveTs: Number(effectiveAt),
  })
}

const decodeAnswerUpdated = (log: ChainLog): DecodedStockEvent => {
  const [, current, round] = hasWords(log, 2, 1) ? log.topics : []
  const answer = int256At(current, 0)
  const roundId = uint256At(round, 0)
  const updatedAt = uint256At(log.data, 0)
  if (answer === null || roundId === null || updatedAt === null)
    return invalid('AnswerUpdated: not the shape of this event')
  if (updatedAt > timeMax) return invalid('AnswerUpdated: updatedAt is no time')
  return decoded(log, {
    kind: 'answer-updated',
    aggregator: log.address,
    answer,
    roundId,
    updatedTs: Number(updatedAt),
  })
}

const decoders: ReadonlyMap<string, (log: ChainLog) => DecodedStockEvent> = new Map([
  [multiplierUpdatedTopic, decodeMultiplierUpdated],
  [answerUpdatedTopic, decodeAnswerUpdated],
])

/**
 * Returns null if the first topic is another; never throws. The caller checks that the emitter is a
 * known token or aggregator.
 */
export const decodeStockEvent = (log: ChainLog): DecodedStockEvent | null =>
  decoders.get(log.topics[0] ?? '')?.(log) ?? null
