import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listQuotedPools } from '../api/big-market.ts'
import { type Load, load, toNumbered } from '../api/load.ts'
import { checkQuote, quotePaths } from '../api/quotes.ts'
import { openSubscribers } from '../api/streams.ts'
import { type Cost, costUnknown, type Sample } from '../figure.ts'
import type { BenchContext, Group } from '../group.ts'
import { measureUnderBackfill } from './under-backfill.ts'

/**
 * Rows 6 to 8, 12 and 13: throughput of the HTTP API, alternating with a bare node:http server that
 * writes the same bytes.
 */

type Usage = {
  readonly cpuSeconds: number
  readonly rssBytes: number
  /** Events sent to the subscribers. */
  readonly emitted: number
}
type Started = { readonly url: string; readonly bareUrl: string }

type AnswersBench = {
  readonly context: BenchContext
  readonly child: ChildProcess
  readonly at: Started
}

const sendCommand = async (child: ChildProcess, command: object): Promise<Usage> => {
  const answered = once(child, 'message')
  child.send(command)
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

type RequestKind = {
  readonly row: number
  readonly what: string
  readonly goal: number
  readonly paths: readonly string[]
  /** Path whose body the bare server writes. */
  readonly bytesOf: string
  /** Allowed p99 in milliseconds; null for none. */
  readonly p99Goal: number | null
}

const requestKinds = (id: string, quotes: readonly string[]): readonly RequestKind[] => {
  const own = (row: number, what: string, goal: number, path: string): RequestKind => {
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
    {
      ...{ row: 13, what: 'swap quotes, none twice', goal: 0.25, p99Goal: 30 },
      ...{ paths: quotes, bytesOf: toNumbered(quotes[0] ?? '') },
    },
  ]
}

const sumOfCost = async <Result>(child: ChildProcess, work: () => Promise<Result>) => {
  const before = await sendCommand(child, { kind: 'usage' })
  const startedMs = performance.now()
  const result = await work()
  const after = await sendCommand(child, { kind: 'usage' })
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

/** One kind, or many different ones, and the bare server a moment before. */
const compare = async (
  { context, child, at }: AnswersBench,
  kind: RequestKind,
): Promise<Sample[]> => {
  const { row, what, goal, paths, bytesOf, p99Goal } = kind
  const { seconds } = context.options
  const text = await textOf(at.url + bytesOf)
  await sendCommand(child, { kind: 'constant', text })
  const bare = await load(at.bareUrl, paths, seconds)
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

/** Waits until every subscriber has received every event. */
const untilReceived = async (received: () => number, emitted: number): Promise<void> => {
  const startedMs = performance.now()
  while (received() < emitted) {
    if (performance.now() - startedMs > lateMsMax)
      throw new Error(`${received()} of ${emitted} received`)
    await delay(20)
  }
}

const measureStreams = async ({ context, child, at }: AnswersBench): Promise<Sample> => {
  const { subscribers: count, seconds } = context.options
  const subscribers = await openSubscribers(at.url, count)
  const before = await sendCommand(child, { kind: 'usage' })
  const receivedBefore = subscribers.events()
  const { cost } = await sumOfCost(child, async () => {
    await sendCommand(child, { kind: 'events', perSecond: eventsPerSecond })
    await delay(seconds * 2000)
    await sendCommand(child, { kind: 'events', perSecond: 0 })
  })
  const after = await sendCommand(child, { kind: 'usage' })
  const emitted = after.emitted - before.emitted
  await untilReceived(() => subscribers.events() - receivedBefore, emitted * count)
  subscribers.close()
  const rate = emitted / (cost.wallSeconds ?? 1)
  return {
    row: 12,
    what: `${count} subscribers of ${eventsPerSecond} events/s`,
    value: (cost.cpuSeconds ?? 0) / (cost.wallSeconds ?? 1),
    unit: 'cores',
    limit: null,
    goal: { kind: 'at-most', of: 'value', bound: 1 },
    cost,
    remark: `each subscriber received all ${emitted} events (${rate.toFixed(1)}/s)`,
  }
}

/** Verifies that the first page counts every pool and repeats none. */
const checkPage = async ({ context, at }: AnswersBench): Promise<string> => {
  const { items, total } = JSON.parse(await textOf(at.url + pagePath)) as Page
  const ids = new Set(items.map(({ id }) => id))
  const { pools } = context.options
  if (total !== pools || ids.size !== Math.min(25, pools)) {
    throw new Error(
      `the first page has ${ids.size} pools and a total of ${total}, expected ${pools}`,
    )
  }
  return items[0]?.id ?? ''
}

const checkQuotes = async (
  { at }: AnswersBench,
  paths: readonly string[],
): Promise<readonly string[]> => {
  for (const path of paths.map(toNumbered)) checkQuote(path, await textOf(at.url + path))
  return paths
}

const start = async (context: BenchContext): Promise<AnswersBench> => {
  const script = fileURLToPath(new URL('../api/serve.ts', import.meta.url))
  const child = fork(script, [String(context.options.pools)])
  const [at] = (await once(child, 'message')) as [Started]
  context.say(`${context.options.pools} pools served`)
  return { context, child, at }
}

export const answersGroup: Group = {
  name: 'answers',
  rows: [6, 7, 8, 12, 13],
  open: async (context) => {
    const bench = await start(context)
    return {
      round: async () => {
        const samples: Sample[] = []
        const quoted = listQuotedPools(context.options.pools).map(({ id }) => id)
        const quotes = await checkQuotes(bench, quotePaths(quoted))
        for (const kind of requestKinds(await checkPage(bench), quotes)) {
          if (!context.isSelected(kind.row)) continue
          context.say(`row ${kind.row}: ${kind.what}`)
          samples.push(...(await compare(bench, kind)))
        }
        if (context.isSelected(6)) samples.push(await measureUnderBackfill(context, pagePath))
        if (context.isSelected(12)) samples.push(await measureStreams(bench))
        return samples
      },
      omissions: () => [],
      close: async () => {
        const ended = once(bench.child, 'exit')
        bench.child.disconnect()
        await ended
      },
    }
  },
}
