import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { costUnknown, median, type Sample } from '../figure.ts'
import type { BenchContext, Group } from '../group.ts'
import { checkPrices, openLiveSetup, timeBlock, untilIndexed } from '../live/live-setup.ts'
import type { Service } from '../live/service.ts'

/** Row 11: what a thousand times as many pools cost, of which nobody trades in most. */

export type GrowthPoint = {
  readonly pools: number
  /** The first page after a block, which no answer was kept for. */
  readonly listMs: number
  readonly blockMs: number
  /** Of the whole process, both of its threads, beyond what it does without blocks. */
  readonly cpuMsPerBlock: number
  readonly rssMb: number
}

const blocksMax = 12
const pauseMs = 500
/** Flat: no more than this many times what it is with the fewest pools. */
const flatMax = 2
const bytesMax = 1536

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

const cpuOf = async (service: Service, work: () => Promise<void>): Promise<number> => {
  const before = await service.usage()
  await work()
  return (await service.usage()).cpuSeconds - before.cpuSeconds
}

/** So many looks in a row at a process that has settled down; a million pools take a while. */
const calmLooks = 3
const looksMax = 60
const calmCores = 0.3

/** What it does after a start, such as the first pass over all pools, is not the blocks' cost. */
const untilCalm = async (service: Service, lookMs: number): Promise<void> => {
  let calm = 0
  for (let look = 0; look < looksMax && calm < calmLooks; look++) {
    const cores = (await cpuOf(service, () => delay(lookMs))) / (lookMs / 1000)
    calm = cores < calmCores ? calm + 1 : 0
  }
}

const timeList = async ({ api }: Service): Promise<number> => {
  const startedMs = performance.now()
  await api.read('/api/v1/pools?limit=25')
  return performance.now() - startedMs
}

const measureAt = async (scene: BenchContext, pools: number): Promise<GrowthPoint> => {
  scene.say(`row 11: ${pools} pools`)
  const directory = join(scene.directory, String(pools))
  mkdirSync(directory)
  const filling = { pools, swaps: 0 }
  const blocks = Math.min(blocksMax, scene.options.blocks)
  const live = await openLiveSetup({ directory, blocks, filling, now: nowSeconds() })
  const service = await live.start()
  try {
    await untilIndexed(service.api, live.head())
    const spanMs = blocks * pauseMs
    await untilCalm(service, Math.min(1000, spanMs))
    await timeList(service)
    const idle = await cpuOf(service, () => delay(spanMs))
    const lists: number[] = []
    const answers: number[] = []
    const startedMs = performance.now()
    const busy = await cpuOf(service, async () => {
      for (let block = 0; block < blocks; block++) {
        const ms = await timeBlock(service, live)
        if (ms !== null) answers.push(ms)
        lists.push(await timeList(service))
        await delay(Math.max(0, pauseMs * (block + 1) - (performance.now() - startedMs)))
      }
    })
    const wallMs = performance.now() - startedMs
    const { rssMb } = await service.usage()
    await checkPrices(service, live)
    const cpuMsPerBlock = Math.max(0, (busy - (idle * wallMs) / spanMs) * 1000) / blocks
    return { pools, listMs: median(lists), blockMs: median(answers), cpuMsPerBlock, rssMb }
  } finally {
    await service.end()
    await live.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

const samplesOf = (point: GrowthPoint, first: GrowthPoint): readonly Sample[] => {
  const many = point.pools.toLocaleString('en')
  const beside = `with ${first.pools.toLocaleString('en')}`
  const flat = { kind: 'at-most', of: 'ratio', bound: flatMax } as const
  const sample = (what: string, unit: string, value: number, before: number): Sample => ({
    row: 11,
    what: `${what}, ${many} pools`,
    unit,
    value,
    limit: point === first ? null : { what: `${unit} ${beside}`, value: before },
    goal: point === first ? null : flat,
    cost: costUnknown,
    remark: null,
  })
  const { listMs, blockMs, cpuMsPerBlock, rssMb } = point
  const samples = [
    sample('list after a block', 'ms', listMs, first.listMs),
    sample('block to answer', 'ms', blockMs, first.blockMs),
    sample('CPU of a block', 'ms', cpuMsPerBlock, first.cpuMsPerBlock),
  ]
  if (point === first) return samples
  const perPool = ((rssMb - first.rssMb) * 1e6) / (point.pools - first.pools)
  const memory: Sample = {
    ...sample('memory of a pool', 'bytes', perPool, 1),
    limit: null,
    goal: { kind: 'at-most', of: 'value', bound: bytesMax },
    cost: { ...costUnknown, peakMb: rssMb },
  }
  return [...samples, memory]
}

export const growthGroup = (onPoints: (points: readonly GrowthPoint[]) => void): Group => ({
  name: 'growth',
  rows: [11],
  open: async (scene) => ({
    round: async () => {
      const points: GrowthPoint[] = []
      for (const pools of scene.options.growth) points.push(await measureAt(scene, pools))
      onPoints(points)
      const [first] = points
      return first === undefined ? [] : points.flatMap((point) => samplesOf(point, first))
    },
    omissions: () => [],
    close: async () => {},
  }),
})
