import type { Config, Role } from '../config/config.ts'
import type { Progress } from '../log/terminal-progress.ts'
import type { Clock, Logger } from '../ports/process.ts'
import type { EndpointReport } from '../rpc/endpoint.ts'
import type { Ending } from './ending.ts'
import type { Gauge } from './gauge.ts'

/** What every role works with. */
export type Stage = {
  readonly config: Config
  readonly role: Role
  readonly clock: Clock
  readonly logger: Logger
  readonly progress: Progress
  readonly ending: Ending
  /** What the indexer of this process told of its endpoints last. */
  readonly rpc: Gauge<readonly EndpointReport[]>
  /** Ends the process with this line and exit code 1. */
  readonly fail: (reason: string) => void
}
