import { IsArray, IsObject, IsUnion, type Static, type TObject, type TSchema } from 'typebox'
import { ProblemSchema } from '../http/problem-schema.ts'
import { coinGeckoSchemas } from '../integrations/coingecko-schemas.ts'
import { dexScreenerSchemas } from '../integrations/dexscreener-schemas.ts'
import { CandleSchema, CandlesSchema } from '../schemas/candle.ts'
import { ExportedFileSchema, ExportedFilesSchema } from '../schemas/exported-file.ts'
import { LiquidityChangeSchema, LiquidityChangesSchema } from '../schemas/liquidity-change.ts'
import { PastSwapSchema, SwapsSchema } from '../schemas/past-swap.ts'
import { HookFlagsSchema, PoolSchema, PoolsPageSchema } from '../schemas/pool.ts'
import { depthSchemas } from '../schemas/pool-depth.ts'
import {
  HookReviewSchema,
  PastBlockSchema,
  PoolDetailSchema,
  PoolSeriesRowSchema,
  ScreenerCheckSchema,
  SwapSchema,
} from '../schemas/pool-detail.ts'
import { provenanceSchemas } from '../schemas/pool-provenance.ts'
import { rangeSchemas } from '../schemas/range.ts'
import {
  ResolvedTokenSchema,
  UnverifiedTokenSchema,
  VerifiedTokenSchema,
} from '../schemas/resolved-token.ts'
import {
  ApiIndexSchema,
  HealthSchema,
  LivenessSchema,
  MethodologySchema,
  SourceSchema,
  StatusSchema,
} from '../schemas/service.ts'
import {
  StockDetailSchema,
  StockSchema,
  StockSeriesRowSchema,
  StocksPageSchema,
} from '../schemas/stock.ts'
import {
  PooledDepthSchema,
  SplitQuoteLegSchema,
  SplitQuoteSchema,
  StockDepthSchema,
  StockQuoteSchema,
} from '../schemas/stock-order.ts'
import { PoolQuoteSchema, SwapQuoteSchema } from '../schemas/swap-quote.ts'
import { TokenPriceSchema, TokenPricesSchema } from '../schemas/token-price.ts'

export type Json = Readonly<Record<string, unknown>>

const toJson = (schema: object): Json => schema as Json

/** Schemas with a name, which is the name of the type in generated clients. */
export const namedSchemas: Readonly<Record<string, TObject>> = {
  ApiIndex: ApiIndexSchema,
  Candle: CandleSchema,
  Candles: CandlesSchema,
  ...coinGeckoSchemas,
  ...dexScreenerSchemas,
  ExportedFile: ExportedFileSchema,
  ExportedFiles: ExportedFilesSchema,
  Health: HealthSchema,
  HookFlags: HookFlagsSchema,
  HookReview: HookReviewSchema,
  PastBlock: PastBlockSchema,
  Liveness: LivenessSchema,
  Methodology: MethodologySchema,
  ...depthSchemas,
  LiquidityChange: LiquidityChangeSchema,
  LiquidityChanges: LiquidityChangesSchema,
  PastSwap: PastSwapSchema,
  ...provenanceSchemas,
  Pool: PoolSchema,
  PoolDetail: PoolDetailSchema,
  PooledDepth: PooledDepthSchema,
  PoolQuote: PoolQuoteSchema,
  PoolSeriesRow: PoolSeriesRowSchema,
  PoolsPage: PoolsPageSchema,
  ...rangeSchemas,
  Problem: ProblemSchema,
  ResolvedToken: ResolvedTokenSchema,
  ScreenerCheck: ScreenerCheckSchema,
  Source: SourceSchema,
  Status: StatusSchema,
  SplitQuote: SplitQuoteSchema,
  SplitQuoteLeg: SplitQuoteLegSchema,
  Stock: StockSchema,
  StockDepth: StockDepthSchema,
  StockDetail: StockDetailSchema,
  StockQuote: StockQuoteSchema,
  StockSeriesRow: StockSeriesRowSchema,
  StocksPage: StocksPageSchema,
  Swap: SwapSchema,
  SwapQuote: SwapQuoteSchema,
  Swaps: SwapsSchema,
  TokenPrice: TokenPriceSchema,
  TokenPrices: TokenPricesSchema,
  UnverifiedToken: UnverifiedTokenSchema,
  VerifiedToken: VerifiedTokenSchema,
}

/** A schema without its annotations: equal for all uses of one record. */
const shapeKey = (schema: Json): string => {
  const { description: _description, examples: _examples, ...shape } = schema
  return JSON.stringify(shape)
}

const namesByShape = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [shapeKey(toJson(schema)), name]),
)

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces named schemas within a schema by references. Examples are values, not schemas. */
const withRefs = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'examples') return [key, value]
      if (Array.isArray(value))
        return [key, value.map((item) => (isJson(item) ? schemaRef(item) : item))]
      return [key, isJson(value) ? schemaRef(value) : value]
    }),
  )

/** A reference to a named schema; any other schema in full. */
export const schemaRef = (given: object): Json => {
  const schema = toJson(given)
  const name = namesByShape.get(shapeKey(schema))
  if (name === undefined) return withRefs(schema)
  const { description, examples } = schema
  const isRecord = description === toJson(namedSchemas[name] ?? {}).description
  return {
    $ref: `#/components/schemas/${name}`,
    ...(description === undefined || isRecord ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  }
}

export const componentSchemas = (): Json =>
  Object.fromEntries(
    Object.entries(namedSchemas).map(([name, schema]) => [name, withRefs(toJson(schema))]),
  )

const exampleOfProperty = (schema: TSchema): unknown => {
  if (IsObject(schema)) return exampleFromSchema(schema)
  const example = (schema as { examples?: unknown[] }).examples?.[0]
  if (IsArray(schema) && IsObject(schema.items)) return [exampleFromSchema(schema.items)]
  const record = IsUnion(schema) ? schema.anyOf.find((option) => IsObject(option)) : undefined
  return record === undefined ? example : exampleFromSchema(record)
}

/** The record that the examples of a schema's properties make up. */
export const exampleFromSchema = <S extends TObject>(schema: S): Static<S> =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      exampleOfProperty(property),
    ]),
  ) as Static<S>

/** What an endpoint answers: its record, or the list of the record's items alone. */
export const bodyOf = ({
  schema,
  isBareList,
}: {
  readonly schema: TObject
  readonly isBareList: boolean
}): { readonly schema: TSchema; readonly example: unknown } => {
  const example: unknown = exampleFromSchema(schema)
  const { items } = schema.properties
  if (!isBareList || items === undefined) return { schema, example }
  return { schema: items, example: (example as { readonly items: unknown }).items }
}
