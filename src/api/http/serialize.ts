import { IsArray, IsNull, IsObject, IsUnion, type TObject, type TSchema } from 'typebox'

/** Copies what a schema lists, in its order, and nothing else. Null: the value stays as it is. */
type Projection = ((value: unknown) => unknown) | null

const ofObject = (schema: TObject): Projection => {
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, createProjection(property)] as const,
  )
  return (value) => {
    const from = value as Record<string, unknown>
    const to: Record<string, unknown> = {}
    for (const [name, project] of properties) {
      to[name] = project === null ? from[name] : project(from[name])
    }
    return to
  }
}

/**
 * How a reply is cut down to its schema, so that no property of the inside ever leaves by accident
 * and every reply has the order of the documents. Of unions it knows "something or null".
 */
export const createProjection = (schema: TSchema): Projection => {
  if (IsObject(schema)) return ofObject(schema)
  if (IsArray(schema)) {
    const item = createProjection(schema.items)
    return item === null ? null : (value) => (value as readonly unknown[]).map(item)
  }
  if (IsUnion(schema)) {
    const [content = null] = schema.anyOf.filter((each) => !IsNull(each)).map(createProjection)
    return content === null ? null : (value) => (value === null ? null : content(value))
  }
  return null
}

type Write = (value: unknown) => string

/** A value as text, cut down to its schema. */
const writerOf = (schema: TSchema): Write => {
  const project = createProjection(schema)
  return (value) => JSON.stringify(project === null ? value : project(value))
}

/** The text of a row, written once however many pages show it: rows are never changed. */
const createRowWriter = (schema: TSchema): Write => {
  const write = writerOf(schema)
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

const propertyWriter = (name: string, schema: TSchema): Write =>
  // The rows of a page are shown again and again; other lists are made for one answer.
  name === 'items' && IsArray(schema) && IsObject(schema.items)
    ? createListWriter(schema.items)
    : writerOf(schema)

/** Writes a reply as its schema says: what it lists, in its order, and nothing else. */
export const createBodyWriter = ({ properties }: TObject): Write => {
  const writers = Object.entries(properties).map(
    ([name, schema]) => [name, `${JSON.stringify(name)}:`, propertyWriter(name, schema)] as const,
  )
  return (value) => {
    const from = value as Record<string, unknown>
    return `{${writers.map(([name, key, write]) => key + write(from[name])).join(',')}}`
  }
}
