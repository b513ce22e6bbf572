import type { IncomingMessage } from 'node:http'
import { Type } from 'typebox'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Problem } from '../http/problems.ts'
import { rejectExchange } from '../http/send-response.ts'
import type { RawExchange, RawRoute, RouteContext } from '../routes/route.ts'

/** The longest honest question is a few hundred bytes. */
const bodyBytesMax = 64 * 1024

/** No question has five. What is deeper is cheap to send, and costs much to check. */
const depthMax = 32

type BodyFault = 'too_large' | 'too_deep' | 'malformed' | 'broken_off'

const [quote, backslash] = [0x22, 0x5c]
const openers = [0x5b, 0x7b]
const closers = [0x5d, 0x7d]

/** Whether lists and records stand in each other more than `depthMax` deep. */
const isDeep = (json: Buffer): boolean => {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length && depth <= depthMax; at++) {
    const byte = json[at] ?? 0
    if (isText && byte === backslash) at += 1
    else if (byte === quote) isText = !isText
    else if (!isText && openers.includes(byte)) depth += 1
    else if (!isText && closers.includes(byte)) depth -= 1
  }
  return depth > depthMax
}

const parse = (bytes: Buffer): Outcome<unknown, BodyFault> => {
  if (isDeep(bytes)) return failure('too_deep')
  try {
    return success(JSON.parse(bytes.toString('utf8')))
  } catch {
    return failure('malformed')
  }
}

/**
 * A body as JSON. The server's time limit for requests covers it; this covers its size. Listens
 * instead of iterating: leaving a loop early would close the connection before the refusal.
 */
const readJsonBody = (request: IncomingMessage): Promise<Outcome<unknown, BodyFault>> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bodyBytesMax) resolve(failure('too_large'))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(parse(Buffer.concat(chunks))))
    request.on('close', () => resolve(failure('broken_off')))
    request.on('error', () => resolve(failure('broken_off')))
  })

/** Questions in one message; each may be as much work as a request, and counts as one. */
const batchMax = 8

const tooLarge: Problem = {
  code: 'content_too_large',
  detail: 'the body is larger than 64 KiB',
  headers: { connection: 'close' },
}
const tooMany: Problem = {
  code: 'bad_request',
  detail: `a message may hold at most ${batchMax} questions`,
}
const notJson: Problem = { code: 'bad_request', detail: 'the body is no JSON' }
const tooDeep: Problem = { code: 'bad_request', detail: 'the body is nested too deep' }

const faults: Readonly<Record<BodyFault, Problem>> = {
  too_large: tooLarge,
  too_deep: tooDeep,
  malformed: notJson,
  broken_off: notJson,
}

/** Loaded when somebody converses: the SDK is a third of what the API would wait for at a start. */
const loadConversation = () => import('./handle-messages.ts')

const answer = async (exchange: RawExchange, context: RouteContext): Promise<void> => {
  const { request, response, headers } = exchange
  const body = await readJsonBody(request)
  if (!body.ok) return rejectExchange(exchange, faults[body.fault])
  const questions = Array.isArray(body.value) ? body.value.length : 1
  if (questions > batchMax) return rejectExchange(exchange, tooMany)
  if (questions > 1) exchange.charge(questions - 1)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('cache-control', 'no-store')
  const { handleMcpMessage } = await loadConversation()
  await handleMcpMessage(exchange, body.value, context)
}

const version = { jsonrpc: Type.Literal('2.0') }
const id = Type.Union([Type.String(), Type.Integer()])

const RequestSchema = Type.Object({
  ...version,
  id: Type.Optional(id),
  method: Type.String({ description: 'Of the Model Context Protocol: `tools/call`, for example.' }),
  params: Type.Optional(Type.Object({})),
})

const MessageSchema = Type.Union(
  [RequestSchema, Type.Array(RequestSchema, { minItems: 1, maxItems: batchMax })],
  {
    description: 'Send `Accept: application/json, text/event-stream`, as the protocol requires.',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  },
)

const AnswerSchema = Type.Object({ ...version, id: Type.Union([id, Type.Null()]) })
const ResponseSchema = Type.Union([AnswerSchema, Type.Array(AnswerSchema)])

/** The API for language models (Model Context Protocol, streamable HTTP, stateless). */
export const mcpChannel: RawRoute = {
  path: '/mcp',
  summary: 'The same questions for language models: a Model Context Protocol server.',
  operationId: 'sendMcpMessage',
  tag: 'service',
  methods: ['POST'],
  rateLimited: true,
  queryFields: {},
  body: MessageSchema,
  reply: {
    type: 'application/json',
    description: 'The JSON-RPC response, or one for each request of a batch.',
    schema: ResponseSchema,
  },
  errors: ['content_too_large'],
  open: (context) => ({
    handle: (exchange) => {
      answer(exchange, context).catch((error) => {
        context.logger.error('a conversation failed', { requestId: exchange.requestId, error })
        exchange.response.destroy()
      })
    },
    close: () => {},
  }),
}
