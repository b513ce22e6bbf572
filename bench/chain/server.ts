import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import {
  createFaultInjector,
  disturbLogs,
  dropOneLog,
  type InjectedFault,
} from './fault-injection.ts'
import { createSyntheticChain } from './generate.ts'
import { type Answer, createNode, type RpcCall } from './node.ts'
import { defaultNodeBehavior, type FixedNodeOptions, type NodeBehavior } from './node-behavior.ts'
import { type ChainParams, chainId, defaultChainParams } from './params.ts'

/**
 * A JSON-RPC node of a synthetic chain on the loopback interface, in a thread or a process of its
 * own (`node bench/chain/server.ts '{"params": {"blocks": 1000}}'`). `GET /counts` returns request
 * counts, `POST /behavior` changes its behavior.
 */

export type NodeOptions = {
  readonly params: Partial<ChainParams>
  /** A second branch that the node can switch to. */
  readonly fork: ChainParams['fork']
  readonly fixed: Partial<FixedNodeOptions>
  readonly behavior: Partial<NodeBehavior>
}

export type NodeCounts = {
  readonly requests: number
  /** JSON-RPC calls by method. */
  readonly calls: Readonly<Record<string, number>>
  readonly faults: Readonly<Record<string, number>>
  readonly logs: number
  readonly bytes: number
  /** Requests that asked for logs. */
  readonly logRequests: number
}

const zeroCounts: NodeCounts = {
  requests: 0,
  calls: {},
  faults: {},
  logs: 0,
  bytes: 0,
  logRequests: 0,
}

const options: Partial<NodeOptions> = isMainThread
  ? JSON.parse(process.argv[2] ?? '{}')
  : (workerData as NodeOptions)
const params: ChainParams = { ...defaultChainParams, ...options.params }
const { timestamps = 'right', seed = 1 } = options.fixed ?? {}
const node = createNode(
  {
    main: createSyntheticChain({ ...params, fork: null }),
    fork: options.fork ? createSyntheticChain({ ...params, fork: options.fork }) : null,
  },
  timestamps,
)
const faultInjector = createFaultInjector(seed)
let behavior: NodeBehavior = { ...defaultNodeBehavior(chainId), ...options.behavior }
let counts = zeroCounts

const jsonHeaders = { 'content-type': 'application/json' }
const rateText = 'Too Many Requests'

const count = (record: Readonly<Record<string, number>>, key: string) => ({
  ...record,
  [key]: (record[key] ?? 0) + 1,
})

const countLogs = (answers: readonly Answer[]): void => {
  for (const answer of answers) {
    if ('result' in answer) counts = { ...counts, logs: counts.logs + answer.logs }
  }
}

const mapLogs = (
  answer: Answer,
  change: (logs: readonly unknown[]) => readonly unknown[],
): Answer => {
  if ('error' in answer || answer.logs === 0) return answer
  const logs = change(JSON.parse(Buffer.concat(answer.result).toString()) as readonly unknown[])
  return { result: [Buffer.from(JSON.stringify(logs))], logs: logs.length }
}

const countFault = (kind: string): void => {
  counts = { ...counts, faults: count(counts.faults, kind) }
}

/** Applies the log faults that are due. */
const withLogFaults = (answer: Answer): Answer => {
  if ('error' in answer || answer.logs === 0) return answer
  if (faultInjector.omitsLog(behavior)) {
    countFault('forgotten')
    return mapLogs(answer, (logs) => dropOneLog(logs, faultInjector.random))
  }
  const kind = faultInjector.nextDisturbance(behavior)
  if (kind === null) return answer
  countFault(kind)
  return mapLogs(answer, (logs) => disturbLogs(kind, logs, faultInjector.random))
}

const answersOf = (calls: readonly RpcCall[]): readonly Answer[] => {
  const answers = calls.map((call) => withLogFaults(node(call, behavior)))
  countLogs(answers)
  return answers
}

