import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { catalogue } from '../../../src/api/catalogue.ts'
import { type ServerLimits, serverLimits } from '../../../src/api/http/limits.ts'
import { createMetrics } from '../../../src/api/metrics/metrics.ts'
import { createServer, type ServerDeps } from '../../../src/api/server.ts'
import { createExportedFiles } from '../../../src/export/exported-files.ts'
import { createSampleMarket, type SampleMarket } from './sample-market.ts'

export type HttpReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON; fails if it is none. */
  readonly json: () => ReturnType<typeof JSON.parse>
}

export type RequestOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type LogLine = { readonly message: string; readonly fields: unknown }

export type TestServer = {
  readonly market: SampleMarket
  readonly port: number
  readonly clock: { ts: number }
  readonly logged: LogLine[]
  readonly request: (path: string, options?: RequestOptions) => Promise<HttpReply>
  /** Writes raw bytes and returns what the server sends until it closes the connection. */
  readonly raw: (text: string) => Promise<{ readonly text: string; readonly ms: number }>
  readonly dropConnections: () => void
  readonly close: () => Promise<void>
}

export type TestServerOptions = Partial<Omit<ServerDeps, 'limits'>> & {
  readonly limits?: Partial<ServerLimits>
}

const createReply = (status: number, headers: IncomingHttpHeaders, text: string): HttpReply => ({
  status,
  headers,
  text,
  json: () => JSON.parse(text),
})

const createRequest =
  (port: number, agent: Agent) =>
  (path: string, { method = 'GET', headers = {}, body }: RequestOptions = {}): Promise<HttpReply> =>
    new Promise((resolve, reject) => {
      const asking = request(
        { host: '127.0.0.1', port, path, method, headers, agent },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () =>
            resolve(createReply(response.statusCode ?? 0, response.headers, text)),
          )
          response.on('error', reject)
        },
      )
      asking.on('error', reject)
      asking.end(body)
    })

const createRawRequest = (port: number) => (text: string) =>
  new Promise<{ text: string; ms: number }>((resolve, reject) => {
    const began = performance.now()
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve({ text: answer, ms: performance.now() - began }))
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined))
  })

/** Some files and their manifest. */
export const exportedDirectory = fileURLToPath(new URL('exported', import.meta.url))

const nowMs = () => performance.now()

const sampleRpc = [
  { host: 'rpc.example', state: 'ready', requests: 7, calls: 20, faults: { timeout: 2 } },
]

/** A server over the sample market that does not listen yet; rates are unlimited by default. */
export const buildServer = (parts: TestServerOptions = {}) => {
  const market = createSampleMarket()
  const clock = { ts: 1_795_215_600 }
  const logged: LogLine[] = []
  const log = (message: string, fields?: unknown) => {
    logged.push({ message, fields })
  }
  const metrics = createMetrics({ market, rpc: () => sampleRpc, storeBytes: () => 4096, nowMs })
  const server = createServer({
    market,
    catalogue,
    metrics,
    network: { name: 'sandbox', sandbox: true, explorerUrl: null },
    clock: { now: () => clock.ts },
    logger: { debug: log, info: log, warn: log, error: log },
    rateLimitPerMinute: 0,
    trustedProxies: [],
    allowedOrigins: [],
    exportedFiles: createExportedFiles({ directory: exportedDirectory, chainId: 4663 }),
    ...parts,
    limits: { ...serverLimits, ...parts.limits },
  })
  return { server, market, clock, logged }
}

/** The same on a free port. */
export const startServer = async (
  parts: TestServerOptions = {},
  host = '127.0.0.1',
): Promise<TestServer> => {
  const { server, ...inside } = buildServer(parts)
  const listening = await server.listen({ host, port: 0 })
  if (!listening.ok) throw new Error(listening.fault.detail)
  const port = Number(new URL(listening.value).port)
  const agent = new Agent({ keepAlive: true })
  return {
    ...inside,
    port,
    request: createRequest(port, agent),
    raw: createRawRequest(port),
    dropConnections: server.dropConnections,
    close: server.close,
  }
}

/** The same for one test, which closes it. */
export const startForTest = async (
  parts: TestServerOptions = {},
  host = '127.0.0.1',
): Promise<TestServer> => {
  const server = await startServer(parts, host)
  onTestFinished(server.close)
  return server
}
