import { createServer as createBareServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { catalogue } from '../../src/api/catalogue.ts'
import { serverLimits } from '../../src/api/http/limits.ts'
import { createMetrics } from '../../src/api/metrics/metrics.ts'
import { createServer } from '../../src/api/server.ts'
import { systemClock } from '../../src/cli/clock.ts'
import { createBigMarket } from './big-market.ts'

/*
 * The service under load in a process of its own, and beside it a bare server of node that writes
 * the same bytes: what is physically there to be had.
 */

const poolCount = Number(process.argv[2])
const { market, churn, news } = await createBigMarket(poolCount)

const logger = { debug: () => {}, info: () => {}, warn: console.error, error: console.error }
const metrics = createMetrics({
  market,
  rpc: () => [],
  storeBytes: () => null,
  nowMs: () => performance.now(),
})
const server = createServer({
  market,
  catalogue,
  metrics,
  clock: systemClock,
  logger,
  network: { name: 'bench', sandbox: true, explorerUrl: null },
  limits: serverLimits,
  rateLimitPerMinute: 0,
  trustedProxies: [],
})
const listening = await server.listen({ host: '127.0.0.1', port: 0 })
if (!listening.ok) throw new Error(listening.fault.detail)

/** What the bare server writes: set before each comparison. */
let constant = Buffer.from('{}')
const bare = createBareServer((_request, response) => {
  const headers = ['content-type', 'application/json', 'content-length', String(constant.length)]
  response.writeHead(200, headers)
  response.end(constant)
})
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', () => resolve()))

type Order =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'news'; readonly perSecond: number }
  | { readonly kind: 'usage' }

let telling: NodeJS.Timeout | undefined
let told = 0

const tellOne = (): void => {
  news(1)
  told += 1
}

process.on('message', (order: Order) => {
  if (order.kind === 'constant') constant = Buffer.from(order.text)
  if (order.kind === 'news') {
    clearInterval(telling)
    if (order.perSecond > 0) telling = setInterval(tellOne, 1000 / order.perSecond)
  }
  const { user, system } = process.cpuUsage()
  const cpuSeconds = (user + system) / 1e6
  process.send?.({ cpuSeconds, rssBytes: process.memoryUsage.rss(), told })
})
process.on('disconnect', () => process.exit(0))

setInterval(churn, 500)
const barePort = (bare.address() as AddressInfo).port
process.send?.({ url: listening.value, bareUrl: `http://127.0.0.1:${barePort}/` })
