import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBigMarket } from '../../bench/api/big-market.ts'
import type { ServerLimits } from '../../src/api/limits.ts'
import { createMetrics } from '../../src/api/metrics/metrics.ts'
import type { News } from '../../src/api/news.ts'
import { buildServer } from '../../src/api/testing/harness.ts'
import { samplePools } from '../../src/api/testing/sample-market.ts'
import { systemClock } from '../../src/clock.ts'

/*
 * The server that is abused, in a process of its own: what it suffers is then not what the abuser
 * suffers. Started with --expose-gc, so that it can tell what it really holds.
 */

export type Settings = {
  /** A market of so many pools that moves on; 0: the sample market, which stands still. */
  readonly pools?: number
  readonly limits?: Partial<ServerLimits>
  readonly rateLimitPerMinute?: number
}

export type Usage = {
  /** After a collection: everything of ours, buffers included. */
  readonly heldBytes: number
  readonly rssBytes: number
  readonly cpuSeconds: number
  readonly connections: number
  /** Lines of the log: faults of ours, and rejections that nobody handled. */
  readonly logged: readonly string[]
}

export type Order =
  | { readonly kind: 'usage' }
  /** Tells everybody who listens of so many pools; `bytes` makes each event about that long. */
  | { readonly kind: 'news'; readonly count: number; readonly bytes: number }

const settings = JSON.parse(process.argv[2] ?? '{}') as Settings

const startMarket = async (pools: number) => {
  const { market, churn } = await createBigMarket(pools)
  setInterval(churn, 500)
  const nowMs = () => performance.now()
  const metrics = createMetrics({ market, rpc: () => [], storeBytes: () => null, nowMs })
  return { market, metrics }
}

const moving = (settings.pools ?? 0) === 0 ? {} : await startMarket(settings.pools ?? 0)
const { server, market, logged } = buildServer({
  clock: systemClock,
  rateLimitPerMinute: settings.rateLimitPerMinute ?? 0,
  limits: settings.limits ?? {},
  ...moving,
})
market.revision = 'one'

const listening = await server.listen({ host: '127.0.0.1', port: 0 })
if (!listening.ok) throw new Error(listening.fault.detail)

const unhandled: string[] = []
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error: unknown) => unhandled.push(`${event}: ${String(error)}`))
}

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
    connections: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    logged: [...logged.map((line) => JSON.stringify(line)), ...unhandled],
  }
}

const tell = (count: number, bytes: number): void => {
  const [pool] = samplePools
  if (pool === undefined) return
  const data = { ...pool, otherSymbol: 'x'.repeat(bytes) }
  const about = { symbols: ['NVDA'], poolId: pool.id }
  market.tell(Array.from({ length: count }, (): News => ({ topic: 'pool', data, about })))
}

process.on('message', async (order: Order) => {
  if (order.kind === 'news') tell(order.count, order.bytes)
  process.send?.(await usage())
})
process.on('disconnect', () => process.exit(0))
process.send?.(Number(new URL(listening.value).port))
