import type { Clock } from '../ports/runtime.ts'

/** The system clock; nothing else reads it. */
export const systemClock: Clock = { now: () => Math.floor(Date.now() / 1000) }
