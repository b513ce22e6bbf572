import { IsArray, IsNull, IsObject, IsUnion, type TObject, type TSchema } from 'typebox'
import { type Html, html } from './html.ts'

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

const exampleCell = (schema: TSchema): Html => {
  const example = factsOf(schema).examples?.[0]
  return example === undefined ? html`` : html`<code>${JSON.stringify(example)}</code>`
}

const rowsOf = (schema: TObject, prefix: string): readonly Html[] =>
  Object.entries(schema.properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const inside = insideOf(property)
    const list = IsArray(property) ? '[]' : ''
    const row = html`<tr><td><code>${path}</code></td><td>${kindOf(property)}</td>
<td>${unitOf(property)}</td><td>${factsOf(property).description ?? ''}</td>
<td>${inside === null ? exampleCell(property) : html``}</td></tr>\n`
    return inside === null ? [row] : [row, ...rowsOf(inside, `${path}${list}.`)]
  })

/** Every field of a record, those of records inside it by their paths. */
export const schemaTable = (schema: TObject): Html => html`<div class="scroll"><table>
<thead><tr><th>field</th><th>is</th><th>unit</th><th>meaning</th><th>for example</th></tr></thead>
<tbody>
${rowsOf(schema, '')}</tbody></table></div>`
