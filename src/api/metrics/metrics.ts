import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { sourceStates } from '../../domain/status/data-status.ts'
import type { Market } from '../../market/market.ts'

/** What an indexer in this process did at one RPC endpoint. */
export type RpcCounts = {
  /** Never more than a host: a URL may hold a key. */
  readonly host: string
  readonly state: string
  readonly requests: number
  readonly calls: number
  readonly faults: Readonly<Record<string, number>>
}

/** Told of every request, for whoever counts them. */
export type RequestTimer = {
  /** A moment in milliseconds, to be handed to `end`. */
  readonly begin: () => number
  readonly end: (
    begunMs: number,
    request: { readonly route: string; readonly status: number },
  ) => void
}

export type Metrics = {
  readonly meter: RequestTimer
  /** In Prometheus's text format. */
  readonly text: () => Promise<string>
}

type MetricsParts = {
  readonly market: Market
  /** Empty where the index is another process's. */
  readonly rpc: () => readonly RpcCounts[]
  /** Null where the store is in memory, or has not told yet. */
  readonly storeBytes: () => number | null
  /** Of a clock that only goes forward. */
  readonly nowMs: () => number
}

/** From an answer that was kept to one that is computed over 46,000 pools. */
const durationBuckets = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

const createMeter = (registry: Registry, nowMs: () => number): RequestTimer => {
  const durations = new Histogram({
    name: 'stockpools_http_request_duration_seconds',
    help: 'From the request to the last byte handed to the socket.',
    labelNames: ['route', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  })
  const known = new Map<string, { observe: (seconds: number) => void }>()
  return {
    begin: nowMs,
    end: (begunMs, { route, status }) => {
      const name = `${route} ${status}`
      const child = known.get(name) ?? durations.labels(route, String(status))
      known.set(name, child)
      child.observe((nowMs() - begunMs) / 1000)
    },
  }
}

type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number | null }

type Described = readonly [name: string, help: string, labelNames: readonly string[]]

const settingsOf = (registry: Registry, [name, help, labelNames]: Described) => ({
  name: `stockpools_${name}`,
  help,
  labelNames,
  registers: [registry],
})

/** A gauge that is read when somebody looks; what is not known has no sample. */
const addGauge = (
  registry: Registry,
  described: Described,
  read: () => readonly Sample[],
): void => {
  const gauge = new Gauge({
    ...settingsOf(registry, described),
    collect: () => {
      gauge.reset()
      for (const { labels = {}, value } of read()) {
        if (value === null) gauge.remove(labels)
        else gauge.set(labels, value)
      }
    },
  })
}

/** The same of what only grows. */
const addCounter = (
  registry: Registry,
  described: Described,
  read: () => readonly Sample[],
): void => {
  const counter = new Counter({
    ...settingsOf(registry, described),
    collect: () => {
      counter.reset()
      for (const { labels = {}, value } of read()) counter.inc(labels, value ?? 0)
    },
  })
}

const addSources = (registry: Registry, market: Market): void => {
  addGauge(
    registry,
    ['source_state', '1 for the state that the source is in.', ['source', 'state']],
    () =>
      market.status().sources.flatMap(({ source, state }) =>
        sourceStates.map((each) => ({
          labels: { source, state: each },
          value: each === state ? 1 : 0,
        })),
      ),
  )
  addGauge(registry, ['source_age_seconds', 'Since the source last succeeded.', ['source']], () =>
    market
      .status()
      .sources.map(({ source, ageSeconds }) => ({ labels: { source }, value: ageSeconds })),
  )
}

