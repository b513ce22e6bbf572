import type { RpcFault } from '../../ports/chain.ts'
import type { Logger } from '../../ports/process.ts'
import type { StepResult } from '../../util/loop.ts'
import { textOfFault, waitMsOfFault } from '../chain-fault.ts'
import type { SourceReport } from '../source-report.ts'

/** Tells of a fault and says when to try again; what was read so far is kept. */
export const createOnFault =
  ({ report, logger }: { readonly report: SourceReport; readonly logger: Logger }) =>
  async (fault: RpcFault): Promise<StepResult> => {
    const { kind, detail } = fault
    await report.failure(textOfFault(fault))
    logger.warn('The past could not be read; it is tried again', { kind, detail })
    return { waitMs: waitMsOfFault(fault) }
  }
