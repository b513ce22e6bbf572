import { createKillWorld, untilStopped } from './crash/kill-world.ts'
import type { Lives } from './crash/lives.ts'

/** Longer than a process with much work needs. */
const lifeMsMax = 400
const killsMax = 4

/** Kills processes at random times, then lets one finish. */
export const runKillSeed = async (
  lives: Lives,
  { seed, database = null }: { readonly seed: number; readonly database?: string | null },
): Promise<readonly string[]> => {
  const world = await createKillWorld(lives, { seed, trouble: false, database })
  const found: string[] = []
  for (let kills = world.random.between(1, killsMax); kills > 0; kills--) {
    const killAfterMs = world.random.between(0, lifeMsMax)
    const { ended, faults } = await world.live({ ...untilStopped, killAfterMs })
    found.push(...faults.map((fault) => `killed after ${killAfterMs} ms: ${fault}`))
    if (ended === 'stopped' || found.length > 0) break
  }
  const last = await world.live(untilStopped)
  world.remove()
  return [
    ...found,
    ...last.faults,
    ...(last.ended === 'stopped' ? [] : ['it did not stop by itself']),
  ]
}
