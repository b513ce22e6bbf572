import type { TSchema } from 'typebox'
import { type DataStatus, dataStatuses } from '../../domain/status/data-status.ts'
import { type Field, isRequired } from '../http/query.ts'
import { poolCandlesEndpoint, stockCandlesEndpoint } from '../routes/candles.ts'
import { poolLiquidityEndpoint } from '../routes/liquidity.ts'
import { poolProvenanceEndpoint } from '../routes/pool-provenance.ts'
import { poolDepthEndpoint, poolQuoteEndpoint } from '../routes/pool-quote.ts'
import { poolEndpoint, poolsEndpoint } from '../routes/pools.ts'
import type { Endpoint, RouteContext } from '../routes/route.ts'
import { statusEndpoint } from '../routes/service.ts'
import { stockDepthEndpoint, stockQuoteEndpoint } from '../routes/stock-orders.ts'
import { stockEndpoint, stocksEndpoint } from '../routes/stocks.ts'
import { poolSwapsEndpoint, stockSwapsEndpoint, swapsEndpoint } from '../routes/swaps.ts'

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

type Row = { readonly dataStatus?: DataStatus }

/** The pools or stocks of a response body. */
const listRows = (body: Readonly<Record<string, unknown>>): readonly Row[] => {
  const { items, pool, stock } = body
  if (Array.isArray(items)) return items as readonly Row[]
  return [pool, stock].filter((row): row is Row => typeof row === 'object' && row !== null)
}

/** The worst data status of the rows; null if no row has one. */
const worstDataStatus = (body: Readonly<Record<string, unknown>>): DataStatus | null => {
  const found = new Set(listRows(body).map(({ dataStatus }) => dataStatus))
  return dataStatuses.findLast((status) => found.has(status)) ?? null
}

/** An endpoint as an MCP tool. */
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
  /** How to correct the request, in words. */
  | { readonly ok: false; readonly fault: string }

const toProperty = ({ description, rule, schema }: Field<unknown>) => ({
  ...(schema as TSchema & object),
  description: `${description} Must be ${rule}.`,
})

const createInputSchema = ({ pathFields, queryFields }: Endpoint): Tool['inputSchema'] => {
  const fields = Object.entries<Field<unknown>>({ ...pathFields, ...queryFields })
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, toProperty(field)])),
    required: fields.filter(([, field]) => isRequired(field)).map(([name]) => name),
    additionalProperties: false,
  }
}

/** Models often pass null for an absent parameter. */
const isGiven = ([, value]: readonly [string, unknown]): boolean =>
  value !== null && value !== undefined

/** Every parameter rejects this text. */
const invalidText = '\u0000'

/** No parameter takes an object, and a deep one cannot be serialized. */
const toText = (value: unknown): string => (typeof value === 'object' ? invalidText : String(value))

/** Calls the endpoint as over HTTP, with the same validation. */
const createCall =
  (endpoint: Endpoint): Tool['call'] =>
  async (context, input) => {
    const given = Object.entries(input).filter(isGiven)
    const isPath = ([name]: readonly [string, unknown]) => Object.hasOwn(endpoint.pathFields, name)
    const path = Object.fromEntries(
      given.filter(isPath).map(([name, value]) => [name, toText(value)]),
    )
    const queryEntries = given.filter((entry) => !isPath(entry))
    const query = new URLSearchParams(
      queryEntries.map(([name, value]): [string, string] => [name, toText(value)]),
    ).toString()
    const answer = await endpoint.respond(context, { path, query })
    if (!answer.ok) return { ok: false, fault: answer.fault.detail }
    const body = JSON.parse(answer.value.body) as Record<string, unknown>
    const dataStatus = worstDataStatus(body)
    const asOf = describeOrigin(context)
    return { ok: true, value: { asOf, ...(dataStatus === null ? {} : { dataStatus }), ...body } }
  }

type ToolDescription = Pick<Tool, 'name' | 'title' | 'description'>

const createTool = (endpoint: Endpoint, description: ToolDescription): Tool => ({
  ...description,
  inputSchema: createInputSchema(endpoint),
  call: createCall(endpoint),
})

/** One tool for several endpoints: the path parameter that is given says which one is called. */
const createListTool = (endpoints: readonly Endpoint[], description: ToolDescription): Tool => {
  const calls = endpoints.map((endpoint) => ({
    names: Object.keys(endpoint.pathFields),
    call: createCall(endpoint),
  }))
  const schemas = endpoints.map(createInputSchema)
  return {
    ...description,
    inputSchema: {
      type: 'object',
      properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
      required: [],
      additionalProperties: false,
    },
    call: async (context, input) => {
      const given = Object.fromEntries(Object.entries(input).filter(isGiven))
      // One with both is refused by the first, which does not have the parameter of the other.
      const chosen = calls.find(({ names }) => names.every((name) => Object.hasOwn(given, name)))
      return chosen === undefined
        ? { ok: false, fault: 'no list has these parameters' }
        : chosen.call(context, given)
    },
  }
}

