import type { Clock } from '../ports/runtime.ts'

/** The machine's clock; the one place where it is read. */
export const systemClock: Clock = { now: () => Math.floor(Date.now() / 1000) }
