import { IsArray, IsNull, IsObject, IsUnion, type TObject, type TSchema } from 'typebox'

/** Copies what a schema lists, in its order, and nothing else. Null: the value stays as it is. */
type Projection = ((value: unknown) => unknown) | null

const ofObject = (schema: TObject): Projection => {
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, projectionOf(property)] as const,
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
export const projectionOf = (schema: TSchema): Projection => {
  if (IsObject(schema)) return ofObject(schema)
  if (IsArray(schema)) {
    const item = projectionOf(schema.items)
    return item === null ? null : (value) => (value as readonly unknown[]).map(item)
  }
  if (IsUnion(schema)) {
    const [content = null] = schema.anyOf.filter((each) => !IsNull(each)).map(projectionOf)
    return content === null ? null : (value) => (value === null ? null : content(value))
  }
  return null
}
