import { IsObject, type Static, type TObject, type TSchema } from 'typebox'

const exampleOfProperty = (schema: TSchema): unknown =>
  IsObject(schema) ? exampleOf(schema) : (schema as { examples?: unknown[] }).examples?.[0]

/** The row that a schema's own examples make. */
export const exampleOf = <S extends TObject>(schema: S): Static<S> =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([name, each]) => [name, exampleOfProperty(each)]),
  ) as Static<S>
