import { join } from 'node:path'
import { eventually } from '../../test/service/api.ts'
import { type PostgresServer, startPostgres } from '../../test/setup/postgres.ts'
import { costUnknown, median, type Sample } from '../figure.ts'
import type { BenchContext, Group } from '../group.ts'
import { createNetworkFile } from '../live/network-file.ts'
import { type Service, startService } from '../live/service.ts'
import { fillPostgresPast, fillSqlitePast } from '../past/fill-past.ts'
import { listPastKinds, type PastKind } from '../past/past-requests.ts'
import { spanSeconds } from '../past/past-swaps.ts'

/** Row 16: pages of past rows from both stores, each with four million swaps. */

const engines = ['SQLite', 'PostgreSQL'] as const
type Engine = (typeof engines)[number]

type PastBench = {
  readonly services: Readonly<Record<Engine, Service>>
  readonly kinds: readonly PastKind[]
  readonly close: () => Promise<void>
}

/** The API process reads the store alone: there is no node. */
const noNode = createNetworkFile('http://127.0.0.1:1')

const openServices = async (
  { directory, options, say }: BenchContext,
  server: PostgresServer,
): Promise<PastBench> => {
  const now = Math.floor(Date.now() / 1000)
  const size = { swaps: options.storeSwaps, now }
  const path = join(directory, 'past.sqlite')
  const url = await server.createDatabase()
  say(`writing ${size.swaps} swaps into SQLite`)
  await fillSqlitePast(path, size)
  say(`writing ${size.swaps} swaps into PostgreSQL`)
  await fillPostgresPast(url, size)
  const start = (store: string) =>
    startService({ directory, network: noNode, store, command: 'api' })
  const services = { SQLite: await start(`sqlite:${path}`), PostgreSQL: await start(url) }
  const { SQLite: first, PostgreSQL: second } = services
  for (const { api } of [first, second]) {
    await eventually(
      () => api.ask('/readyz'),
      ({ status }) => status === 200,
    )
  }
  return {
    services,
    kinds: await listPastKinds({
      ...{ api: first.api, fromTs: now - spanSeconds, pages: options.pastPages },
    }),
    close: async () => {
      await Promise.all([first.end(), second.end()])
      await server.dispose()
    },
  }
}

type PageBody = {
  readonly items?: readonly { readonly block?: number; readonly ts: number }[]
}

/** Both stores answer the same rows in order, at most as many as asked for. */
const checkAnswers = (path: string, texts: readonly string[]): void => {
  if (new Set(texts).size !== 1) throw new Error(`${path}: the stores differ`)
  const { items } = JSON.parse(texts[0] ?? '') as PageBody
  const limit = Number(new URL(path, 'http://bench').searchParams.get('limit') ?? items?.length)
  if (items !== undefined && items.length > limit) throw new Error(`${path}: too many rows`)
  const times = items?.map(({ ts }) => ts) ?? []
  const sign = path.includes('order=asc') ? 1 : -1
  if (times.some((ts, at) => at > 0 && (ts - (times[at - 1] ?? ts)) * sign < 0)) {
    throw new Error(`${path}: out of order`)
  }
}

/** Milliseconds of each request, the stores in turns. */
const timeKind = async ({ services }: PastBench, kind: PastKind) => {
  const times: Record<Engine, number[]> = { SQLite: [], PostgreSQL: [] }
  for (const path of kind.paths) {
    const texts: string[] = []
    for (const engine of engines) {
      const startedMs = performance.now()
      const { status, text } = await services[engine].api.ask(path)
      times[engine].push(performance.now() - startedMs)
      if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`)
      texts.push(text)
    }
    checkAnswers(path, texts)
  }
  return times
}

const percentile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN

const toSample = (kind: PastKind, engine: Engine, times: readonly number[]): Sample => {
  const what = `${engine}, ${kind.what}`
  return {
    row: 16,
    what,
    value: median(times),
    unit: 'ms',
    limit: null,
    goal: kind.goalMs === null ? null : { kind: 'at-most', of: 'value', bound: kind.goalMs },
    cost: costUnknown,
    remark: `${what}: p99 ${percentile99(times).toFixed(1)} ms`,
  }
}

export const pastPagesGroup: Group = {
  name: 'past pages',
  rows: [16],
  open: async (context) => {
    const server = await startPostgres(['shared_buffers=256MB', 'max_wal_size=4GB'])
    const opened = await openServices(context, server).catch(async (fault: unknown) => {
      await server.dispose()
      throw fault
    })
    return {
      round: async () => {
        const samples: Sample[] = []
        for (const kind of opened.kinds) {
          const times = await timeKind(opened, kind)
          samples.push(...engines.map((engine) => toSample(kind, engine, times[engine])))
        }
        return samples
      },
      omissions: () => [],
      close: opened.close,
    }
  },
}
