import { expect, test } from 'vitest'
import { runReorgSeed } from './reorg-tier.ts'
import { playSeeds, timeLimitMs } from './seeds.ts'

test(
  'no schedule of reorganisations loses or invents an event',
  async () => {
    expect(await playSeeds('reorg', (seed) => runReorgSeed(seed))).toEqual([])
  },
  timeLimitMs,
)
