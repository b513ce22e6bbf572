import type { Stamps } from './log-book.ts'

/** What may go wrong with an answer, so that whoever asks can see that it did. */
export const errorKinds = ['reset', 'status-500', 'truncated', 'html', 'drip'] as const
export type ErrorKind = (typeof errorKinds)[number]

/** Logs that are told twice, in another order, or beside one of a block that was left. */
export const disturbances = ['duplicated', 'shuffled', 'removed'] as const
export type Disturbance = (typeof disturbances)[number]

/** The disguises of "too many requests". */
export const rateKinds = ['status-429', 'status-429-retry-after', 'object-429', 'text-429'] as const
export type RateKind = (typeof rateKinds)[number]

/** How a node behaves; all of it may be changed while it runs. */
export type Manners = {
  readonly latencyMs: number
  /** Logs of one answer; more are refused in a provider's words. */
  readonly logsMax: number
  /** Blocks of one range; null for any. */
  readonly blocksMax: number | null
  /** Calls of one request; null for any. */
  readonly batchMax: number | null
  readonly errorPercent: number
  readonly ratePercent: number
  readonly retryAfterSeconds: number
  /** Answers with logs that are confused, but tell all of it. */
  readonly disturbPercent: number
  /** Answers with logs from which one is missing, and nothing shows it. */
  readonly forgetPercent: number
  readonly chainId: number
  /** Blocks at the end that it has not seen. */
  readonly lag: number
  /** Blocks below its head that are not final; null: it knows no such thing. */
  readonly finalDepth: number | null
  readonly branch: 'main' | 'fork'
  /** Every request is refused by the connection. */
  readonly isDead: boolean
}

/** What can not be changed once the node has begun. */
export type NodeMaking = { readonly stamps: Stamps; readonly seed: number }

/** A node with which nothing is wrong. */
export const mannersDefault = (chainId: number): Manners => ({
  latencyMs: 0,
  logsMax: 10_000,
  blocksMax: null,
  batchMax: null,
  errorPercent: 0,
  ratePercent: 0,
  retryAfterSeconds: 1,
  disturbPercent: 0,
  forgetPercent: 0,
  chainId,
  lag: 0,
  finalDepth: 32,
  branch: 'main',
  isDead: false,
})
