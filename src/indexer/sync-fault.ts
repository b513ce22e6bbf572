import type { RpcFault } from '../ports/chain-reader.ts'
import type { Logger } from '../ports/runtime.ts'
import type { StepResult } from '../util/loop.ts'
import type { SourceReport } from './enrich/source-report.ts'

/** Why the index did not go on. */
export type SyncFault =
  | RpcFault
  /** A block that the chain called final is no longer part of it: only an operator can decide. */
  | { readonly kind: 'finality-violated'; readonly detail: string }
  /** The chain has left the end of a first reading before anything was settled. */
  | { readonly kind: 'reading-left'; readonly detail: string }

export const describeFault = (fault: { readonly kind: string; readonly detail: string }): string =>
  `${fault.kind}: ${fault.detail}`

/** After a fault the next try waits this long unless the node said how long. */
export const faultWaitMs = 1000
/** A node's own wish is believed from a second up to a minute. */
const retryAfterMinSeconds = 1
const retryAfterMaxSeconds = 60
/** Nobody else mends it, and a node that was mistaken may think better of it. */
const violationWaitMs = 10_000

export const retryDelayMs = (fault: SyncFault): number => {
  if (fault.kind === 'finality-violated') return violationWaitMs
  if (fault.kind !== 'rate-limited' || fault.retryAfterSeconds === null) return faultWaitMs
  const seconds = Math.max(fault.retryAfterSeconds, retryAfterMinSeconds)
  return Math.min(seconds, retryAfterMaxSeconds) * 1000
}

/** Tells of a fault and says when to try again; what was read so far is kept. */
export const createOnFault =
  ({ report, logger }: { readonly report: SourceReport; readonly logger: Logger }) =>
  async (fault: RpcFault): Promise<StepResult> => {
    const { kind, detail } = fault
    await report.failure(describeFault(fault))
    logger.warn('The past could not be read; it is tried again', { kind, detail })
    return { waitMs: retryDelayMs(fault) }
  }
