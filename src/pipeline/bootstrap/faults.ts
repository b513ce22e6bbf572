import type { RpcFault } from '../../ports/chain.ts'
import type { Logger } from '../../ports/process.ts'
import type { StepResult } from '../loop.ts'
import type { SourceReport } from '../source-report.ts'

/** After a fault the next try waits this long unless the node said how long. */
const faultWaitMs = 1000
/** A node's own wish is believed from a second up to a minute. */
const retryAfterMinSeconds = 1
const retryAfterMaxSeconds = 60

const waitMsOf = (fault: RpcFault): number => {
  if (fault.kind !== 'rate-limited' || fault.retryAfterSeconds === null) return faultWaitMs
  const seconds = Math.max(fault.retryAfterSeconds, retryAfterMinSeconds)
  return Math.min(seconds, retryAfterMaxSeconds) * 1000
}

/** Tells of a fault and says when to try again; what was read so far is kept. */
export const createOnFault =
  ({ report, logger }: { readonly report: SourceReport; readonly logger: Logger }) =>
  async (fault: RpcFault): Promise<StepResult> => {
    const { kind, detail } = fault
    await report.failure(`${kind}: ${detail}`)
    logger.warn('The past could not be read; it is tried again', { kind, detail })
    return { waitMs: waitMsOf(fault) }
  }
