import { expect, it } from 'vitest'
import { systemTimer } from './timer.ts'

it('sleeps as long as it is told', async () => {
  const startMs = systemTimer.nowMs()
  await systemTimer.sleep(30)
  expect(systemTimer.nowMs() - startMs).toBeGreaterThanOrEqual(29)
})

it('a stop ends the sleep, before and while it lasts', async () => {
  const stop = new AbortController()
  const startMs = systemTimer.nowMs()
  const asleep = systemTimer.sleep(60_000, stop.signal)
  stop.abort()
  await asleep
  await systemTimer.sleep(60_000, stop.signal)
  expect(systemTimer.nowMs() - startMs).toBeLessThan(1000)
})