const statusHint =
  'dataStatus is the freshness of the numbers (fresh, partial, stale, unavailable), ' +
  'statusReasons explains it. null is "not known", 0 is "observed to be zero". Times are Unix ' +
  'seconds.'

export const tools: readonly Tool[] = [
  createTool(poolsEndpoint, {
    name: 'list_pools',
    title: 'Find pools',
    description:
      'Uniswap v3 and v4 pools of tokenized stocks, the most liquid first: price, ' +
      'liquidity, volume and premium over the stock. Filter by ticker, kind and more. ' +
      `Never identify a token by its symbol alone: use its address. ${statusHint}`,
  }),
  createTool(poolEndpoint, {
    name: 'get_pool',
    title: 'One pool',
    description:
      'One pool by its id (v3: address, v4: PoolId), with its price series over a range ' +
      '(at most 600 rows, oldest first) and its latest swaps (newest first). Give asOfBlock or ' +
      `asOfTs for the record as it was then; past says which block that is. ${statusHint}`,
  }),
  createTool(stocksEndpoint, {
    name: 'list_stocks',
    title: 'Find stocks',
    description:
      'Tokenized stocks with their quote per share, the dollars per token, market session, best ' +
      `pool price and premium. ${statusHint}`,
  }),
  createTool(stockEndpoint, {
    name: 'get_stock',
    title: 'One stock',
    description:
      'One stock by ticker or token address, with reference price, best pool price and premium ' +
      `over a range, and its pools. ${statusHint}`,
  }),
  createTool(poolQuoteEndpoint, {
    name: 'quote',
    title: 'What a trade would get',
    description:
      'What buying or selling a stock in one pool would pay and receive at the last indexed ' +
      'block: amounts, price impact, fee and price afterwards. Give exactly one of stockAmount, ' +
      'otherAmount, stockAmountRaw, otherAmountRaw and usd. quote is null where it is not known; ' +
      `reasons says why. ${statusHint}`,
  }),
  createTool(poolDepthEndpoint, {
    name: 'depth',
    title: 'How much a pool takes',
    description:
      'How much moves the price of one pool by 0.5 to 10 % (bands, without the fee), what orders ' +
      'of 1,000 to 1,000,000 dollars would get (ladder), and where its liquidity lies ' +
      `(segments). depth is null where swaps cannot be simulated. ${statusHint}`,
  }),
  createTool(poolProvenanceEndpoint, {
    name: 'explain',
    title: 'How a number was made',
    description:
      'How a number of one pool was made: formula, inputs with sources (log, contract read, ' +
      'quote, another number), block and section of the methodology. Give field for one number ' +
      'and the steps to it, asOfBlock or asOfTs for a record of the past. Of null, reason and ' +
      `missing say why. ${statusHint}`,
  }),
  createTool(poolCandlesEndpoint, {
    name: 'candles',
    title: 'Past prices of one pool',
    description:
      'Candles of one pool in dollars or other tokens, the newest first, page by page: pass next ' +
      'as cursor until it is null. complete is false if rows of the range are missing. Times are ' +
      'Unix seconds.',
  }),
  createTool(stockQuoteEndpoint, {
    name: 'quote_stock',
    title: 'What an order in all pools would get',
    description:
      'The best split of an order over the pools of a stock against trusted tokens at the last ' +
      'indexed block, with what each part would pay and receive, and what it saves against the ' +
      'best single pool. Give exactly one of stockAmount and usd. quote is null where no pool ' +
      `can take part; excluded says which pools do not, and why. ${statusHint}`,
  }),
  createTool(stockDepthEndpoint, {
    name: 'stock_depth',
    title: 'What moves the price of a stock',
    description:
      'How much is bought or sold, in stock and dollars, until all pools of a stock against ' +
      'trusted tokens stand 1, 2 and 5 % from the present price, and the part of the deepest. ' +
      statusHint,
  }),
  createTool(stockCandlesEndpoint, {
    name: 'stock_candles',
    title: 'Past prices of a stock',
    description:
      'Candles of one stock in dollars from the swaps in all of its comparable pools, the newest ' +
      'first, page by page: pass next as cursor until it is null. Times are Unix seconds.',
  }),
  createListTool([poolSwapsEndpoint, stockSwapsEndpoint, swapsEndpoint], {
    name: 'list_swaps',
    title: 'Past swaps',
    description:
      'Swaps of one pool (id), of all pools of one stock (symbol) or of all stocks (neither), ' +
      'the newest first, page by page: pass next as cursor until it is null. complete is false ' +
      'if rows of the range are missing. Times are Unix seconds.',
  }),
  createTool(poolLiquidityEndpoint, {
    name: 'list_liquidity_changes',
    title: 'Past changes of liquidity',
    description:
      'Liquidity added to and removed from one pool, with range, amounts and owner, the newest ' +
      'first, page by page: pass next as cursor until it is null. Times are Unix seconds.',
  }),
  createTool(statusEndpoint, {
    name: 'get_status',
    title: 'Data freshness',
    description:
      'The state and age of each source, and how far the index is behind the chain. Call this ' +
      'first if numbers look wrong.',
  }),
]
