import { expect, test } from 'vitest'
import { createFollowing } from './following.ts'

// start ── turn ──┤ hasTurned ── pause ── turn ── …
test('the first turn is told once it has ended, and the next ones change nothing', async () => {
  const turns: (() => void)[] = []
  const turn = () => new Promise<void>((resolve) => turns.push(resolve))
  const following = createFollowing(turn, 1)
  let hasTurned = false
  const told = following.hasTurned.then(() => {
    hasTurned = true
  })
  following.start()
  await expect.poll(() => turns.length).toBe(1)
  expect(hasTurned).toBe(false)
  turns[0]?.()
  await told
  await expect.poll(() => turns.length).toBe(2)
  turns[1]?.()
  const stopped = following.stop()
  for (const end of turns) end()
  await stopped
})
