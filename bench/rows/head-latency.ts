import { setTimeout as delay } from 'node:timers/promises'
import { costUnknown, median, type Sample } from '../figure.ts'
import type { Group } from '../group.ts'
import { checkPrices, openLiveSetup, timeBlock, untilIndexed } from '../live/live-setup.ts'
import { pollMs } from '../live/network-file.ts'

/** Row 9: time from a block's release by the node to its swap in the pool's response. */

const slackMs = 50
/** Golden ratio: spreads the releases evenly over the polling interval. */
const section = 0.618_034

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export const headLatencyGroup: Group = {
  name: 'tip',
  rows: [9],
  open: async ({ directory, options, say }) => {
    const blocks = options.blocks * options.repeat * 2
    const setup = await openLiveSetup({ directory, blocks, fillSize: null, now: nowSeconds() })
    const service = await setup.start()
    await untilIndexed(service.api, setup.head())
    say('indexed up to the head')
    return {
      round: async () => {
        const times: number[] = []
        const before = await service.usage()
        const startedMs = performance.now()
        while (times.length < options.blocks) {
          await delay(((times.length * section) % 1) * pollMs)
          const ms = await timeBlock(service, setup)
          if (ms !== null) times.push(ms)
        }
        const wallSeconds = (performance.now() - startedMs) / 1000
        const after = await service.usage()
        await checkPrices(service, setup)
        const sorted = times.toSorted((a, b) => a - b)
        const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN
        const sample: Sample = {
          row: 9,
          what: `block to answer, median of ${times.length}`,
          value: median(times),
          unit: 'ms',
          limit: { what: 'ms: half the time between two looks', value: pollMs / 2 },
          goal: { kind: 'at-most', of: 'value', bound: pollMs + slackMs },
          cost: {
            ...costUnknown,
            wallSeconds,
            cpuSeconds: after.cpuSeconds - before.cpuSeconds,
            peakMb: after.rssMb,
          },
          remark: `p95 ${Math.round(p95)} ms`,
        }
        return [sample]
      },
      omissions: () => [],
      close: async () => {
        await service.end()
        await setup.close()
      },
    }
  },
}
