import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { type DataStatus, dataStatuses } from '../../domain/status/data-status.ts'
import type { Endpoint, RouteContext } from '../routes/route.ts'
import { bytesOf, type Cut, cutLists, type Fitted, fitLists } from './fit-answer.ts'
import { createInputSchema, createOutputSchema, isPaged, type ObjectSchema } from './tool-schema.ts'

/** The origin of a result, which a model should quote with its numbers. */
type AsOf = {
  readonly network: string
  readonly sandbox: boolean
  /** The cursor; null before the first block. */
  readonly block: number | null
  readonly blockTs: number | null
  readonly ts: number
}

const describeOrigin = ({ market, network }: RouteContext): AsOf => {
  const { ts, chain } = market.status()
  const { indexedBlock: block, indexedTs: blockTs } = chain
  return { network: network.name, sandbox: network.sandbox, block, blockTs, ts }
}

type Body = Readonly<Record<string, unknown>>
type Row = { readonly dataStatus?: DataStatus }

/** The pools or stocks of a response body. */
const listRows = (body: Body): readonly Row[] => {
  const { items, pool, stock } = body
  if (Array.isArray(items)) return items as readonly Row[]
  return [pool, stock].filter((row): row is Row => typeof row === 'object' && row !== null)
}

/** The worst data status of the rows; null if no row has one. */
const worstDataStatus = (body: Body): DataStatus | null => {
  const found = new Set(listRows(body).map(({ dataStatus }) => dataStatus))
  return dataStatuses.findLast((status) => found.has(status)) ?? null
}

type ToolValue = Body & { readonly asOf: AsOf; readonly cut?: readonly Cut[] }
type ToolInput = Readonly<Record<string, unknown>>
/** A fault says in words how to correct the request. */
type ToolCall = (context: RouteContext, input: ToolInput) => Promise<Outcome<ToolValue, string>>

type ToolDescription = {
  readonly name: string
  readonly title: string
  readonly description: string
}

/** An endpoint as an MCP tool. */
export type Tool = ToolDescription & {
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  readonly call: ToolCall
}

/** Models often pass null for an absent parameter. */
const isGiven = ([, value]: readonly [string, unknown]): boolean =>
  value !== null && value !== undefined

/** Every parameter rejects this text. */
const invalidText = '\u0000'

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** No parameter takes an object, and a deep one cannot be serialized. */
const toText = (value: unknown): string => {
  if (isTextList(value)) return value.join(',')
  return typeof value === 'object' ? invalidText : String(value)
}

/** Calls the endpoint as over HTTP, with the same validation. */
const callEndpoint = async (
  endpoint: Endpoint,
  context: RouteContext,
  input: ToolInput,
): Promise<Outcome<Body, string>> => {
  const texts = Object.entries(input).map(([name, value]) => [name, toText(value)] as const)
  const isPath = ([name]: readonly [string, string]) => Object.hasOwn(endpoint.pathFields, name)
  const path = Object.fromEntries(texts.filter(isPath))
  const query = new URLSearchParams(
    texts.filter((each) => !isPath(each)).map(([name, text]): [string, string] => [name, text]),
  ).toString()
  const answer = await endpoint.respond(context, { path, query })
  return answer.ok ? success(JSON.parse(answer.value.body)) : failure(answer.fault.detail)
}

/** Below 8 KB with what is added to a body. */
const bodyBytesMax = 7_500

/** So many rows are asked for first where the next page continues behind the last row. */
const pageRows = 25

/** Asks for smaller pages until one fits: a shortened page would lose rows. */
const callPage: typeof callEndpoint = async (endpoint, context, input) => {
  for (let limit = pageRows; ; ) {
    const answer = await callEndpoint(endpoint, context, { ...input, limit })
    if (!answer.ok || limit === 1) return answer
    const bytes = bytesOf(answer.value)
    if (bytes <= bodyBytesMax) return answer
    limit = Math.max(1, Math.min(limit - 1, Math.floor((limit * bodyBytesMax) / bytes)))
  }
}