const serializeAnswer = ({ id }: RpcCall, answer: Answer): readonly Buffer[] => {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`
  return 'error' in answer
    ? [Buffer.from(`${head}"error":${JSON.stringify(answer.error)}}`)]
    : [Buffer.from(`${head}"result":`), ...answer.result, Buffer.from('}')]
}

const comma = Buffer.from(',')

const serializeBody = (calls: readonly RpcCall[], answers: readonly Answer[], isBatch: boolean) => {
  const texts = calls.map((call, at) => serializeAnswer(call, answers[at] as Answer))
  if (!isBatch) return Buffer.concat(texts.flat())
  const joined = texts.flatMap((parts, at) => (at === 0 ? parts : [comma, ...parts]))
  return Buffer.concat([Buffer.from('['), ...joined, Buffer.from(']')])
}

const dripMs = 100

/** Sends headers and a prefix, then one byte at a time until the client disconnects. */
const drip = async (response: ServerResponse): Promise<void> => {
  response.writeHead(200, jsonHeaders)
  response.write('[{"jsonrpc":"2.0"')
  while (!response.destroyed) {
    response.write(' ')
    await delay(dripMs)
  }
}

/** Sends the response with the given fault. */
const sendWithFault = (kind: InjectedFault, body: Buffer, response: ServerResponse): void => {
  const end = (status: number, text: Buffer | string, headers = {}): void => {
    response.writeHead(status, headers).end(text)
  }
  const retryAfter = { 'retry-after': String(behavior.retryAfterSeconds) }
  const senders: Readonly<Record<InjectedFault, () => unknown>> = {
    reset: () => response.socket?.resetAndDestroy(),
    'status-500': () => end(500, 'internal error'),
    truncated: () => {
      end(200, body.subarray(0, faultInjector.random.between(1, body.length - 1)), jsonHeaders)
    },
    html: () => end(200, '<!doctype html><title>502 Bad Gateway</title>', jsonHeaders),
    drip: () => drip(response),
    'status-429': () => end(429, rateText),
    'status-429-retry-after': () => end(429, rateText, retryAfter),
    'object-429': () => end(200, '{"code":429,"message":"slow down"}', jsonHeaders),
    'text-429': () => end(200, 'local_rate_limited'),
  }
  senders[kind]()
}

const serveRpc = async (text: string, response: ServerResponse): Promise<void> => {
  const json = JSON.parse(text) as RpcCall | readonly RpcCall[]
  const isBatch = Array.isArray(json)
  const calls = isBatch ? (json as readonly RpcCall[]) : [json as RpcCall]
  const hasLogs = calls.some(({ method }) => method === 'eth_getLogs')
  counts = { ...counts, requests: counts.requests + 1 }
  if (hasLogs) counts = { ...counts, logRequests: counts.logRequests + 1 }
  for (const { method } of calls) counts = { ...counts, calls: count(counts.calls, method) }
  if (behavior.latencyMs > 0) await delay(behavior.latencyMs)
  if (behavior.isDead) {
    response.socket?.resetAndDestroy()
    return
  }
  if (behavior.batchMax !== null && calls.length > behavior.batchMax) {
    const message = `batch of more than ${behavior.batchMax} requests are not allowed`
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }))
    return
  }
  const fault = faultInjector.next(behavior)
  if (fault !== null) countFault(fault)
  const body = serializeBody(calls, answersOf(calls), isBatch)
  if (fault !== null) {
    sendWithFault(fault, body, response)
    return
  }
  counts = { ...counts, bytes: counts.bytes + body.length }
  response.writeHead(200, { ...jsonHeaders, 'content-length': body.length }).end(body)
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const text = await readBody(request)
  if (request.url === '/counts') {
    response.end(JSON.stringify(counts))
    if (request.method === 'DELETE') counts = zeroCounts
    return
  }
  if (request.url === '/behavior') {
    behavior = { ...behavior, ...(JSON.parse(text) as Partial<NodeBehavior>) }
    response.end(JSON.stringify(behavior))
    return
  }
  await serveRpc(text, response)
}

/** Longer than a round, so that no request meets a connection that is just closing. */
const keepAliveMs = 60_000

const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
  serve(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error))
  })
})
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (parentPort === null) process.stdout.write(`${url}\n`)
  else parentPort.postMessage(url)
})
