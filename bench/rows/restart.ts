import { setTimeout as delay } from 'node:timers/promises'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { Page } from '../../test/service/api.ts'
import { runScript } from '../child.ts'
import type { Sample } from '../figure.ts'
import type { Group } from '../group.ts'
import { countSwaps, filledPoolId, swapUsd } from '../live/fill-store.ts'
import { type LiveSetup, openLiveSetup, untilIndexed } from '../live/live-setup.ts'
import type { Service } from '../live/service.ts'

/** Row 10: from the start of the process to the first page, on a store that holds a day. */

const lookMs = 2
const patienceMs = 600_000
const secondsPerDay = 86_400
/** Lists may be as of two seconds ago while much is valued anew. */
const settledMs = 4000

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** The first page that is answered at all; whether it is right is seen afterwards. */
const firstPage = async ({ api, startedMs, lastWords }: Service) => {
  while (performance.now() - startedMs < patienceMs) {
    if (lastWords() !== null) throw new Error(`the service ended: ${lastWords()}`)
    const { status, text } = await api.ask('/api/v1/pools?limit=25')
    if (status === 200) {
      const seconds = (performance.now() - startedMs) / 1000
      return { seconds, page: JSON.parse(text) as Page<PoolView> }
    }
    await delay(lookMs)
  }
  throw new Error(`there was no page after ${patienceMs} ms`)
}

/** Of the store's own rows, pool by pool. */
const checkPage = (page: Page<PoolView>, scene: LiveSetup, pools: number, total: number): void => {
  if (page.total !== total || page.items.length !== Math.min(25, total)) {
    throw new Error(`the first page has ${page.items.length} of ${page.total}, not of ${total}`)
  }
  const numbers = new Map(Array.from({ length: pools }, (_, at) => [filledPoolId(at + 1), at + 1]))
  for (const { id, vol24hUsd } of page.items) {
    const number = numbers.get(id)
    if (number === undefined) continue
    const usd = countSwaps(scene.storePath, number) * swapUsd
    if (vol24hUsd !== usd) throw new Error(`${id}: a volume of ${vol24hUsd}, not of ${usd}`)
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
    const filling = { pools: options.storePools, swaps: options.storeSwaps }
    say(`writing a store of ${filling.pools} pools and ${filling.swaps} swaps`)
    const scene = await openLiveSetup({ directory, blocks: 1, filling, now: nowSeconds() })
    const first = await scene.start()
    await untilIndexed(first.api, scene.head())
    await delay(settledMs)
    const { total } = await first.api.read<Page<PoolView>>('/api/v1/pools?limit=1')
    await first.end()
    return {
      round: async () => {
        const bareSeconds = await measureBare(scene.storePath)
        const service = await scene.start()
        const { seconds, page } = await firstPage(service)
        const { cpuSeconds, rssMb } = await service.usage()
        await service.end()
        checkPage(page, scene, filling.pools, total)
        const sample: Sample = {
          row: 10,
          what:
            `restart, ${filling.pools.toLocaleString('en')} pools, ` +
            `${filling.swaps.toLocaleString('en')} swaps in a day`,
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
      close: scene.close,
    }
  },
}