const addChain = (registry: Registry, market: Market): void => {
  const repairs = 'Events that settling found missing, wrong or too many.'
  addCounter(registry, ['repairs_total', repairs, []], () => [
    { value: market.status().chain.repairs },
  ])
  const gauges = [
    ['head_block', 'The newest block that the chain told of.', 'headBlock'],
    ['indexed_block', 'The block that every answer is of.', 'indexedBlock'],
    ['settled_block', 'Up to here all was read a second time when it was final.', 'settledBlock'],
    ['lag_blocks', 'Blocks from the indexed to the newest.', 'lagBlocks'],
    ['lag_seconds', 'Age of the indexed block.', 'lagSeconds'],
  ] as const
  for (const [name, help, key] of gauges) {
    addGauge(registry, [name, help, []], () => [{ value: market.status().chain[key] }])
  }
  addGauge(registry, ['lease_generation', 'Grows whenever another indexer takes over.', []], () => [
    { value: market.status().chain.writer?.generation ?? null },
  ])
  addGauge(
    registry,
    ['lease_age_seconds', 'Since the active indexer renewed its lease.', []],
    () => [{ value: market.status().chain.writer?.ageSeconds ?? null }],
  )
  addGauge(
    registry,
    ['backfill_done_ratio', 'How much of the present phase is done.', ['phase']],
    () => {
      const { phase, done, total } = market.status().chain.backfill
      return [{ labels: { phase }, value: total === 0 ? 1 : done / total }]
    },
  )
}

/** The store counts events that it repaired; reorganisations are counted here as they are seen. */
const addReorgs = (registry: Registry, market: Market): void => {
  const help = 'Times that this process saw stored blocks replaced otherwise than by a repair.'
  const counter = new Counter(settingsOf(registry, ['reorgs_total', help, []]))
  let repairs: number | null = null
  market.subscribe((news) => {
    const before = repairs
    repairs = market.status().chain.repairs
    const isRepair = before !== null && repairs > before
    if (!isRepair && news.some(({ topic }) => topic === 'rollback')) counter.inc()
  })
}

const addMarket = (registry: Registry, market: Market): void => {
  addGauge(registry, ['up', '1 while the store can be read and there is a snapshot.', []], () => [
    { value: market.health().ok ? 1 : 0 },
  ])
  addGauge(registry, ['pools', 'Pools by what they are.', ['of']], () =>
    Object.entries(market.health().pools).map(([of, value]) => ({ labels: { of }, value })),
  )
}

const addRpc = (registry: Registry, rpc: MetricsParts['rpc']): void => {
  const each = (countOf: (counts: RpcCounts) => number) => () =>
    rpc().map((counts) => ({ labels: { host: counts.host }, value: countOf(counts) }))
  addCounter(
    registry,
    ['rpc_requests_total', 'HTTP requests to the endpoint.', ['host']],
    each(({ requests }) => requests),
  )
  addCounter(
    registry,
    ['rpc_calls_total', 'JSON-RPC calls in them.', ['host']],
    each(({ calls }) => calls),
  )
  addGauge(
    registry,
    ['rpc_ready', '1 while the endpoint is asked.', ['host']],
    each(({ state }) => (state === 'ready' ? 1 : 0)),
  )
  addCounter(
    registry,
    ['rpc_faults_total', 'Answers that were none, by kind.', ['host', 'kind']],
    () =>
      rpc().flatMap(({ host, faults }) =>
        Object.entries(faults).map(([kind, value]) => ({ labels: { host, kind }, value })),
      ),
  )
}

/** Everything that an operator watches (docs/operations.md), for Prometheus. */
export const createMetrics = ({ market, rpc, storeBytes, nowMs }: MetricsParts): Metrics => {
  const registry = new Registry()
  // Memory, handles, garbage collection and how long the event loop keeps others waiting.
  collectDefaultMetrics({ register: registry })
  addMarket(registry, market)
  addSources(registry, market)
  addChain(registry, market)
  addReorgs(registry, market)
  addRpc(registry, rpc)
  addGauge(registry, ['store_bytes', 'Size of the store on disk.', []], () => [
    { value: storeBytes() },
  ])
  return { meter: createMeter(registry, nowMs), text: () => registry.metrics() }
}
