import { IsArray, IsLiteral, IsNull, IsObject, IsUnion, type TObject, type TSchema } from 'typebox'

/** Copies the properties of a schema in their order. Null means that the value needs no copy. */
type Projection = ((value: unknown) => unknown) | null

const projectObject = (schema: TObject): Projection => {
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, createProjection(property)] as const,
  )
  return (value) => {
    const source = value as Record<string, unknown>
    const copy: Record<string, unknown> = {}
    for (const [name, project] of properties) {
      const own = source[name]
      // A property that is left out has no value.
      copy[name] = project === null || own === undefined ? own : project(own)
    }
    return copy
  }
}

/** The value of `kind` that a record of a union has. */
const kindOf = ({ properties: { kind } }: TObject): unknown =>
  kind !== undefined && IsLiteral(kind) ? kind.const : undefined

/** Of records that differ by their literal `kind`. */
const projectRecords = (records: readonly TObject[]): Projection => {
  const projections = new Map(records.map((each) => [kindOf(each), projectObject(each)]))
  return (value) => projections.get((value as { readonly kind?: unknown }).kind)?.(value)
}

const projectUnion = (options: readonly TSchema[]): Projection => {
  const records = options.filter(IsObject)
  const [content = null] =
    records.length > 1 ? [projectRecords(records)] : options.map(createProjection)
  return content === null ? null : (value) => (value === null ? null : content(value))
}

/**
 * Restricts a value to its schema, so that no internal property leaves the service by accident and
 * properties have the documented order. The supported unions are `T | null`, scalars, and records
 * that differ by a literal `kind`.
 */
export const createProjection = (schema: TSchema): Projection => {
  if (IsObject(schema)) return projectObject(schema)
  if (IsArray(schema)) {
    const item = createProjection(schema.items)
    return item === null ? null : (value) => (value as readonly unknown[]).map(item)
  }
  if (IsUnion(schema)) return projectUnion(schema.anyOf.filter((option) => !IsNull(option)))
  return null
}

type Write = (value: unknown) => string

const createWriter = (schema: TSchema): Write => {
  const project = createProjection(schema)
  return (value) => JSON.stringify(project === null ? value : project(value))
}

/** Serializes each row once; rows are immutable and appear on many pages. */
const createRowWriter = (schema: TSchema): Write => {
  const write = createWriter(schema)
  const texts = new WeakMap<object, string>()
  return (row) => {
    const known = texts.get(row as object)
    if (known !== undefined) return known
    const text = write(row)
    texts.set(row as object, text)
    return text
  }
}

const createListWriter = (schema: TSchema): Write => {
  const write = createRowWriter(schema)
  return (rows) => `[${(rows as readonly unknown[]).map(write).join(',')}]`
}

const createPropertyWriter = (name: string, schema: TSchema): Write =>
  // Rows of a page are reused; other lists belong to one response.
  name === 'items' && IsArray(schema) && IsObject(schema.items)
    ? createListWriter(schema.items)
    : createWriter(schema)

/** Serializes a value as its schema lists it: these properties, in this order. */
export const createBodyWriter = ({ properties }: TObject): Write => {
  const writers = Object.entries(properties).map(
    ([name, schema]) =>
      [name, `${JSON.stringify(name)}:`, createPropertyWriter(name, schema)] as const,
  )
  return (value) => {
    const source = value as Record<string, unknown>
    return `{${writers.map(([name, key, write]) => key + write(source[name])).join(',')}}`
  }
}

/** The same of a record whose response is the list of its `items` alone. */
export const createListBodyWriter = ({ properties }: TObject): Write => {
  const { items } = properties
  if (items === undefined) throw new Error('a bare list needs items')
  const write = createPropertyWriter('items', items)
  return (value) => write((value as { readonly items: unknown }).items)
}
