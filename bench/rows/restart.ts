import { setTimeout as delay } from 'node:timers/promises'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { Page } from '../../test/service/api.ts'
import { runScript } from '../child.ts'
import type { Sample } from '../figure.ts'
import type { Group } from '../group.ts'
import { filledPoolId } from '../live/fill-market.ts'
import { countSwaps, swapUsd } from '../live/fill-store.ts'
import { type LiveSetup, openLiveSetup, untilIndexed } from '../live/live-setup.ts'
import type { Service } from '../live/service.ts'

/** Row 10: time from process start to the first page, on a store with a day of swaps. */

const pollMs = 2
const timeoutMs = 600_000
const secondsPerDay = 86_400
/** Time for the first complete valuation after a start. */
const warmUpMs = 4000

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** Waits for the first page; the caller verifies it. */
const firstPage = async ({ api, startedMs, exitOutput }: Service) => {
  while (performance.now() - startedMs < timeoutMs) {
    if (exitOutput() !== null) throw new Error(`the service ended: ${exitOutput()}`)
    const { status, text } = await api.ask('/api/v1/pools?limit=25')
    if (status === 200) {
      const seconds = (performance.now() - startedMs) / 1000
      return { seconds, page: JSON.parse(text) as Page<PoolView> }
    }
    await delay(pollMs)
  }
  throw new Error(`no page within ${timeoutMs} ms`)
}

/** Compares each pool's volume with the stored swaps. */
const checkPage = (page: Page<PoolView>, setup: LiveSetup, pools: number, total: number): void => {
  if (page.total !== total || page.items.length !== Math.min(25, total)) {
    throw new Error(
      `first page: ${page.items.length} pools, total ${page.total}, expected ${total}`,
    )
  }
  const numbers = new Map(Array.from({ length: pools }, (_, at) => [filledPoolId(at + 1), at + 1]))
  for (const { id, vol24hUsd } of page.items) {
    const number = numbers.get(id)
    if (number === undefined) continue
    const usd = countSwaps(setup.storePath, number) * swapUsd
    if (vol24hUsd !== usd) throw new Error(`${id}: volume is ${vol24hUsd}, expected ${usd}`)
  }
}

const measureBare = async (path: string): Promise<number> => {
  const startedMs = performance.now()
  const afterTs = nowSeconds() - secondsPerDay
  await runScript('./store-limit-process.ts', { path, afterTs })
  return (performance.now() - startedMs) / 1000
}

export const restartGroup: Group = {
  name: 'restart',
  rows: [10],
  open: async ({ directory, options, say }) => {
    const fillSize = { pools: options.storePools, swaps: options.storeSwaps }
    say(`writing a store of ${fillSize.pools} pools and ${fillSize.swaps} swaps`)
    const setup = await openLiveSetup({ directory, blocks: 1, fillSize, now: nowSeconds() })
    const first = await setup.start()
    await untilIndexed(first.api, setup.head())
    await delay(warmUpMs)
    const { total } = await first.api.read<Page<PoolView>>('/api/v1/pools?limit=1')
    await first.end()
    return {
      round: async () => {
        const bareSeconds = await measureBare(setup.storePath)
        const service = await setup.start()
        const { seconds, page } = await firstPage(service)
        const { cpuSeconds, rssMb } = await service.usage()
        await service.end()
        checkPage(page, setup, fillSize.pools, total)
        const sample: Sample = {
          row: 10,
          what:
            `restart, ${fillSize.pools.toLocaleString('en')} pools, ` +
            `${fillSize.swaps.toLocaleString('en')} swaps in a day`,
          value: seconds,
          unit: 's',
          limit: { what: 's: node, all pools and one sum of the day', value: bareSeconds },
          goal: { kind: 'at-most', of: 'value', bound: 2 },
          cost: { wallSeconds: seconds, cpuSeconds, peakMb: rssMb },
          remark: null,
        }
        return [sample]
      },
      omissions: () => [],
      close: setup.close,
    }
  },
}
