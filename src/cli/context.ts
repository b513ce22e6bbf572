import type { Config, Role } from '../config/config.ts'
import type { Progress } from '../log/progress.ts'
import type { Clock, Logger } from '../ports/runtime.ts'
import type { EndpointReport } from '../rpc/endpoint.ts'
import type { Ending } from './shutdown.ts'

/** The last value that somebody told, for whoever looks. */
export type Gauge<T> = { readonly set: (value: T) => void; readonly read: () => T }

export const createGauge = <T>(first: T): Gauge<T> => {
  let value = first
  return {
    set: (next) => {
      value = next
    },
    read: () => value,
  }
}

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
