import { failure, type Outcome, success } from '../../src/domain/outcome.ts'
import type { HttpClient, HttpFault, HttpRequest, HttpResponse } from '../../src/net/http-client.ts'
import type { RpcCall } from '../../src/rpc/json-rpc.ts'
import type { Random } from './random.ts'
import type { SimNode } from './sim-node.ts'
import type { VirtualTime } from './virtual-time.ts'

/** What may happen to one request on its way, before or after a node has answered it. */
export const accidents = [
  'no-connection',
  'dripping',
  'rate-status',
  'rate-status-retry',
  'rate-json',
  'rate-json-retry',
  'rate-text',
  'truncated',
  'html',
  'bad-gateway',
  'oversized',
  'empty',
] as const
export type Accident = (typeof accidents)[number]

/** One address: perhaps several nodes, and what goes wrong there. */
export type SimUrl = {
  readonly url: string
  readonly nodes: readonly SimNode[]
  /** Of a hundred requests so many meet one of the accidents. */
  share: number
  accidents: readonly Accident[]
  latencyMs: number
  batchMax: number
}

type Answer = Outcome<HttpResponse, HttpFault>

const answered = (text: string, status = 200, retryAfterSeconds: number | null = null): Answer =>
  success({ status, retryAfterSeconds, body: [Buffer.from(text)] })

const retrySeconds = 3
const limited = '{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"slow down"}}'
const page = '<!DOCTYPE html><html><body>Just a moment...</body></html>'

/** The request's fate, as the real HTTP client would report it. */
const meet = async (
  accident: Accident,
  given: {
    readonly text: () => string
    readonly deadlineMs: number
    readonly time: VirtualTime
    readonly random: Random
  },
): Promise<Answer> => {
  switch (accident) {
    case 'no-connection':
      return failure({ kind: 'unreachable', detail: 'connection failed (ECONNREFUSED)' })
    case 'dripping':
      await given.time.sleep(given.deadlineMs)
      return failure({ kind: 'timeout', detail: 'response timed out' })
    case 'rate-status':
      return answered('Too Many Requests', 429)
    case 'rate-status-retry':
      return answered('', 429, retrySeconds)
    case 'rate-json':
      return answered(limited)
    case 'rate-json-retry':
      return answered(limited, 200, retrySeconds)
    case 'rate-text':
      return answered('local_rate_limited')
    case 'truncated': {
      const text = given.text()
      return answered(text.slice(0, given.random.between(0, text.length - 1)))
    }
    case 'html':
      return answered(page)
    case 'bad-gateway':
      return answered(page, 502)
    case 'oversized':
      return failure({ kind: 'too-large', detail: 'response too large' })
    case 'empty':
      return answered('')
  }
}

type Request = RpcCall & { readonly id: number }

const textOf = (node: SimNode, { batchMax }: SimUrl, body: string): string => {
  const json = JSON.parse(body) as Request | readonly Request[]
  if (!Array.isArray(json)) {
    return JSON.stringify({ jsonrpc: '2.0', id: 1, ...node.answer(json as Request) })
  }
  if (json.length > batchMax) {
    const message = `Batch of more than ${batchMax} requests are not allowed`
    return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } })
  }
  const answers = json.map((call) => ({ jsonrpc: '2.0', id: call.id, ...node.answer(call) }))
  return JSON.stringify(answers)
}

/** Carries requests to simulated nodes: bytes in, bytes out, in virtual time, without sockets. */
export const createSimOutbound = (deps: {
  readonly urls: readonly SimUrl[]
  readonly time: VirtualTime
  readonly random: Random
  /** The request is about to be answered. */
  readonly onRequest: () => void
}): HttpClient => {
  const { urls, time, random, onRequest } = deps
  return async ({ url, body = '', deadlineMs, bytesMax }: HttpRequest) => {
    const place = urls.find((each) => each.url === url)
    if (place === undefined) return failure({ kind: 'unreachable', detail: 'no such host' })
    await time.sleep(place.latencyMs)
    onRequest()
    const node = random.pick(place.nodes)
    const text = () => textOf(node, place, body)
    if (place.accidents.length > 0 && random.percent(place.share)) {
      return meet(random.pick(place.accidents), { text, deadlineMs, time, random })
    }
    const whole = text()
    if (whole.length > bytesMax) {
      return failure({ kind: 'too-large', detail: 'response too large' })
    }
    return answered(whole)
  }
}
