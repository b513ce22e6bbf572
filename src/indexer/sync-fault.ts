import type { RpcFault } from '../ports/chain-reader.ts'
import type { Logger } from '../ports/runtime.ts'
import type { StepResult } from '../util/loop.ts'
import type { SourceReport } from './source-report.ts'

/** Why a sync step stopped. */
export type SyncFault =
  | RpcFault
  /** A block at or below the finalized cursor was replaced: an operator has to decide. */
  | { readonly kind: 'finality-violated'; readonly detail: string }
  /** The block at which the bootstrap ended was replaced before any block was finalized. */
  | { readonly kind: 'bootstrap-reorged'; readonly detail: string }

export const describeFault = (fault: { readonly kind: string; readonly detail: string }): string =>
  `${fault.kind}: ${fault.detail}`

/** Delay before a retry, unless the endpoint asks for another one. */
export const faultWaitMs = 1000
/** Bounds of the delay that a rate-limited endpoint may ask for. */
const retryAfterMinSeconds = 1
const retryAfterMaxSeconds = 60
/** Retried at all because the endpoint may have been wrong. */
const violationWaitMs = 10_000

export const retryDelayMs = (fault: SyncFault): number => {
  if (fault.kind === 'finality-violated') return violationWaitMs
  if (fault.kind !== 'rate-limited' || fault.retryAfterSeconds === null) return faultWaitMs
  const seconds = Math.max(fault.retryAfterSeconds, retryAfterMinSeconds)
  return Math.min(seconds, retryAfterMaxSeconds) * 1000
}

/** Reports a fault of bootstrap or backfill and returns when to retry; progress so far is kept. */
export const createFaultHandler =
  ({ report, logger }: { readonly report: SourceReport; readonly logger: Logger }) =>
  async (fault: RpcFault): Promise<StepResult> => {
    const { kind, detail } = fault
    await report.failure(describeFault(fault))
    logger.warn('Failed to read historical data, will retry', { kind, detail })
    return { waitMs: retryDelayMs(fault) }
  }
