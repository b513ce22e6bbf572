import type { Config } from '../config/config.ts'
import type { IndexingOrder } from '../indexing/messages.ts'
import type { Progress } from '../log/terminal-progress.ts'
import type { Clock, Logger } from '../ports/process.ts'
import type { Ending } from './ending.ts'

/** What every role works with. */
export type Stage = {
  readonly config: Config
  readonly order: IndexingOrder
  readonly clock: Clock
  readonly logger: Logger
  readonly progress: Progress
  readonly ending: Ending
  /** Ends the process with this line and exit code 1. */
  readonly fail: (reason: string) => void
}
