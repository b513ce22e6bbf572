import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { sourceStates } from '../../domain/status/data-status.ts'
import type { Market } from '../../market/market.ts'

/** What an indexer in this process did at one RPC endpoint. */
export type RpcCounts = {
  /** The host only: a URL may contain a key. */
  readonly host: string
  readonly state: string
  readonly requests: number
  readonly calls: number
  readonly faults: Readonly<Record<string, number>>
}

export type RequestTimer = {
  /** Returns the start time for `end`, in milliseconds. */
  readonly start: () => number
  readonly end: (
    startedMs: number,
    request: { readonly route: string; readonly status: number },
  ) => void
}

export type Metrics = {
  readonly requestTimer: RequestTimer
  /** Renders Prometheus's text format. */
  readonly text: () => Promise<string>
}

type MetricsDeps = {
  readonly market: Market
  /** Empty if another process indexes. */
  readonly rpc: () => readonly RpcCounts[]
  /** Null for a store in memory, or while the size is unknown. */
  readonly storeBytes: () => number | null
  /** A monotonic clock. */
  readonly nowMs: () => number
}

/** From a cached response to one that is computed over 46,000 pools. */
const durationBuckets = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

const createRequestTimer = (registry: Registry, nowMs: () => number): RequestTimer => {
  const durations = new Histogram({
    name: 'stockpools_http_request_duration_seconds',
    help: 'From the request to the last byte written to the socket.',
    labelNames: ['route', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  })
  const children = new Map<string, { observe: (seconds: number) => void }>()
  return {
    start: nowMs,
    end: (startedMs, { route, status }) => {
      const key = `${route} ${status}`
      const child = children.get(key) ?? durations.labels(route, String(status))
      children.set(key, child)
      child.observe((nowMs() - startedMs) / 1000)
    },
  }
}

type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number | null }

/** The name without the prefix `stockpools_`, the help text and the label names. */
type Description = readonly [name: string, help: string, ...labels: readonly string[]]

const describe = (registry: Registry, [name, help, ...labelNames]: Description) => ({
  name: `stockpools_${name}`,
  help,
  labelNames,
  registers: [registry],
})

type AddMetric = (description: Description, read: () => readonly Sample[] | number | null) => void

/** Adds a metric that is read when the metrics are rendered; null means no sample. */
const createAddMetric =
  (registry: Registry, Collector: typeof Gauge | typeof Counter): AddMetric =>
  (description, read) => {
    const collector = new Collector({
      ...describe(registry, description),
      collect: () => {
        collector.reset()
        // A metric without labels has a sample of 0 after a reset.
        collector.remove({})
        const samples = read()
        const list = Array.isArray(samples) ? samples : [{ value: samples }]
        for (const { labels = {}, value } of list) if (value !== null) collector.inc(labels, value)
      },
    })
  }

type Adders = { readonly gauge: AddMetric; readonly counter: AddMetric }

const addMarket = ({ gauge }: Adders, market: Market): void => {
  gauge(['up', '1 while the store is readable and there is a snapshot.'], () =>
    market.health().ok ? 1 : 0,
  )
  gauge(['pools', 'Pools by kind and state.', 'of'], () =>
    Object.entries(market.health().pools).map(([of, value]) => ({ labels: { of }, value })),
  )
  gauge(['source_state', '1 for the current state of the source.', 'source', 'state'], () =>
    market.status().sources.flatMap(({ source, state: current }) =>
      sourceStates.map((state) => ({
        labels: { source, state },
        value: state === current ? 1 : 0,
      })),
    ),
  )
  gauge(['source_age_seconds', 'Seconds since the last success of the source.', 'source'], () =>
    market
      .status()
      .sources.map(({ source, ageSeconds }) => ({ labels: { source }, value: ageSeconds })),
  )
}

