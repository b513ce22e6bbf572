import { createEtaEstimator, type ProgressRate, type ProgressStep } from '../domain/progress-eta.ts'
import { secondsPerHour } from '../domain/time.ts'
import type { Clock, Logger } from '../ports/runtime.ts'
import type { Terminal } from './terminal.ts'

export type BootstrapStep = ProgressStep & {
  /** Events read since the start; null if the phase reads none. */
  readonly events: number | null
}

export type Progress = {
  /** Progress of bootstrap and backfill. Cheap enough to be called at any rate. */
  readonly bootstrap: (step: BootstrapStep) => void
  /** Status line of realtime sync. */
  readonly following: (text: string) => void
  /** Status line while the indexer waits; the log has the reason in its own line. */
  readonly waiting: (text: string) => void
  /** Removes the status line. */
  readonly end: () => void
}

const logEverySeconds = 10

const grouped = (value: number) => value.toLocaleString('en-US')

const duration = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / secondsPerHour), Math.floor(seconds / 60) % 60]
  const tail = [minutes, seconds % 60].map((value) => String(value).padStart(2, '0')).join(':')
  return hours > 0 ? `${hours}:${tail}` : tail
}

const bootstrapText = (step: BootstrapStep, rate: ProgressRate): string => {
  const percent = step.total > 0 ? ` (${Math.floor((100 * step.done) / step.total)} %)` : ''
  return [
    step.phase.padEnd(9),
    `${grouped(step.done)}/${grouped(step.total)}${percent}`,
    rate.eventsPerSecond === null ? '' : `${grouped(rate.eventsPerSecond)} events/s`,
    rate.etaSeconds === null ? '' : `ETA ${duration(rate.etaSeconds)}`,
  ]
    .filter((part) => part !== '')
    .join('  ')
}

/** Shows progress on a terminal as one line that changes in place. */
export const createTerminalProgress = (deps: {
  readonly terminal: Terminal
  readonly clock: Clock
}): Progress => {
  const estimate = createEtaEstimator()
  return {
    bootstrap: (step) =>
      deps.terminal.status(bootstrapText(step, estimate(step, deps.clock.now()))),
    following: deps.terminal.status,
    waiting: deps.terminal.status,
    end: () => deps.terminal.status(''),
  }
}

/** Logs progress at each new phase, and every ten seconds within it. */
export const createLogProgress = (deps: {
  readonly logger: Logger
  readonly clock: Clock
}): Progress => {
  const estimate = createEtaEstimator()
  let last: { readonly phase: string; readonly ts: number } | null = null
  const isDue = (phase: string, everySeconds: number) =>
    last === null || last.phase !== phase || deps.clock.now() - last.ts >= everySeconds
  return {
    bootstrap: (step) => {
      const { eventsPerSecond, etaSeconds } = estimate(step, deps.clock.now())
      if (!isDue(step.phase, logEverySeconds)) return
      last = { phase: step.phase, ts: deps.clock.now() }
      deps.logger.info(`In progress: ${step.phase}`, { ...step, eventsPerSecond, etaSeconds })
    },
    following: (text) => {
      if (!isDue('following', Number.POSITIVE_INFINITY)) return
      last = { phase: 'following', ts: deps.clock.now() }
      deps.logger.info(text)
    },
    waiting: () => {
      last = null
    },
    end: () => {},
  }
}
