import { IsObject, type Static, type TObject, type TSchema } from 'typebox'
import { HookFlagsSchema, PoolSchema, PoolsPageSchema } from '../schemas/pool.ts'
import {
  PoolDetailSchema,
  PoolSeriesRowSchema,
  ScreenerCheckSchema,
  SwapSchema,
} from '../schemas/pool-detail.ts'
import { ProblemSchema } from '../schemas/problem.ts'
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

/** A schema as the JSON that it is. */
type Json = Readonly<Record<string, unknown>>

const jsonOf = (schema: object): Json => schema as Json

/** The records that get a name of their own, so that generated clients have types of that name. */
export const namedSchemas: Readonly<Record<string, TObject>> = {
  ApiIndex: ApiIndexSchema,
  Health: HealthSchema,
  HookFlags: HookFlagsSchema,
  Liveness: LivenessSchema,
  Methodology: MethodologySchema,
  Pool: PoolSchema,
  PoolDetail: PoolDetailSchema,
  PoolSeriesRow: PoolSeriesRowSchema,
  PoolsPage: PoolsPageSchema,
  Problem: ProblemSchema,
  ScreenerCheck: ScreenerCheckSchema,
  Source: SourceSchema,
  Status: StatusSchema,
  Stock: StockSchema,
  StockDetail: StockDetailSchema,
  StockSeriesRow: StockSeriesRowSchema,
  StocksPage: StocksPageSchema,
  Swap: SwapSchema,
}

/** What a schema lets through, whatever is said about it: two uses of a record have one shape. */
const shapeOf = (schema: Json): string => {
  const { description: _description, examples: _examples, ...shape } = schema
  return JSON.stringify(shape)
}

const namesByShape = new Map(
  Object.entries(namedSchemas).map(([name, each]) => [shapeOf(jsonOf(each)), name]),
)

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The parts of a schema, each by name where it has one. Examples are values, not schemas. */
const withRefs = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'examples') return [key, value]
      if (Array.isArray(value))
        return [key, value.map((each) => (isJson(each) ? refOf(each) : each))]
      return [key, isJson(value) ? refOf(value) : value]
    }),
  )

/** A schema by its name, or in full. */
export const refOf = (given: object): Json => {
  const schema = jsonOf(given)
  const name = namesByShape.get(shapeOf(schema))
  if (name === undefined) return withRefs(schema)
  const { description, examples } = schema
  const isRecord = description === jsonOf(namedSchemas[name] ?? {}).description
  return {
    ...refTo(name),
    ...(description === undefined || isRecord ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  }
}

export const componentSchemas = (): Json =>
  Object.fromEntries(
    Object.entries(namedSchemas).map(([name, schema]) => [name, withRefs(jsonOf(schema))]),
  )

const exampleOfProperty = (schema: TSchema): unknown =>
  IsObject(schema) ? exampleOf(schema) : (schema as { examples?: unknown[] }).examples?.[0]

/** The row that a schema's own examples make. */
export const exampleOf = <S extends TObject>(schema: S): Static<S> =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([name, each]) => [name, exampleOfProperty(each)]),
  ) as Static<S>
