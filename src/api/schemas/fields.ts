import {
  type Static,
  type TNull,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnion,
  Type,
} from 'typebox'
import type { Address, Hash, Hex, PoolId } from '../../domain/units.ts'

/* Value types of the responses with their units (`x-unit`); `field` adds the meaning. */

export const addressSchema = Type.Unsafe<Address>(Type.String({ pattern: '^0x[0-9a-f]{40}$' }))
export const hashSchema = Type.Unsafe<Hash>(Type.String({ pattern: '^0x[0-9a-f]{64}$' }))
export const hexSchema = Type.Unsafe<Hex>(Type.String({ pattern: '^0x([0-9a-f]{2})*$' }))
export const poolIdSchema = Type.Unsafe<PoolId>(
  Type.String({ pattern: '^0x([0-9a-f]{40}|[0-9a-f]{64})$' }),
)
/** Decimal text of an integer that may exceed 2^53. */
export const bigIntegerSchema = Type.String({ pattern: '^(0|[1-9][0-9]*)$' })
/** Decimal text with a fraction. */
export const decimalSchema = Type.String({ pattern: '^[0-9]+\\.[0-9]+$' })

export const unixSecondsSchema = Type.Integer({ minimum: 0, 'x-unit': 'Unix seconds' })
export const secondsSchema = Type.Integer({ 'x-unit': 'seconds' })
export const blockSchema = Type.Integer({ minimum: 0, 'x-unit': 'block number' })
export const blocksSchema = Type.Integer({ minimum: 0, 'x-unit': 'blocks' })
/** Part of a whole. */
export const shareSchema = Type.Number({ minimum: 0, maximum: 1, 'x-unit': 'part of 1' })

export const countSchema = Type.Integer({ minimum: 0, 'x-unit': 'count' })
export const tickSchema = Type.Integer({
  minimum: -887_272,
  maximum: 887_272,
  'x-unit': 'tick (token1 per token0 is 1.0001 to its power, in raw units)',
})
export const feeSchema = Type.Integer({ minimum: 0, 'x-unit': 'hundredths of a basis point' })
export const basisPointsSchema = Type.Number({ 'x-unit': 'basis points' })
export const usdSchema = Type.Number({ minimum: 0, 'x-unit': 'US dollars' })
export const tokensSchema = Type.Number({ minimum: 0, 'x-unit': 'whole tokens' })
export const ratioSchema = Type.Number({ minimum: 0, 'x-unit': 'other tokens per stock token' })

/** Null means not known; zero means observed to be zero. */
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const listOf = <S extends TSchema>(item: S, itemsMax?: number) =>
  Type.Immutable(Type.Array(item, itemsMax === undefined ? {} : { maxItems: itemsMax }))

/** A property with its meaning and an example. */
export const field = <S extends TSchema>(
  schema: S,
  description: string,
  example: Static<S> | null,
): S => Type.With(schema, { description, examples: [example] }) as S

const nullableField =
  <S extends TSchema>(schema: S) =>
  (description: string, example: Static<S> | null) =>
    Type.With(nullable(schema), { description, examples: [example] }) as TUnion<[S, TNull]>

export const nullableBasisPoints = nullableField(basisPointsSchema)
export const nullableBlock = nullableField(blockSchema)
export const nullableRatio = nullableField(ratioSchema)
export const nullableTime = nullableField(unixSecondsSchema)
export const nullableTokens = nullableField(tokensSchema)
export const nullableUsd = nullableField(usdSchema)

/** An object with exactly these properties, all of them required. */
export const record = <P extends TProperties>(description: string, properties: P): TObject<P> =>
  Type.Object(properties, { description, additionalProperties: false })

type Same<A, B> = [A, keyof A] extends [B, keyof B]
  ? [B, keyof B] extends [A, keyof A]
    ? true
    : false
  : false

/**
 * Proves at compile time that a schema matches a domain type exactly: an additional, missing or
 * differing property on either side does not compile.
 */
export const describes =
  <View>() =>
  <S extends TSchema>(schema: S & (Same<Static<S>, View> extends true ? unknown : never)): S =>
    schema
