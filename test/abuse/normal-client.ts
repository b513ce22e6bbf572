import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * A normal client in its own process: it sends one request after the other during the abuse and
 * measures the latency of each.
 */

export type Latencies = { readonly asked: number; readonly failed: number; readonly p99Ms: number }

const pauseMs = 2
/** Enough for a p99 of them to mean something, however few of them are answered in a second. */
const askedMin = 300
/** Only a missing response is a failure; latency is measured separately. */
const waitMsMax = 120_000
const paths = ['/api/v1/pools?limit=25', '/api/v1/stocks', '/api/v1/health', '/api/v1/status']

const port = Number(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Behind a proxy, which is believed where requests are limited: as one of many normal clients. */
const headersOf = (at: number) => ({ 'x-forwarded-for': `198.51.${at % 100}.${at % 7}` })

const ask = (at: number): Promise<boolean> =>
  new Promise((resolve) => {
    const path = paths[at % paths.length] ?? ''
    const headers = headersOf(at)
    const options = { host: '127.0.0.1', port, path, headers, agent, timeout: waitMsMax }
    const asking = get(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200))
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(false))
  })

let isAsking = false

const sendContinuously = async (): Promise<Latencies> => {
  const tookMs: number[] = []
  let failed = 0
  for (isAsking = true; isAsking || tookMs.length < askedMin; await sleep(pauseMs)) {
    const beganMs = performance.now()
    if (!(await ask(tookMs.length))) failed += 1
    tookMs.push(performance.now() - beganMs)
  }
  // A connection that idles until the next time would be closed just when it is used again.
  agent.destroy()
  const p99Ms = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? 0
  return { asked: tookMs.length, failed, p99Ms }
}

let asked: Promise<Latencies> | null = null

process.on('message', async (order: 'begin' | 'end') => {
  if (order === 'begin') {
    asked = sendContinuously()
    return
  }
  isAsking = false
  process.send?.(await asked)
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
