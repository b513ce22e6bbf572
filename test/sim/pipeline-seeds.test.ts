import { expect, test } from 'vitest'
import { runPipelineSeed } from './pipeline-tier.ts'
import { playSeeds, timeLimitMs } from './seeds.ts'

test(
  'no fault of nodes, tokens or clocks makes the pipeline lose or invent an event',
  async () => {
    expect(await playSeeds('pipeline', runPipelineSeed)).toEqual([])
  },
  timeLimitMs,
)
