import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Load, load } from '../api/load.ts'
import { openSubscribers } from '../api/streams.ts'
import { type Cost, costUnknown, type Sample } from '../figure.ts'
import type { BenchContext, Group } from '../group.ts'
import { measureUnderBackfill } from './under-backfill.ts'

/**
 * Rows 6 to 8 and 12: how fast the HTTP interface answers, beside a bare server of node that writes
 * the same bytes in turns with it.
 */

type Usage = {
  readonly cpuSeconds: number
  readonly rssBytes: number
  /** Events that were told to the subscribers. */
  readonly told: number
}
type Started = { readonly url: string; readonly bareUrl: string }

type Stage = { readonly scene: BenchContext; readonly child: ChildProcess; readonly at: Started }

const tell = async (child: ChildProcess, order: object): Promise<Usage> => {
  const answered = once(child, 'message')
  child.send(order)
  return (await answered)[0] as Usage
}

const textOf = async (url: string): Promise<string> => {
  const reply = await fetch(url)
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  return reply.text()
}

type Page = { readonly items: readonly { readonly id: string }[]; readonly total: number }

const pagePath = '/api/v1/pools?limit=25'
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

type Question = {
  readonly row: number
  readonly what: string
  readonly goal: number
  readonly paths: readonly string[]
  /** Whose bytes the bare server writes. */
  readonly bytesOf: string
  /** Milliseconds that its slowest answers may take. */
  readonly p99Goal: number | null
}

const questionsAbout = (id: string): readonly Question[] => {
  const own = (row: number, what: string, goal: number, path: string): Question => {
    return { row, what, goal, paths: [path], bytesOf: path, p99Goal: null }
  }
  const filters = ['symbol=NVDA', 'symbol=TSLA', 'kind=meme', 'kind=canonical&active=true']
  const filtered = [...filters, 'sort=vol24h&offset=100']
  const texts = Array.from({ length: letters.length ** 2 }, (_, at) => {
    const [first, second] = [Math.floor(at / letters.length), at % letters.length]
    return `q=meme${letters[first]}${letters[second]}`
  })
  const list = (query: string): string => `/api/v1/pools?${query}`
  const rest = { row: 8, goal: 0.3, bytesOf: pagePath }
  return [
    own(6, 'GET /pools?limit=25', 0.8, pagePath),
    own(7, 'GET /pools/:id, 24 h', 0.5, `/api/v1/pools/${id}`),
    { ...rest, what: 'filtered by symbol and kind', paths: filtered.map(list), p99Goal: null },
    { ...rest, what: '1,296 searches', paths: texts.map(list), p99Goal: 30 },
  ]
}

const sumOfCost = async <Result>(child: ChildProcess, work: () => Promise<Result>) => {
  const before = await tell(child, { kind: 'usage' })
  const startedMs = performance.now()
  const result = await work()
  const after = await tell(child, { kind: 'usage' })
  const cost: Cost = {
    wallSeconds: (performance.now() - startedMs) / 1000,
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    peakMb: after.rssBytes / 1e6,
  }
  return { result, cost }
}

const failIfAny = ({ failed }: Load, what: string): void => {
  if (failed > 0) throw new Error(`${what}: ${failed} requests failed`)
}

/** One question, or many different ones, and the bare server a moment before. */
const compare = async ({ scene, child, at }: Stage, question: Question): Promise<Sample[]> => {
  const { row, what, goal, paths, bytesOf, p99Goal } = question
  const { seconds } = scene.options
  const text = await textOf(at.url + bytesOf)
  await tell(child, { kind: 'constant', text })
  const bare = await load(at.bareUrl, ['/'], seconds)
  const { result, cost } = await sumOfCost(child, () => load(at.url, paths, seconds))
  failIfAny(bare, 'the bare server')
  failIfAny(result, what)
  const size = `${Math.round(text.length / 1024)} KB`
  const rate: Sample = {
    row,
    what,
    value: result.perSecond,
    unit: 'requests/s',
    limit: { what: `by node:http, ${size}`, value: bare.perSecond },
    goal: { kind: 'at-least', of: 'ratio', bound: goal },
    cost,
    remark: `${what}: p99 ${result.p99Ms} ms, the bare server's ${bare.p99Ms} ms`,
  }
  if (p99Goal === null) return [rate]
  const slowest: Sample = {
    row,
    what: `p99 of ${what}`,
    value: result.p99Ms,
    unit: 'ms',
    limit: { what: 'ms by node:http', value: bare.p99Ms },
    goal: { kind: 'at-most', of: 'value', bound: p99Goal },
    cost: costUnknown,
    remark: null,
  }
  return [rate, slowest]
}

