import type { Logger } from '../../ports/process.ts'
import { type ChainFault, textOfFault, waitMsOfFault } from '../chain-fault.ts'
import type { StepResult } from '../loop.ts'
import type { SourceReport } from '../source-report.ts'

/** Tells of a fault and says when to try again; what was read so far is kept. */
export const createOnFault =
  ({ report, logger }: { readonly report: SourceReport; readonly logger: Logger }) =>
  async (fault: ChainFault): Promise<StepResult> => {
    const { kind, detail } = fault
    await report.failure(textOfFault(fault))
    if (kind === 'finality-violated') logger.error('The past stands still', { kind, detail })
    else logger.warn('The past could not be read; it is tried again', { kind, detail })
    return { waitMs: waitMsOfFault(fault) }
  }
