import type { Config, Role } from '../config/config.ts'
import type { Progress } from '../log/progress.ts'
import type { Clock, Logger } from '../ports/runtime.ts'
import type { EndpointReport } from '../rpc/endpoint.ts'
import type { Shutdown } from './shutdown.ts'

/** Holds the last value that was set. */
export type Latest<T> = { readonly set: (value: T) => void; readonly read: () => T }

export const createLatest = <T>(first: T): Latest<T> => {
  let value = first
  return {
    set: (next) => {
      value = next
    },
    read: () => value,
  }
}

/** Shared by the commands of the service. */
export type CommandContext = {
  readonly config: Config
  readonly role: Role
  readonly clock: Clock
  readonly logger: Logger
  readonly progress: Progress
  readonly shutdown: Shutdown
  /** Last endpoint reports of the indexer in this process. */
  readonly rpc: Latest<readonly EndpointReport[]>
  /** Stops the process with this line and exit code 1. */
  readonly fail: (reason: string) => void
}
