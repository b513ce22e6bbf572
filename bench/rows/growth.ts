import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { costUnknown, median, type Sample } from '../figure.ts'
import type { BenchContext, Group } from '../group.ts'
import { checkPrices, openLiveSetup, timeBlock, untilIndexed } from '../live/live-setup.ts'
import type { Service } from '../live/service.ts'

/** Row 11: the cost of up to a thousand times as many pools, most of them inactive. */

export type GrowthPoint = {
  readonly pools: number
  /** Time of the first page after a block, which is not cached. */
  readonly listMs: number
  readonly blockMs: number
  /** CPU of the process, beyond what it uses without blocks. */
  readonly cpuMsPerBlock: number
  readonly rssMb: number
}

const blocksMax = 12
const pauseMs = 500
/** A figure counts as flat below this multiple of that with the fewest pools. */
const flatMax = 2
const bytesMax = 1536

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

const cpuOf = async (service: Service, work: () => Promise<void>): Promise<number> => {
  const before = await service.usage()
  await work()
  return (await service.usage()).cpuSeconds - before.cpuSeconds
}

/** Consecutive idle samples that count as idle; a million pools take a while. */
const idleSamplesMin = 3
const samplesMax = 60
const idleCoresMax = 0.3

/** Waits until the work after a start is done, which is not the cost of blocks. */
const untilIdle = async (service: Service, sampleMs: number): Promise<void> => {
  let idleSamples = 0
  for (let sample = 0; sample < samplesMax && idleSamples < idleSamplesMin; sample++) {
    const cores = (await cpuOf(service, () => delay(sampleMs))) / (sampleMs / 1000)
    idleSamples = cores < idleCoresMax ? idleSamples + 1 : 0
  }
}

const timeList = async ({ api }: Service): Promise<number> => {
  const startedMs = performance.now()
  await api.read('/api/v1/pools?limit=25')
  return performance.now() - startedMs
}

const measureAt = async (context: BenchContext, pools: number): Promise<GrowthPoint> => {
  context.say(`row 11: ${pools} pools`)
  const directory = join(context.directory, String(pools))
  mkdirSync(directory)
  const fillSize = { pools, swaps: 0 }
  const blocks = Math.min(blocksMax, context.options.blocks)
  const live = await openLiveSetup({ directory, blocks, fillSize, now: nowSeconds() })
  const service = await live.start()
  try {
    await untilIndexed(service.api, live.head())
    const spanMs = blocks * pauseMs
    await untilIdle(service, Math.min(1000, spanMs))
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
  const comparison = `with ${first.pools.toLocaleString('en')}`
  const flat = { kind: 'at-most', of: 'ratio', bound: flatMax } as const
  const sample = (what: string, unit: string, value: number, before: number): Sample => ({
    row: 11,
    what: `${what}, ${many} pools`,
    unit,
    value,
    limit: point === first ? null : { what: `${unit} ${comparison}`, value: before },
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
  open: async (context) => ({
    round: async () => {
      const points: GrowthPoint[] = []
      for (const pools of context.options.growth) points.push(await measureAt(context, pools))
      onPoints(points)
      const [first] = points
      return first === undefined ? [] : points.flatMap((point) => samplesOf(point, first))
    },
    omissions: () => [],
    close: async () => {},
  }),
})
