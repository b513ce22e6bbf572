import type { LogTimestamps } from './log-store.ts'

/** Faults of a whole response that the client can detect. */
export const errorKinds = ['reset', 'status-500', 'truncated', 'html', 'drip'] as const
export type ErrorKind = (typeof errorKinds)[number]

/** Logs are duplicated, reordered, or mixed with one of a replaced block. */
export const disturbances = ['duplicated', 'shuffled', 'removed'] as const
export type Disturbance = (typeof disturbances)[number]

/** The forms in which providers report a rate limit. */
export const rateKinds = ['status-429', 'status-429-retry-after', 'object-429', 'text-429'] as const
export type RateKind = (typeof rateKinds)[number]

/** Behavior of a node; every field can change while it runs. */
export type NodeBehavior = {
  readonly latencyMs: number
  /** Logs per response; a query that matches more fails with a provider's error text. */
  readonly logsMax: number
  /** Blocks per range; null for no limit. */
  readonly blocksMax: number | null
  /** Calls per batch; null for no limit. */
  readonly batchMax: number | null
  readonly errorPercent: number
  readonly ratePercent: number
  readonly retryAfterSeconds: number
  /** Share of log responses that are disturbed but complete. */
  readonly disturbPercent: number
  /** Share of log responses that silently omit one log. */
  readonly forgetPercent: number
  readonly chainId: number
  /** Newest blocks that the node has not seen. */
  readonly lag: number
  /** Blocks below the head that are not final; null if the node has no such tag. */
  readonly finalDepth: number | null
  readonly branch: 'main' | 'fork'
  /** The node resets every connection. */
  readonly isDead: boolean
}

/** Options that are fixed when the node starts. */
export type FixedNodeOptions = { readonly timestamps: LogTimestamps; readonly seed: number }

/** A node without faults. */
export const defaultNodeBehavior = (chainId: number): NodeBehavior => ({
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
