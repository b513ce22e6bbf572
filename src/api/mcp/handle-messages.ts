import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  CancelledNotificationSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { RawExchange, RouteContext } from '../routes/route.ts'
import { tools } from './tools.ts'

const instructions =
  'Market data of Uniswap v3 and v4 pools that hold a tokenized stock. Every answer says what it ' +
  'is of (asOf) and how far to trust it (dataStatus): quote both with any number. Tokens are ' +
  'identified by address; symbols can be imitated.'

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

type Call = { readonly context: RouteContext; readonly requestId: string }

const callTool = async (
  { context, requestId }: Call,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> => {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    return refused(`no tool is called that; there are ${tools.map((each) => each.name).join(', ')}`)
  }
  try {
    const result = await tool.call(context, input)
    if (!result.ok) return refused(result.fault)
    const text = JSON.stringify(result.value)
    return { content: [{ type: 'text', text }], structuredContent: { ...result.value } }
  } catch (error) {
    // The SDK would tell the caller the error's own words.
    context.logger.error('a tool failed', { requestId, tool: name, error })
    return refused(`something went wrong here; the log has it as request ${requestId}`)
  }
}

/** Without sessions nothing has to be remembered, so that any process can answer any message. */
const createConversation = (call: Call): Server => {
  const about = { name: 'stockpools', title: 'stockpools', version: '1.0.0' }
  const server = new Server(about, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(call, params.name, params.arguments ?? {}),
  )
  // Every question gets its answer: one that is taken back would leave the whole message without.
  server.setNotificationHandler(CancelledNotificationSchema, () => {})
  return server
}

/** Answers one message, which is JSON. */
export const handleMcpMessage = async (
  { request, response, requestId }: RawExchange,
  message: unknown,
  context: RouteContext,
): Promise<void> => {
  // The SDK makes a URL of it, and fails where that is none.
  request.headers.host = 'localhost'
  const server = createConversation({ context, requestId })
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => {
    void server.close()
  })
  // The transport's own type has optional members where the interface has undefined ones.
  await server.connect(transport as Transport)
  await transport.handleRequest(request, response, message)
}
