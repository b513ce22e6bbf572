import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { createSyntheticChain } from './generate.ts'
import { type Manners, mannersDefault, type NodeMaking } from './manners.ts'
import { createMischief, disturbed, forgetful, type Mischief } from './mischief.ts'
import { type Answer, createNode, type RpcCall } from './node.ts'
import { type ChainParams, chainId, paramsDefault } from './params.ts'

/**
 * A JSON-RPC node of a synthetic chain on the loopback interface, in a thread or a process of its
 * own (`node bench/chain/server.ts '{"params": {"blocks": 1000}}'`). `GET /counts` tells what was
 * asked, `POST /manners` changes how it behaves.
 */

export type NodeOrder = {
  readonly params: Partial<ChainParams>
  /** Another branch that it can be switched to. */
  readonly fork: ChainParams['fork']
  readonly making: Partial<NodeMaking>
  readonly manners: Partial<Manners>
}

export type NodeCounts = {
  readonly requests: number
  /** JSON-RPC calls by method. */
  readonly calls: Readonly<Record<string, number>>
  readonly mischief: Readonly<Record<string, number>>
  readonly logs: number
  readonly bytes: number
  /** Requests that asked for logs. */
  readonly logRequests: number
}

const countsFirst: NodeCounts = {
  requests: 0,
  calls: {},
  mischief: {},
  logs: 0,
  bytes: 0,
  logRequests: 0,
}

const given: Partial<NodeOrder> = isMainThread
  ? JSON.parse(process.argv[2] ?? '{}')
  : (workerData as NodeOrder)
const params: ChainParams = { ...paramsDefault, ...given.params }
const { stamps = 'right', seed = 1 } = given.making ?? {}
const node = createNode(
  {
    main: createSyntheticChain({ ...params, fork: null }),
    fork: given.fork ? createSyntheticChain({ ...params, fork: given.fork }) : null,
  },
  stamps,
)
const mischief = createMischief(seed)
let manners: Manners = { ...mannersDefault(chainId), ...given.manners }
let counts = countsFirst

const jsonHeaders = { 'content-type': 'application/json' }
const rateText = 'Too Many Requests'

const count = (record: Readonly<Record<string, number>>, key: string) => ({
  ...record,
  [key]: (record[key] ?? 0) + 1,
})

const noteAnswers = (answers: readonly Answer[]): void => {
  for (const answer of answers) {
    if ('result' in answer) counts = { ...counts, logs: counts.logs + answer.logs }
  }
}

const retold = (answer: Answer, tell: (logs: readonly unknown[]) => readonly unknown[]): Answer => {
  if ('error' in answer || answer.logs === 0) return answer
  const logs = tell(JSON.parse(Buffer.concat(answer.result).toString()) as readonly unknown[])
  return { result: [Buffer.from(JSON.stringify(logs))], logs: logs.length }
}

const noteMischief = (kind: string): void => {
  counts = { ...counts, mischief: count(counts.mischief, kind) }
}

/** Logs as the node tells them, who may be confused or forgetful. */
const told = (answer: Answer): Answer => {
  if ('error' in answer || answer.logs === 0) return answer
  if (mischief.forgets(manners)) {
    noteMischief('forgotten')
    return retold(answer, (logs) => forgetful(logs, mischief.random))
  }
  const kind = mischief.disturbs(manners)
  if (kind === null) return answer
  noteMischief(kind)
  return retold(answer, (logs) => disturbed(kind, logs, mischief.random))
}

const answersOf = (calls: readonly RpcCall[]): readonly Answer[] => {
  const answers = calls.map((call) => told(node(call, manners)))
  noteAnswers(answers)
  return answers
}

const textOf = ({ id }: RpcCall, answer: Answer): readonly Buffer[] => {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`
  return 'error' in answer
    ? [Buffer.from(`${head}"error":${JSON.stringify(answer.error)}}`)]
    : [Buffer.from(`${head}"result":`), ...answer.result, Buffer.from('}')]
}

const comma = Buffer.from(',')

const bodyOf = (calls: readonly RpcCall[], answers: readonly Answer[], isBatch: boolean) => {
  const texts = calls.map((call, at) => textOf(call, answers[at] as Answer))
  if (!isBatch) return Buffer.concat(texts.flat())
  const joined = texts.flatMap((parts, at) => (at === 0 ? parts : [comma, ...parts]))
  return Buffer.concat([Buffer.from('['), ...joined, Buffer.from(']')])
}

const dripMs = 100

/** Headers and a beginning, then a byte at a time for as long as anybody listens. */
const drip = async (response: ServerResponse): Promise<void> => {
  response.writeHead(200, jsonHeaders)
  response.write('[{"jsonrpc":"2.0"')
  while (!response.destroyed) {
    response.write(' ')
    await delay(dripMs)
  }
}

/** Spoils the answer as a whole. */
const spoil = (kind: Mischief, body: Buffer, response: ServerResponse): void => {
  const end = (status: number, text: Buffer | string, headers = {}): void => {
    response.writeHead(status, headers).end(text)
  }
  const retryAfter = { 'retry-after': String(manners.retryAfterSeconds) }
  const ways: Readonly<Record<Mischief, () => unknown>> = {
    reset: () => response.socket?.resetAndDestroy(),
    'status-500': () => end(500, 'internal error'),
    truncated: () => {
      end(200, body.subarray(0, mischief.random.between(1, body.length - 1)), jsonHeaders)
    },
    html: () => end(200, '<!doctype html><title>502 Bad Gateway</title>', jsonHeaders),
    drip: () => drip(response),
    'status-429': () => end(429, rateText),
    'status-429-retry-after': () => end(429, rateText, retryAfter),
    'object-429': () => end(200, '{"code":429,"message":"slow down"}', jsonHeaders),
    'text-429': () => end(200, 'local_rate_limited'),
  }
  ways[kind]()
}

const serveRpc = async (text: string, response: ServerResponse): Promise<void> => {
  const json = JSON.parse(text) as RpcCall | readonly RpcCall[]
  const isBatch = Array.isArray(json)
  const calls = isBatch ? (json as readonly RpcCall[]) : [json as RpcCall]
  const hasLogs = calls.some(({ method }) => method === 'eth_getLogs')
  counts = { ...counts, requests: counts.requests + 1 }
  if (hasLogs) counts = { ...counts, logRequests: counts.logRequests + 1 }
  for (const { method } of calls) counts = { ...counts, calls: count(counts.calls, method) }
  if (manners.latencyMs > 0) await delay(manners.latencyMs)
  if (manners.isDead) {
    response.socket?.resetAndDestroy()
    return
  }
  if (manners.batchMax !== null && calls.length > manners.batchMax) {
    const message = `batch of more than ${manners.batchMax} requests are not allowed`
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }))
    return
  }
  const due = mischief.next(manners)
  if (due !== null) noteMischief(due)
  const body = bodyOf(calls, answersOf(calls), isBatch)
  if (due !== null) {
    spoil(due, body, response)
    return
  }
  counts = { ...counts, bytes: counts.bytes + body.length }
  response.writeHead(200, { ...jsonHeaders, 'content-length': body.length }).end(body)
}

const textOfRequest = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const text = await textOfRequest(request)
  if (request.url === '/counts') {
    response.end(JSON.stringify(counts))
    if (request.method === 'DELETE') counts = countsFirst
    return
  }
  if (request.url === '/manners') {
    manners = { ...manners, ...(JSON.parse(text) as Partial<Manners>) }
    response.end(JSON.stringify(manners))
    return
  }
  await serveRpc(text, response)
}

/** Longer than a round: the next request must not meet a connection that is just being closed. */
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
