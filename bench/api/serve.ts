import { createServer as createBareServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { catalogue } from '../../src/api/catalogue.ts'
import { serverLimits } from '../../src/api/http/limits.ts'
import { createMetrics } from '../../src/api/metrics/metrics.ts'
import { createServer } from '../../src/api/server.ts'
import { systemClock } from '../../src/cli/clock.ts'
import { createBigMarket } from './big-market.ts'

/*
 * The API server under load in its own process, beside a bare node:http server that writes the
 * same bytes and shows the upper limit.
 */

const poolCount = Number(process.argv[2])
const { market, advanceChain, emitEvents } = await createBigMarket(poolCount)

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
  // All load comes from one address.
  limits: {
    ...serverLimits,
    connectionsPerClientMax: serverLimits.connectionsMax,
    streamsPerClientMax: serverLimits.streamsMax,
  },
  rateLimitPerMinute: 0,
  trustedProxies: [],
  allowedOrigins: [],
  exportedFiles: null,
})
const listening = await server.listen({ host: '127.0.0.1', port: 0 })
if (!listening.ok) throw new Error(listening.fault.detail)

/** Response of the bare server; set before each comparison. */
let constant = Buffer.from('{}')
const bare = createBareServer((_request, response) => {
  const headers = ['content-type', 'application/json', 'content-length', String(constant.length)]
  response.writeHead(200, headers)
  response.end(constant)
})
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', () => resolve()))

type Order =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'events'; readonly perSecond: number }
  | { readonly kind: 'usage' }

let emitTimer: NodeJS.Timeout | undefined
let emitted = 0

const emitEvent = (): void => {
  emitEvents(1)
  emitted += 1
}

process.on('message', (order: Order) => {
  if (order.kind === 'constant') constant = Buffer.from(order.text)
  if (order.kind === 'events') {
    clearInterval(emitTimer)
    if (order.perSecond > 0) emitTimer = setInterval(emitEvent, 1000 / order.perSecond)
  }
  const { user, system } = process.cpuUsage()
  const cpuSeconds = (user + system) / 1e6
  process.send?.({ cpuSeconds, rssBytes: process.memoryUsage.rss(), emitted })
})
process.on('disconnect', () => process.exit(0))

setInterval(advanceChain, 500)
const barePort = (bare.address() as AddressInfo).port
process.send?.({ url: listening.value, bareUrl: `http://127.0.0.1:${barePort}/` })