const eventsPerSecond = 50
const lateMsMax = 120_000

/** Until every subscriber heard every event. */
const untilHeard = async (heard: () => number, told: number): Promise<void> => {
  const startedMs = performance.now()
  while (heard() < told) {
    if (performance.now() - startedMs > lateMsMax) throw new Error(`${heard()} of ${told} heard`)
    await delay(20)
  }
}

const measureStreams = async ({ scene, child, at }: Stage): Promise<Sample> => {
  const { subscribers: count, seconds } = scene.options
  const subscribers = await openSubscribers(at.url, count)
  const before = await tell(child, { kind: 'usage' })
  const heardBefore = subscribers.events()
  const { cost } = await sumOfCost(child, async () => {
    await tell(child, { kind: 'news', perSecond: eventsPerSecond })
    await delay(seconds * 2000)
    await tell(child, { kind: 'news', perSecond: 0 })
  })
  const after = await tell(child, { kind: 'usage' })
  const told = after.told - before.told
  await untilHeard(() => subscribers.events() - heardBefore, told * count)
  subscribers.close()
  const rate = told / (cost.wallSeconds ?? 1)
  return {
    row: 12,
    what: `${count} subscribers of ${eventsPerSecond} events/s`,
    value: (cost.cpuSeconds ?? 0) / (cost.wallSeconds ?? 1),
    unit: 'cores',
    limit: null,
    goal: { kind: 'at-most', of: 'value', bound: 1 },
    cost,
    remark: `each subscriber heard all ${told} events (${rate.toFixed(1)}/s)`,
  }
}

/** That the page is one of all pools, none twice. */
const checkPage = async ({ scene, at }: Stage): Promise<string> => {
  const { items, total } = JSON.parse(await textOf(at.url + pagePath)) as Page
  const ids = new Set(items.map(({ id }) => id))
  const { pools } = scene.options
  if (total !== pools || ids.size !== Math.min(25, pools)) {
    throw new Error(`the first page has ${ids.size} of ${total} pools, of ${pools}`)
  }
  return items[0]?.id ?? ''
}

const start = async (scene: BenchContext): Promise<Stage> => {
  const script = fileURLToPath(new URL('../api/serve.ts', import.meta.url))
  const child = fork(script, [String(scene.options.pools)])
  const [at] = (await once(child, 'message')) as [Started]
  scene.say(`${scene.options.pools} pools are served`)
  return { scene, child, at }
}

export const answersGroup: Group = {
  name: 'answers',
  rows: [6, 7, 8, 12],
  open: async (scene) => {
    const stage = await start(scene)
    return {
      round: async () => {
        const samples: Sample[] = []
        for (const question of questionsAbout(await checkPage(stage))) {
          if (!scene.isSelected(question.row)) continue
          scene.say(`row ${question.row}: ${question.what}`)
          samples.push(...(await compare(stage, question)))
        }
        if (scene.isSelected(6)) samples.push(await measureUnderBackfill(scene, pagePath))
        if (scene.isSelected(12)) samples.push(await measureStreams(stage))
        return samples
      },
      omissions: () => [],
      close: async () => {
        const ended = once(stage.child, 'exit')
        stage.child.disconnect()
        await ended
      },
    }
  },
}
