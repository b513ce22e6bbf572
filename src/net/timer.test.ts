import { expect, it } from 'vitest'
import { systemTimer } from './timer.ts'

it('sleeps for the given time', async () => {
  const startMs = systemTimer.nowMs()
  await systemTimer.sleep(30)
  expect(systemTimer.nowMs() - startMs).toBeGreaterThanOrEqual(29)
})

it('a stop ends the sleep, before and while it lasts', async () => {
  const stop = new AbortController()
  // Longer than the test may take.
  const hourMs = 3_600_000
  const asleep = systemTimer.sleep(hourMs, stop.signal)
  stop.abort()
  await asleep
  await systemTimer.sleep(hourMs, stop.signal)
})
