import { IsArray, IsNull, IsObject, IsUnion, type TObject, type TSchema } from 'typebox'

type Facts = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly 'x-unit'?: string
}

const factsOf = (schema: TSchema): Facts => schema as Facts

/** What a value looks like, in a few words. */
const kindOf = (schema: TSchema): string => {
  if (IsUnion(schema)) return schema.anyOf.map(kindOf).join(' or ')
  if (IsNull(schema)) return 'null'
  if (IsArray(schema)) return `list of ${kindOf(schema.items)}`
  const { type, enum: choices, const: only, pattern } = factsOf(schema)
  if (choices !== undefined) return choices.map((each) => JSON.stringify(each)).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (type === 'string' && pattern?.startsWith('^0x') === true) return 'hex string'
  return type ?? 'value'
}

const unitOf = (schema: TSchema): string => {
  if (IsUnion(schema)) return schema.anyOf.map(unitOf).find((unit) => unit !== '') ?? ''
  return factsOf(schema)['x-unit'] ?? ''
}

/** The records inside: of a list its rows, of a choice the one that is not null. */
const insideOf = (schema: TSchema): TObject | null => {
  if (IsObject(schema)) return schema
  if (IsArray(schema)) return insideOf(schema.items)
  if (!IsUnion(schema)) return null
  return schema.anyOf.map(insideOf).find((each) => each !== null) ?? null
}

/** A field of a record as documents show it. */
export type FieldRow = {
  readonly path: string
  readonly kind: string
  readonly unit: string
  readonly meaning: string
  /** Undefined for records: their fields have examples. */
  readonly example: unknown
}

/** Every field of a record, those of records inside it by their paths. */
export const listSchemaFields = (schema: TObject, prefix = ''): readonly FieldRow[] =>
  Object.entries(schema.properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const inside = insideOf(property)
    const { description: meaning = '', examples } = factsOf(property)
    const example = inside === null ? examples?.[0] : undefined
    const row = { path, kind: kindOf(property), unit: unitOf(property), meaning, example }
    if (inside === null) return [row]
    return [row, ...listSchemaFields(inside, `${path}${IsArray(property) ? '[]' : ''}.`)]
  })
