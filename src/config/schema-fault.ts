import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { quoteText } from './quote-text.ts'

type Fields = Readonly<Record<string, unknown>>
type Located = { readonly path: string; readonly fault: string }

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const stepOf = (key: string): string => {
  if (/^\d+$/.test(key)) return `[${key}]`
  return /^[\w-]{1,40}$/.test(key) ? `.${key}` : `[${quoteText(key)}]`
}

/** `/stocks/tokens/3/adress` -> `stocks.tokens[3].adress`. */
const pathOf = (keys: readonly string[]): string => keys.map(stepOf).join('').replace(/^\./, '')

const keysOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

const variantsOf = (schema: Fields): readonly unknown[] =>
  Array.isArray(schema.anyOf) ? schema.anyOf : [schema]

const childOf = (schema: Fields, key: string): Fields | null => {
  for (const variant of variantsOf(schema)) {
    if (!isFields(variant)) continue
    const properties = isFields(variant.properties) ? variant.properties : {}
    const child = Object.hasOwn(properties, key) ? properties[key] : variant.items
    if (isFields(child)) return child
  }
  return null
}

const unfit = (schema: TSchema, keys: readonly string[]): Located => {
  let node: Fields = schema
  for (const key of keys) node = childOf(node, key) ?? node
  return { path: pathOf(keys), fault: `expected ${String(node.expected)}` }
}

/** In words, what first keeps `value` from being of `schema`; null if nothing does. */
export const schemaFault = (schema: TSchema, value: unknown, at = ''): string | null => {
  const errors = Value.Errors(schema, value)
  const first = errors[0]
  if (first === undefined) return null
  const show = ({ path, fault }: Located) => {
    const whole = `${at}${path === '' || path.startsWith('[') || at === '' ? '' : '.'}${path}`
    return whole === '' ? fault : `${whole}: ${fault}`
  }
  // A key that nobody knows comes first: it is often the mistyped name of one that is missing.
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'additionalProperties') continue
    const key = params.additionalProperties[0] ?? ''
    return show({ path: pathOf([...keysOf(instancePath), key]), fault: 'unknown key' })
  }
  const deepest = errors.reduce((best, error) =>
    keysOf(error.instancePath).length > keysOf(best.instancePath).length ? error : best,
  )
  const keys = keysOf(deepest.instancePath)
  if (deepest.keyword !== 'required') return show(unfit(schema, keys))
  return show({ path: pathOf([...keys, deepest.params.requiredProperties[0] ?? '']), fault: 'missing' })
}
