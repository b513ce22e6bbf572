import type { Timer } from '../../../src/net/timer.ts'

export type ManualTimer = Timer & {
  readonly advance: (ms: number) => void
  /** What was slept, in order. */
  readonly slept: readonly number[]
}

/** A clock that stands still unless someone sleeps or the test moves it: sleeping takes no time. */
export const createManualTimer = (): ManualTimer => {
  let nowMs = 1_000_000
  const slept: number[] = []
  return {
    nowMs: () => nowMs,
    sleep: async (ms, signal) => {
      if (signal?.aborted === true) return
      slept.push(ms)
      nowMs += ms
    },
    advance: (ms) => {
      nowMs += ms
    },
    slept,
  }
}
