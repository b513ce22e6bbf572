import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBigMarket } from '../../bench/api/big-market.ts'
import type { ServerLimits } from '../../src/api/http/limits.ts'
import { createMetrics } from '../../src/api/metrics/metrics.ts'
import { systemClock } from '../../src/cli/clock.ts'
import type { ChangeEvent } from '../../src/market/changes.ts'
import type { Market } from '../../src/market/market.ts'
import { buildServer } from '../support/api/harness.ts'
import { samplePools } from '../support/api/sample-market.ts'
import { noon, tokens } from '../support/domain/sample-inputs.ts'
import {
  anchorAt,
  candleOf,
  marketOver,
  pointOf,
  sampleStore,
  swapOf,
} from '../support/market/sample-market.ts'
import { createStallMeter } from './stall-meter.ts'

/*
 * The abused server in its own process, so that its load is not the abuser's. It runs with
 * --expose-gc to measure the memory that it really holds.
 */

export type Settings = {
  /** The sample market, a small one over a real store, or a changing one with this many pools. */
  readonly market?: 'sample' | 'stored' | number
  readonly limits?: Partial<ServerLimits>
  readonly rateLimitPerMinute?: number
  /** By default the abuser and the normal client are clients of a trusted proxy. */
  readonly trustedProxies?: readonly string[]
}

export type Usage = {
  /** Heap and buffers after a garbage collection. */
  readonly heldBytes: number
  readonly rssBytes: number
  readonly cpuSeconds: number
  readonly connections: number
  /** Event loop delay since the start. */
  readonly stalledMs: number
  /** Log lines, unhandled rejections and uncaught exceptions. */
  readonly logged: readonly string[]
}

/** Since the start of this process. */
export type ProcessTime = {
  /** Active time of the event loop. */
  readonly activeMs: number
  /** CPU time. */
  readonly cpuMs: number
}

export type Command =
  | { readonly kind: 'usage' }
  | { readonly kind: 'pace' }
  /** Publishes `count` pool events of about `bytes` each. */
  | { readonly kind: 'news'; readonly count: number; readonly bytes: number }

const settings = JSON.parse(process.argv[2] ?? '{}') as Settings

const nowMs = () => performance.now()

/** The sample pools with a day of series and swaps. */
const storeWithHistory = () => {
  const store = sampleStore()
  const minutes = Array.from({ length: 300 }, (_, at) => noon - (noon % 60) - at * 60)
  store.write({
    header: { finalizedCursor: anchorAt(600, noon - 400) },
    candles: minutes.map((ts) => candleOf(ts)),
    references: minutes.map((ts, at) => pointOf(tokens.nvda, ts, 100 + (at % 7))),
    swaps: minutes.map((ts, at) => swapOf(990 - at, { ts })),
  })
  return store
}

const metricsOf = (market: Market) =>
  createMetrics({ market, rpc: () => [], storeBytes: () => null, nowMs })

const startMoving = async (pools: number) => {
  const { market, advanceChain } = await createBigMarket(pools)
  setInterval(advanceChain, 500)
  return { market, metrics: metricsOf(market) }
}

/** The clock stands at the time of the quotes. */
const startStored = async () => {
  const { market, clock } = marketOver(storeWithHistory())
  await market.refresh()
  return { market, metrics: metricsOf(market), clock: { now: () => clock.ts } }
}

const partsOf = async (kind: Settings['market']) => {
  if (typeof kind === 'number') return startMoving(kind)
  return kind === 'stored' ? startStored() : {}
}

const { server, market, logged } = buildServer({
  clock: systemClock,
  rateLimitPerMinute: settings.rateLimitPerMinute ?? 0,
  limits: settings.limits ?? {},
  trustedProxies: settings.trustedProxies ?? ['127.0.0.1'],
  ...(await partsOf(settings.market)),
})
// A constant revision makes the sample market's responses cacheable.
market.revision = 'one'

const listening = await server.listen({ host: '127.0.0.1', port: 0 })
if (!listening.ok) throw new Error(listening.fault.detail)

const unhandled: string[] = []
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error: unknown) => unhandled.push(`${event}: ${String(error)}`))
}

const stalledMs = createStallMeter()

const collect = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await nextTurn()
  }
}

const usage = async (): Promise<Usage> => {
  await collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    heldBytes: heapUsed + external,
    rssBytes: rss,
    cpuSeconds: (user + system) / 1e6,
    stalledMs: stalledMs(),
    connections: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    logged: [...logged.map((line) => JSON.stringify(line)), ...unhandled],
  }
}

const pace = (): ProcessTime => {
  const { user, system } = process.cpuUsage()
  return { activeMs: performance.eventLoopUtilization().active, cpuMs: (user + system) / 1000 }
}

/** Returns the CPU time in ms. */
const publish = (count: number, bytes: number): number => {
  const [pool] = samplePools
  if (pool === undefined) return 0
  const began = process.cpuUsage()
  const data = { ...pool, otherSymbol: 'x'.repeat(bytes) }
  const about = { symbols: ['NVDA'], poolId: pool.id }
  market.publish(Array.from({ length: count }, (): ChangeEvent => ({ topic: 'pool', data, about })))
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

process.on('message', async (order: Command) => {
  if (order.kind === 'usage') process.send?.(await usage())
  else if (order.kind === 'pace') process.send?.(pace())
  else process.send?.(publish(order.count, order.bytes))
})
process.on('disconnect', () => process.exit(0))
process.send?.(Number(new URL(listening.value).port))
