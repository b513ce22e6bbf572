import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  CancelledNotificationSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { RawExchange } from '../http/send-response.ts'
import type { RouteContext } from '../routes/route.ts'
import { listResources, readResource } from './resources.ts'
import { tools } from './tools.ts'

const instructions =
  'Market data for Uniswap v3 and v4 pools of tokenized stocks. Every result has its network and ' +
  'block (asOf) and its freshness (dataStatus): quote both with any number. Tokens are ' +
  'identified by address; symbols can be imitated: resolve gives the verified address. Answers ' +
  'are below 8 KB by default: cut says what is left out, rows asks for more. Resources explain ' +
  'how each number is made.'

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

const toolList = tools.map(({ call: _call, ...description }) => ({ ...description, annotations }))

const toolError = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
})

/** By the protocol (2025-11-25, resources, error handling). */
const resourceNotFound = -32002

type Call = { readonly context: RouteContext; readonly requestId: string }

const callTool = async (
  { context, requestId }: Call,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> => {
  const tool = tools.find((known) => known.name === name)
  if (tool === undefined) {
    const names = tools.map((known) => known.name).join(', ')
    return toolError(`unknown tool; available tools: ${names}`)
  }
  try {
    const result = await tool.call(context, input)
    if (!result.ok) return toolError(result.fault)
    const text = JSON.stringify(result.value)
    return { content: [{ type: 'text', text }], structuredContent: { ...result.value } }
  } catch (error) {
    // The SDK would expose the message of an internal error to the caller.
    context.logger.error('MCP tool failed', { requestId, tool: name, error })
    return toolError(`internal error; search the log for request ${requestId}`)
  }
}

const readResourceOrFail = async ({ context, requestId }: Call, uri: string) => {
  const found = await readResource(uri, context).catch((error: unknown) => {
    context.logger.error('MCP resource failed', { requestId, uri, error })
    throw new McpError(ErrorCode.InternalError, `search the log for request ${requestId}`)
  })
  if (found !== null) return { contents: [found] }
  throw new McpError(resourceNotFound, 'no resource has this uri; resources/list has them all')
}

/** A stateless server per message, so that any process can answer any message. */
const createMcpServer = (call: Call): Server => {
  const capabilities = { tools: {}, resources: {} }
  const about = { name: 'stockpools', title: 'stockpools', version: '1.0.0' }
  const server = new Server(about, { capabilities, instructions })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolList }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(call, params.name, params.arguments ?? {}),
  )
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: [...(await listResources())],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    readResourceOrFail(call, params.uri),
  )
  // Ignores cancellation: the SDK would leave the complete batch without a response.
  server.setNotificationHandler(CancelledNotificationSchema, () => {})
  return server
}

/** Handles one JSON-RPC message or batch. */
export const handleMcpMessage = async (
  { request, response, requestId }: RawExchange,
  message: unknown,
  context: RouteContext,
): Promise<void> => {
  // The SDK builds a URL from the host and fails if it is not valid there.
  request.headers.host = 'localhost'
  const server = createMcpServer({ context, requestId })
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => {
    void server.close()
  })
  // The SDK's types differ under exactOptionalPropertyTypes.
  await server.connect(transport as Transport)
  await transport.handleRequest(request, response, message)
}
