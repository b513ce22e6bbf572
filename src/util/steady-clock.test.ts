import { expect, it } from 'vitest'
import { createSteadyClock } from './steady-clock.ts'

it('does not go back where the clock does, and counts from there', () => {
  let now = 1000
  const steady = createSteadyClock({ now: () => now })
  const at = (ts: number): number => {
    now = ts
    return steady.now()
  }
  expect([1000, 1010, 4610, 1020, 1025, 900, 901].map(at)).toEqual([
    1000, 1010, 4610, 4610, 4615, 4615, 4616,
  ])
})
