import type { UnixSeconds } from './units.ts'

/** How far long work is, in the units of its phase. */
export type ProgressStep = {
  readonly phase: string
  readonly done: number
  readonly total: number
}

/** Null while nothing moves. */
export type ProgressRate = {
  /** Until the phase is done. */
  readonly etaSeconds: number | null
  /** Null also where no events are counted. */
  readonly eventsPerSecond: number | null
}

type CountedStep = ProgressStep & { readonly events?: number | null }

/** Speeds are measured over this long: short enough to follow, long enough to be calm. */
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

/** Compares each step with the window's first one of the same phase; of slow steps the last. */
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
