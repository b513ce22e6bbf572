import type { TSchema } from 'typebox'
import { type DataStatus, dataStatuses } from '../../domain/status/data-status.ts'
import type { Field } from '../http/query.ts'
import { poolEndpoint, poolsEndpoint } from '../routes/pools.ts'
import type { Endpoint, RouteContext } from '../routes/route.ts'
import { statusEndpoint } from '../routes/service.ts'
import { stockEndpoint, stocksEndpoint } from '../routes/stocks.ts'

/** What an answer is of: a model that quotes a number should quote this with it. */
type AsOf = {
  readonly network: string
  readonly sandbox: boolean
  /** The indexed head; null before the first block. */
  readonly block: number | null
  readonly blockTs: number | null
  readonly ts: number
}

const asOfOf = ({ market, network }: RouteContext): AsOf => {
  const { ts, chain } = market.status()
  const { indexedBlock, indexedTs } = chain
  return {
    network: network.name,
    sandbox: network.sandbox,
    block: indexedBlock,
    blockTs: indexedTs,
    ts,
  }
}

type Row = { readonly dataStatus?: DataStatus }

/** The rows that an answer is about. */
const rowsOf = (body: Readonly<Record<string, unknown>>): readonly Row[] => {
  const { items, pool, stock } = body
  if (Array.isArray(items)) return items as readonly Row[]
  return [pool, stock].filter((row): row is Row => typeof row === 'object' && row !== null)
}

/** The worst of them; null where the answer has no such rows. */
const dataStatusOf = (body: Readonly<Record<string, unknown>>): DataStatus | null => {
  const found = new Set(rowsOf(body).map(({ dataStatus }) => dataStatus))
  return dataStatuses.findLast((status) => found.has(status)) ?? null
}

/** A question of the API as a language model asks it. */
type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: 'object' }
  readonly call: (
    context: RouteContext,
    input: Readonly<Record<string, unknown>>,
  ) => Promise<ToolResult>
}

type ToolResult =
  | {
      readonly ok: true
      readonly value: Readonly<Record<string, unknown>> & { readonly asOf: AsOf }
    }
  /** What to do better, in words. */
  | { readonly ok: false; readonly fault: string }

const propertyOf = ({ description, rule, schema }: Field<unknown>) => ({
  ...(schema as TSchema & object),
  description: `${description} Must be ${rule}.`,
})

const inputSchemaOf = ({ pathFields, queryFields }: Endpoint): Tool['inputSchema'] => ({
  type: 'object',
  properties: Object.fromEntries(
    [...Object.entries(pathFields), ...Object.entries(queryFields)].map(([name, field]) => [
      name,
      propertyOf(field),
    ]),
  ),
  required: Object.keys(pathFields),
  additionalProperties: false,
})

/** Models like to say null where they mean nothing. */
const isGiven = ([, value]: readonly [string, unknown]): boolean =>
  value !== null && value !== undefined

/** No parameter takes it. */
const noText = '\u0000'

/** Lists and records stand for no parameter, and may be too deep to be written at all. */
const textOf = (value: unknown): string => (typeof value === 'object' ? noText : String(value))

/** The same question as over HTTP, with the same checks: one home for what is allowed. */
const callOf =
  (endpoint: Endpoint): Tool['call'] =>
  async (context, input) => {
    const given = Object.entries(input).filter(isGiven)
    const isPath = ([name]: readonly [string, unknown]) => Object.hasOwn(endpoint.pathFields, name)
    const path = Object.fromEntries(
      given.filter(isPath).map(([name, value]) => [name, textOf(value)]),
    )
    const rest = given.filter((each) => !isPath(each))
    const query = new URLSearchParams(
      rest.map(([name, value]): [string, string] => [name, textOf(value)]),
    ).toString()
    const answer = await endpoint.respond(context, { path, query })
    if (!answer.ok) return { ok: false, fault: answer.fault.detail }
    const body = JSON.parse(answer.value) as Record<string, unknown>
    const dataStatus = dataStatusOf(body)
    const asOf = asOfOf(context)
    return { ok: true, value: { asOf, ...(dataStatus === null ? {} : { dataStatus }), ...body } }
  }

type Described = Pick<Tool, 'name' | 'title' | 'description'>

const toolOf = (endpoint: Endpoint, described: Described): Tool => ({
  ...described,
  inputSchema: inputSchemaOf(endpoint),
  call: callOf(endpoint),
})

const staleness =
  'dataStatus says how far to trust the numbers (fresh, partial, stale, unavailable), ' +
  'statusReasons why. null is "not known", 0 is "observed to be zero". Times are Unix seconds.'

/** Everything that can be asked in a conversation. */
export const tools: readonly Tool[] = [
  toolOf(poolsEndpoint, {
    name: 'list_pools',
    title: 'Find pools',
    description:
      'Uniswap v3 and v4 pools that hold a tokenized stock, the most liquid first: price, ' +
      'liquidity, volume and premium against the stock. Filter by ticker, kind and more. ' +
      `Never identify a token by its symbol alone: use its address. ${staleness}`,
  }),
  toolOf(poolEndpoint, {
    name: 'get_pool',
    title: 'One pool',
    description:
      'One pool by its id (v3: address, v4: PoolId), with its price series over a range ' +
      `(at most 600 rows, oldest first) and its latest swaps (newest first). ${staleness}`,
  }),
  toolOf(stocksEndpoint, {
    name: 'list_stocks',
    title: 'Find stocks',
    description:
      'Tokenized stocks with their quote per share, the dollars per token, market session, best ' +
      `pool price and premium. ${staleness}`,
  }),
  toolOf(stockEndpoint, {
    name: 'get_stock',
    title: 'One stock',
    description:
      'One stock by ticker or token address, with reference price, best pool price and premium ' +
      `over a range, and its pools. ${staleness}`,
  }),
  toolOf(statusEndpoint, {
    name: 'get_status',
    title: 'How fresh everything is',
    description:
      'The state and age of each source, and how far the index is behind the chain. Ask this ' +
      'first when numbers look odd.',
  }),
]
