import type { IncomingMessage } from 'node:http'
import { Type } from 'typebox'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { type Problem, problems } from '../http/problems.ts'
import type { RawExchange } from '../http/send-response.ts'
import { rejectExchange } from '../http/send-response.ts'
import type { RawRoute, RouteContext } from '../routes/route.ts'

/** The longest legitimate request has a few hundred bytes. */
const bodyBytesMax = 64 * 1024

/** Legitimate requests have fewer than five levels; validating deep ones is expensive. */
const depthMax = 32

const [quote, backslash] = [0x22, 0x5c]
const openers = [0x5b, 0x7b]
const closers = [0x5d, 0x7d]

/** Whether arrays and objects are nested more than `depthMax` deep. */
const isDeep = (json: Buffer): boolean => {
  let depth = 0
  let isString = false
  for (let at = 0; at < json.length && depth <= depthMax; at++) {
    const byte = json[at] ?? 0
    if (isString && byte === backslash) at += 1
    else if (byte === quote) isString = !isString
    else if (!isString && openers.includes(byte)) depth += 1
    else if (!isString && closers.includes(byte)) depth -= 1
  }
  return depth > depthMax
}

const parseBody = (bytes: Buffer): Outcome<unknown, Problem> => {
  if (isDeep(bytes)) return failure(problems.nestedTooDeeply)
  try {
    return success(JSON.parse(bytes.toString('utf8')))
  } catch {
    return failure(problems.notJson)
  }
}

/**
 * Reads a JSON body of limited size; the server limits the time. It uses events because leaving an
 * iteration early would close the connection before the error response.
 */
const readJsonBody = (request: IncomingMessage): Promise<Outcome<unknown, Problem>> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bodyBytesMax) resolve(failure(problems.bodyTooLarge))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(parseBody(Buffer.concat(chunks))))
    request.on('close', () => resolve(failure(problems.notJson)))
    request.on('error', () => resolve(failure(problems.notJson)))
  })

/** Requests in one batch; each counts against the rate limit. */
const batchMax = 8

const handle = async (exchange: RawExchange, context: RouteContext): Promise<void> => {
  const { request, response, headers } = exchange
  const body = await readJsonBody(request)
  if (!body.ok) return rejectExchange(exchange, body.fault)
  const requests = Array.isArray(body.value) ? body.value.length : 1
  if (requests > batchMax) return rejectExchange(exchange, problems.batchTooLarge(batchMax))
  if (requests > 1) exchange.charge(requests - 1)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('cache-control', 'no-store')
  // Loaded on first use: the SDK is a third of the API's start time.
  const { handleMcpMessage } = await import('./handle-messages.ts')
  await handleMcpMessage(exchange, body.value, context)
}

const version = { jsonrpc: Type.Literal('2.0') }
const id = Type.Union([Type.String(), Type.Integer()])

const RequestSchema = Type.Object({
  ...version,
  id: Type.Optional(id),
  method: Type.String({
    description: 'A Model Context Protocol method, for example `tools/call`.',
  }),
  params: Type.Optional(Type.Object({})),
})

const MessageSchema = Type.Union(
  [RequestSchema, Type.Array(RequestSchema, { minItems: 1, maxItems: batchMax })],
  {
    description: 'Send `Accept: application/json, text/event-stream`, as the protocol requires.',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  },
)

const SingleResponseSchema = Type.Object({ ...version, id: Type.Union([id, Type.Null()]) })
const ResponseSchema = Type.Union([SingleResponseSchema, Type.Array(SingleResponseSchema)])

/** Model Context Protocol over streamable HTTP, stateless. */
export const mcpRoute: RawRoute = {
  path: '/mcp',
  summary: 'Model Context Protocol server: the same data as tools for language models.',
  operationId: 'sendMcpMessage',
  description:
    'Tools and resources for language models over streamable HTTP, stateless, one ' +
    'JSON-RPC message or a batch. The tools are the endpoints of this document.',
  tag: 'service',
  methods: ['POST'],
  rateLimited: true,
  crossOrigin: 'checked',
  queryFields: {},
  body: MessageSchema,
  reply: {
    types: ['application/json'],
    description: 'The JSON-RPC response, or an array with one per request of a batch.',
    schema: ResponseSchema,
  },
  errors: ['forbidden', 'content_too_large'],
  open: (context) => ({
    handle: (exchange) => {
      handle(exchange, context).catch((error) => {
        context.logger.error('MCP request failed', { requestId: exchange.requestId, error })
        exchange.response.destroy()
      })
    },
    close: () => {},
  }),
}
