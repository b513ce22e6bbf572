import type { UnixSeconds } from './units.ts'

/** Progress in the units of its phase. */
export type ProgressStep = {
  readonly phase: string
  readonly done: number
  readonly total: number
}

/** Null while nothing moves. */
export type ProgressRate = {
  /** Seconds until the phase is done. */
  readonly etaSeconds: number | null
  /** Null also where no events are counted. */
  readonly eventsPerSecond: number | null
}

type CountedStep = ProgressStep & { readonly events?: number | null }

/** Rates are measured over this window. */
const windowSeconds = 10

type Sample = { readonly step: CountedStep; readonly ts: UnixSeconds }

const rateBetween = (first: Sample, last: Sample): ProgressRate => {
  const seconds = last.ts - first.ts
  if (seconds <= 0) return { etaSeconds: null, eventsPerSecond: null }
  const done = last.step.done - first.step.done
  const [eventsBefore, events] = [first.step.events ?? null, last.step.events ?? null]
  const isCounted = eventsBefore !== null && events !== null
  return {
    etaSeconds: done > 0 ? Math.ceil(((last.step.total - last.step.done) * seconds) / done) : null,
    eventsPerSecond: isCounted ? Math.round((events - eventsBefore) / seconds) : null,
  }
}

/** Compares each step with the first of the same phase in the window, or else with the last. */
export const createEtaEstimator = () => {
  let samples: readonly Sample[] = []
  return (step: CountedStep, now: UnixSeconds): ProgressRate => {
    const before = samples.filter(
      ({ step: each, ts }) => each.phase === step.phase && ts < now && each.done <= step.done,
    )
    const within = before.filter(({ ts }) => ts >= now - windowSeconds)
    const last = { step, ts: now }
    samples = [...(within.length > 0 ? within : before.slice(-1)), last]
    return rateBetween(samples[0] ?? last, last)
  }
}
