import type { Problem } from '../http/problems.ts'
import type { AnswerContext } from '../routes/endpoint.ts'
import { type Channel, type Exchange, refuseExchange } from '../routes/raw-route.ts'
import { type BodyFault, readJsonBody } from './read-body.ts'

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

const answer = async (exchange: Exchange, context: AnswerContext): Promise<void> => {
  const { request, response, headers } = exchange
  const body = await readJsonBody(request)
  if (!body.ok) return refuseExchange(exchange, faults[body.fault])
  const questions = Array.isArray(body.value) ? body.value.length : 1
  if (questions > batchMax) return refuseExchange(exchange, tooMany)
  if (questions > 1) exchange.charge(questions - 1)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('cache-control', 'no-store')
  const { converse } = await loadConversation()
  await converse(exchange, body.value, context)
}

/** The API for language models (Model Context Protocol, streamable HTTP, stateless). */
export const mcpChannel: Channel = {
  path: '/mcp',
  summary: 'The same questions for language models: a Model Context Protocol server.',
  methods: ['POST'],
  rateLimited: true,
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
