import { IsArray, IsObject, IsUnion, type TObject, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { ProblemSchema } from '../http/problem-schema.ts'
import { exampleFromSchema } from '../openapi/components.ts'
import { describes, nullable, record } from './fields.ts'
import { HookFlagsSchema, PoolSchema, PoolsPageSchema } from './pool.ts'
import { PoolDetailSchema, PoolSeriesRowSchema, SwapSchema } from './pool-detail.ts'
import {
  ApiIndexSchema,
  HealthSchema,
  MethodologySchema,
  SourceSchema,
  StatusSchema,
} from './service.ts'
import { StockDetailSchema, StockSchema, StockSeriesRowSchema, StocksPageSchema } from './stock.ts'

const schemas: Record<string, TObject> = {
  ApiIndexSchema,
  HealthSchema,
  HookFlagsSchema,
  MethodologySchema,
  PoolDetailSchema,
  PoolSchema,
  PoolSeriesRowSchema,
  PoolsPageSchema,
  ProblemSchema,
  SourceSchema,
  StatusSchema,
  StockDetailSchema,
  StockSchema,
  StockSeriesRowSchema,
  StocksPageSchema,
  SwapSchema,
}

type Annotated = TSchema & { type?: string; description?: string; examples?: unknown[] }

/** Every object anywhere in a schema, and every property with its path. */
const objectsIn = (schema: TSchema): readonly TObject[] => {
  if (IsObject(schema)) return [schema, ...Object.values(schema.properties).flatMap(objectsIn)]
  if (IsArray(schema)) return objectsIn(schema.items)
  return IsUnion(schema) ? schema.anyOf.flatMap(objectsIn) : []
}
const propertiesIn = (schema: TObject): readonly (readonly [string, Annotated])[] =>
  objectsIn(schema).flatMap((each) => Object.entries(each.properties))

const numbersIn = (schema: Annotated): readonly Annotated[] => {
  if (IsUnion(schema)) return schema.anyOf.flatMap(numbersIn)
  return schema.type === 'integer' || schema.type === 'number' ? [schema] : []
}

describe.each(Object.entries(schemas))('%s', (_name, schema) => {
  it('allows only listed properties', () => {
    for (const object of objectsIn(schema)) {
      expect(object).toMatchObject({ additionalProperties: false })
    }
  })

  it('describes every property, and the unit of every number', () => {
    for (const [name, property] of propertiesIn(schema)) {
      expect(property.description, name).toMatch(/^\S.*\.$/)
      for (const number of numbersIn(property)) expect(number, name).toHaveProperty('x-unit')
    }
  })

  it('gives every property a valid example', () => {
    for (const [name, property] of propertiesIn(schema)) {
      if (IsObject(property)) continue
      expect(property.examples, name).toHaveLength(1)
      expect(Compile(property as TSchema).Errors(property.examples?.[0]), name).toEqual([])
    }
  })
})

// Rows of the interface document's tables: no name may be missing, and additions stand behind.
const poolFields = `id version kind createdBlock token0 token1 stockSymbol stockIsToken0 otherSymbol
  otherAddress stockAddress fee tickSpacing hooks active hot lastSwapTs lastSwapBlock stateTs
  enrichedTs sqrtPriceX96 liquidity stockReserve otherReserve reserveSource stockPriceInOther
  stockPriceUsd otherPriceUsd liquidityUsd vol1hUsd vol24hUsd comparable dataStatus`.split(/\s+/)

describe('the pool record', () => {
  it('starts with the promised fields in their order', () => {
    const names = Object.keys(PoolSchema.properties)
    expect(names.slice(0, poolFields.length)).toEqual(poolFields)
  })

  const nullable = `stockReserve otherReserve reserveSource stockPriceInOther stockPriceUsd
    otherPriceUsd liquidityUsd vol1hUsd vol24hUsd stateTs enrichedTs hooks lastSwapTs
    lastSwapBlock otherSymbol sqrtPriceX96 liquidity`.split(/\s+/)

  it.each(poolFields)('%s is nullable only as documented', (name) => {
    const check = Compile(PoolSchema)
    expect(check.Check({ ...exampleFromSchema(PoolSchema), [name]: null })).toBe(
      nullable.includes(name),
    )
  })

  const bad: readonly (readonly [string, unknown])[] = [
    ['id', '0xABCDEF0000000000000000000000000000000000'],
    ['id', '0x1234'],
    ['version', 'v2'],
    ['kind', 'other'],
    ['createdBlock', 1.5],
    ['createdBlock', '12'],
    ['sqrtPriceX96', 79_228],
    ['sqrtPriceX96', '0x12'],
    ['liquidity', '1e18'],
    ['liquidityUsd', -1],
    ['liquidityUsd', Number.NaN],
    ['liquidityUsd', Number.POSITIVE_INFINITY],
    ['lastSwapTs', 1_795_215_600.5],
    ['reserveSource', 'guess'],
    ['dataStatus', 'ok'],
    ['statusReasons', ['because']],
    ['hooks', '0x0'],
    ['secret', 1],
  ]
  it.each(bad)('rejects %s = %j', (name, value) => {
    expect(Compile(PoolSchema).Check({ ...exampleFromSchema(PoolSchema), [name]: value })).toBe(
      false,
    )
  })
})

describe('the documented limits', () => {
  it.each([
    ['items', PoolsPageSchema, 50],
    ['series', PoolDetailSchema, 600],
    ['swaps', PoolDetailSchema, 100],
    ['pools', StockDetailSchema, 50],
    ['series', StockDetailSchema, 600],
  ])('%s has a bounded number of rows', (name, schema, rowsMax) => {
    const list = (schema as TObject).properties[name] as { maxItems?: number }
    expect(list.maxItems).toBe(rowsMax)
  })
})

// Checked by the compiler: each expected error is one.
describe('a schema that differs from its view', () => {
  const schema = record('Two numbers.', { a: Type.Number(), b: nullable(Type.Number()) })

  it('does not compile', () => {
    expect(describes<{ a: number; b: number | null }>()(schema)).toBe(schema)
    // @ts-expect-error the view has a property more
    expect(describes<{ a: number; b: number | null; c: string }>()(schema)).toBe(schema)
    // @ts-expect-error the view has an optional property more
    expect(describes<{ a: number; b: number | null; c?: string }>()(schema)).toBe(schema)
    // @ts-expect-error the view has a property less
    expect(describes<{ a: number }>()(schema)).toBe(schema)
    // @ts-expect-error the view knows no null
    expect(describes<{ a: number; b: number }>()(schema)).toBe(schema)
    // @ts-expect-error the schema knows no null
    expect(describes<{ a: number | null; b: number | null }>()(schema)).toBe(schema)
  })
})
