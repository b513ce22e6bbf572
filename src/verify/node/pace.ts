import type { Timer } from '../../net/timer.ts'

/** Waits for the turn of the next request. */
export type Pace = { readonly wait: () => Promise<void> }

/** Lets requests begin at even distances, so many a second. */
export const createPace = (timer: Timer, requestsPerSecond: number): Pace => {
  const distanceMs = 1000 / requestsPerSecond
  let nextMs = timer.nowMs()
  return {
    wait: async () => {
      const nowMs = timer.nowMs()
      const turnMs = Math.max(nextMs, nowMs)
      nextMs = turnMs + distanceMs
      if (turnMs > nowMs) await timer.sleep(turnMs - nowMs)
    },
  }
}
