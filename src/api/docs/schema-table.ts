import { IsArray, IsNull, IsObject, IsUnion, type TObject, type TSchema } from 'typebox'

type Annotations = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly 'x-unit'?: string
}

const annotationsOf = (schema: TSchema): Annotations => schema as Annotations

/** Each type once. */
const joinTypes = (types: readonly string[]): string =>
  [...new Set(types.flatMap((type) => type.split(' or ')))].join(' or ')

/** Describes the type of a value in a few words. */
const describeType = (schema: TSchema): string => {
  if (IsUnion(schema)) return joinTypes(schema.anyOf.map(describeType))
  if (IsNull(schema)) return 'null'
  if (IsArray(schema)) return `list of ${describeType(schema.items)}`
  const { type, enum: choices, const: only, pattern } = annotationsOf(schema)
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (type === 'string' && pattern?.startsWith('^0x') === true) return 'hex string'
  return type ?? 'value'
}

const unitOf = (schema: TSchema): string => {
  if (IsUnion(schema)) return schema.anyOf.map(unitOf).find((unit) => unit !== '') ?? ''
  return annotationsOf(schema)['x-unit'] ?? ''
}

/** The object schema within an array or a nullable schema. */
const innerObject = (schema: TSchema): TObject | null => {
  if (IsObject(schema)) return schema
  if (IsArray(schema)) return innerObject(schema.items)
  if (!IsUnion(schema)) return null
  return schema.anyOf.map(innerObject).find((inner) => inner !== null) ?? null
}

/** The records of a union, which differ by their `kind`; empty for one record or none. */
const recordsOf = (schema: TSchema): readonly TObject[] => {
  const records = IsUnion(schema) ? schema.anyOf.filter(IsObject) : []
  return records.length > 1 ? records : []
}

/** A field as a row of the documentation. */
export type FieldRow = {
  readonly path: string
  readonly type: string
  readonly unit: string
  readonly meaning: string
  /** Undefined for objects, whose fields have examples. */
  readonly example: unknown
}

/** Lists every field of an object, nested ones by their paths. */
export const listSchemaFields = (schema: TObject, prefix = ''): readonly FieldRow[] =>
  Object.entries(schema.properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const records = recordsOf(property)
    const inner = innerObject(property)
    const { description: meaning = '', examples } = annotationsOf(property)
    const example = inner === null ? examples?.[0] : undefined
    const row = { path, type: describeType(property), unit: unitOf(property), meaning, example }
    if (inner === null) return [row]
    if (records.length > 0) return [row, ...listKinds(records, path)]
    return [row, ...listSchemaFields(inner, `${path}${IsArray(property) ? '[]' : ''}.`)]
  })

/** The fields of records that differ by `kind`, each with all of its kinds once. */
const listKinds = (records: readonly TObject[], path: string): readonly FieldRow[] => {
  const rows = records.flatMap((record) => listSchemaFields(record, `${path}.`))
  return [...Map.groupBy(rows, (row) => row.path).values()].map((same) => {
    const [first] = same
    const type = joinTypes(same.map((row) => row.type))
    const meanings = [...new Set(same.map(({ meaning }) => meaning))]
    return { ...(first as FieldRow), type, meaning: meanings.join(' ') }
  })
}