const plainRows = /^[1-9][0-9]{0,3}$/

const readRows = (rows: unknown): Outcome<number | null, string> => {
  if (rows === undefined) return success(null)
  return plainRows.test(toText(rows))
    ? success(Number(rows))
    : failure('rows must be an integer from 1 to 9999 in decimal digits')
}

const asFitted = (answer: Outcome<Body, string>, shorten: (body: Body) => Fitted) =>
  answer.ok ? success(shorten(answer.value)) : answer

const whole = (body: Body): Fitted => ({ body, cut: [] })

/** With `rows` the lists have so many, without they are as long as fits into a model's window. */
const callFitted = async (
  endpoint: Endpoint,
  context: RouteContext,
  { rows: asked, ...input }: ToolInput,
): Promise<Outcome<Fitted, string>> => {
  const rows = readRows(asked)
  if (!rows.ok) return rows
  const hasLimit = Object.hasOwn(input, 'limit')
  if (isPaged(endpoint) && (rows.value !== null || hasLimit)) {
    if (rows.value !== null && hasLimit) return failure('give rows or limit, not both')
    const limit = rows.value ?? input.limit
    return asFitted(await callEndpoint(endpoint, context, { ...input, limit }), whole)
  }
  if (Object.hasOwn(endpoint.queryFields, 'cursor')) {
    return asFitted(await callPage(endpoint, context, input), whole)
  }
  return asFitted(await callEndpoint(endpoint, context, input), (body) =>
    rows.value === null ? fitLists(body, bodyBytesMax) : cutLists(body, rows.value),
  )
}

const createCall =
  (endpoint: Endpoint, call: typeof callFitted): ToolCall =>
  async (context, input) => {
    const given = Object.fromEntries(Object.entries(input).filter(isGiven))
    const answer = await call(endpoint, context, given)
    if (!answer.ok) return answer
    const { body, cut } = answer.value
    const dataStatus = worstDataStatus(body)
    return success({
      asOf: describeOrigin(context),
      ...(dataStatus === null ? {} : { dataStatus }),
      ...(cut.length === 0 ? {} : { cut }),
      ...body,
    })
  }

/** A tool whose lists are cut to fit. */
export const createTool = (endpoint: Endpoint, description: ToolDescription): Tool => ({
  ...description,
  inputSchema: createInputSchema(endpoint, true),
  outputSchema: createOutputSchema(endpoint),
  call: createCall(endpoint, callFitted),
})

/** A tool whose answer is as long as its question. */
export const createWholeTool = (endpoint: Endpoint, description: ToolDescription): Tool => ({
  ...description,
  inputSchema: createInputSchema(endpoint, false),
  outputSchema: createOutputSchema(endpoint),
  call: createCall(endpoint, async (...asked) => asFitted(await callEndpoint(...asked), whole)),
})

/**
 * One tool for endpoints with the same answer: the path parameter that is given says which one is
 * called.
 */
export const createListTool = (
  endpoints: readonly [Endpoint, ...Endpoint[]],
  description: ToolDescription,
): Tool => {
  const calls = endpoints.map((endpoint) => ({
    names: Object.keys(endpoint.pathFields),
    call: createCall(endpoint, callFitted),
  }))
  const schemas = endpoints.map((endpoint) => createInputSchema(endpoint, true))
  return {
    ...description,
    inputSchema: {
      type: 'object',
      properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
      required: [],
      additionalProperties: false,
    },
    outputSchema: createOutputSchema(endpoints[0]),
    call: async (context, input) => {
      const given = Object.fromEntries(Object.entries(input).filter(isGiven))
      // One with both is refused by the first, which does not have the parameter of the other.
      const chosen = calls.find(({ names }) => names.every((name) => Object.hasOwn(given, name)))
      return chosen === undefined
        ? failure('no list has these parameters')
        : chosen.call(context, given)
    },
  }
}
