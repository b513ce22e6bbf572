import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { type Channel, type Exchange, refuseExchange } from '../channel.ts'
import type { AnswerContext } from '../endpoint.ts'
import type { Problem } from '../errors.ts'
import { readJsonBody } from './read-body.ts'
import { tools } from './tools.ts'

const instructions =
  'Market data of Uniswap v3 and v4 pools that hold a tokenized stock. Every answer says what it ' +
  'is of (asOf) and how far to trust it (dataStatus): quote both with any number. Tokens are ' +
  'identified by address; symbols can be imitated.'

/** Questions in one message; each may be as much work as a request. */
const batchMax = 8

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

const listed = tools.map(({ call: _call, ...described }) => ({ ...described, annotations }))

const refused = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
})

const callTool = async (
  context: AnswerContext,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> => {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    return refused(`no tool is called that; there are ${tools.map((each) => each.name).join(', ')}`)
  }
  const result = await tool.call(context, input)
  if (!result.ok) return refused(result.fault)
  const text = JSON.stringify(result.value)
  return { content: [{ type: 'text', text }], structuredContent: { ...result.value } }
}

/** Without sessions nothing has to be remembered, so that any process can answer any message. */
const createConversation = (context: AnswerContext): Server => {
  const about = { name: 'stockpools', title: 'stockpools', version: '1.0.0' }
  const server = new Server(about, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(context, params.name, params.arguments ?? {}),
  )
  return server
}

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

const answer = async (exchange: Exchange, context: AnswerContext): Promise<void> => {
  const { request, response, headers } = exchange
  const body = await readJsonBody(request)
  if (!body.ok) return refuseExchange(exchange, body.fault === 'too_large' ? tooLarge : notJson)
  if (Array.isArray(body.value) && body.value.length > batchMax) {
    return refuseExchange(exchange, tooMany)
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('cache-control', 'no-store')
  const server = createConversation(context)
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => {
    void server.close()
  })
  // The transport's own type has optional members where the interface has undefined ones.
  await server.connect(transport as Transport)
  await transport.handleRequest(request, response, body.value)
}

/** The API for language models (Model Context Protocol, streamable HTTP, stateless). */
export const mcpChannel: Channel = {
  path: '/mcp',
  summary: 'The same questions for language models: a Model Context Protocol server.',
  methods: ['POST'],
  rateLimited: true,
  open: (context) => ({
    handle: (exchange) => {
      answer(exchange, context).catch(() => exchange.response.destroy())
    },
    close: () => {},
  }),
}