const addChain = ({ gauge, counter }: Adders, market: Market): void => {
  const chain = () => market.status().chain
  counter(
    ['repairs_total', 'Missing, wrong or surplus events that finality checks found.'],
    () => chain().repairs,
  )
  gauge(['head_block', 'Newest block of the chain.'], () => chain().headBlock)
  gauge(['indexed_block', 'Newest indexed block.'], () => chain().indexedBlock)
  gauge(
    ['settled_block', 'Newest block that passed the finality check.'],
    () => chain().settledBlock,
  )
  gauge(['lag_blocks', 'Blocks from the indexed block to the head.'], () => chain().lagBlocks)
  gauge(['lag_seconds', 'Age of the indexed block.'], () => chain().lagSeconds)
  gauge(
    ['lease_generation', 'Increases when another indexer takes over.'],
    () => chain().writer?.generation ?? null,
  )
  gauge(
    ['lease_age_seconds', 'Seconds since the leader renewed its lease.'],
    () => chain().writer?.ageSeconds ?? null,
  )
  gauge(['backfill_done_ratio', 'Completed share of the current phase.', 'phase'], () => {
    const { phase, done, total } = chain().backfill
    return [{ labels: { phase }, value: total === 0 ? 1 : done / total }]
  })
}

const addCoverage = ({ gauge }: Adders, market: Market): void => {
  const byVenue = (of: 'pools' | 'expected' | 'checkedBlock') => () =>
    market.status().coverage.map(({ venue, address, [of]: value }) => ({
      labels: { venue, address },
      value,
    }))
  const labels = ['venue', 'address'] as const
  gauge(
    ['venue_pools', 'Pools of a venue that the coverage audit found in the index.', ...labels],
    byVenue('pools'),
  )
  gauge(
    ['venue_pools_expected', 'Pools of a venue that the audit found in all.', ...labels],
    byVenue('expected'),
  )
  gauge(
    ['venue_checked_block', 'Block up to which the audit has read creation logs.', ...labels],
    byVenue('checkedBlock'),
  )
}

/** Reorgs are counted as this process sees them; the store counts only repairs. */
const addReorgs = (registry: Registry, market: Market): void => {
  const help = 'Branch replacements that this process saw, without repairs.'
  const counter = new Counter(describe(registry, ['reorgs_total', help]))
  let repairs: number | null = null
  market.subscribe((events) => {
    if (events.length === 0) return
    const previous = repairs
    repairs = market.status().chain.repairs
    const isRepair = previous !== null && repairs > previous
    if (!isRepair && events.some(({ topic }) => topic === 'rollback')) counter.inc()
  })
}

const addRpc = ({ gauge, counter }: Adders, rpc: MetricsDeps['rpc']): void => {
  const byHost = (read: (counts: RpcCounts) => number) => () =>
    rpc().map((counts) => ({ labels: { host: counts.host }, value: read(counts) }))
  counter(
    ['rpc_requests_total', 'HTTP requests to the endpoint.', 'host'],
    byHost(({ requests }) => requests),
  )
  counter(
    ['rpc_calls_total', 'JSON-RPC calls in these requests.', 'host'],
    byHost(({ calls }) => calls),
  )
  gauge(
    ['rpc_ready', '1 while the endpoint is in use.', 'host'],
    byHost(({ state }) => (state === 'ready' ? 1 : 0)),
  )
  counter(['rpc_faults_total', 'Failed requests by kind.', 'host', 'kind'], () =>
    rpc().flatMap(({ host, faults }) =>
      Object.entries(faults).map(([kind, value]) => ({ labels: { host, kind }, value })),
    ),
  )
}

/** The metrics of docs/operations.md for Prometheus. */
export const createMetrics = ({ market, rpc, storeBytes, nowMs }: MetricsDeps): Metrics => {
  const registry = new Registry()
  const adders = {
    gauge: createAddMetric(registry, Gauge),
    counter: createAddMetric(registry, Counter),
  }
  // Memory, handles, garbage collection and event loop delay.
  collectDefaultMetrics({ register: registry })
  addMarket(adders, market)
  addChain(adders, market)
  addCoverage(adders, market)
  addReorgs(registry, market)
  addRpc(adders, rpc)
  adders.gauge(['store_bytes', 'Size of the store on disk.'], storeBytes)
  return { requestTimer: createRequestTimer(registry, nowMs), text: () => registry.metrics() }
}
