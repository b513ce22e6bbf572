import type { UnixSeconds } from './units.ts'

/** How far long work is, in the units of its phase. */
export type ProgressStep = {
  readonly phase: string
  readonly done: number
  readonly total: number
}

/** Two looks at one phase, some seconds apart; the same one twice while there is only one. */
export type ProgressSpan<Step extends ProgressStep> = {
  readonly first: Step
  readonly last: Step
  readonly seconds: number
}

/** Speeds are measured over this long: short enough to follow, long enough to be calm. */
const windowSeconds = 10

type Sample<Step> = { readonly step: Step; readonly ts: UnixSeconds }

/** Keeps the looks of the window and of one phase, one per second; of slow steps the last. */
export const createProgressPace = <Step extends ProgressStep>() => {
  let samples: readonly Sample<Step>[] = []
  return (step: Step, now: UnixSeconds): ProgressSpan<Step> => {
    const before = samples.filter(
      ({ step: each, ts }) => each.phase === step.phase && ts < now && each.done <= step.done,
    )
    const within = before.filter(({ ts }) => ts >= now - windowSeconds)
    samples = [...(within.length > 0 ? within : before.slice(-1)), { step, ts: now }]
    const first = samples[0] ?? { step, ts: now }
    return { first: first.step, last: step, seconds: now - first.ts }
  }
}

/** Seconds until the phase is done at this pace; null while nothing moves. */
export const etaSecondsOf = ({ first, last, seconds }: ProgressSpan<ProgressStep>) => {
  const done = last.done - first.done
  return seconds > 0 && done > 0 ? Math.ceil(((last.total - last.done) * seconds) / done) : null
}
