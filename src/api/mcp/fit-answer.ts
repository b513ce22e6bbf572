/** A list of an answer that was shortened: how many rows it has here, and how many there are. */
export type Cut = { readonly list: string; readonly shown: number; readonly of: number }

type Body = Readonly<Record<string, unknown>>
export type Fitted = { readonly body: Body; readonly cut: readonly Cut[] }

/** Answers have lists in themselves and in records at most so deep. */
const depthMax = 3

const isRecord = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type List = { readonly path: readonly string[]; readonly rows: readonly unknown[] }

/** The lists of records; lists of codes are short. */
const listsIn = (body: Body, path: readonly string[] = []): readonly List[] =>
  Object.entries(body).flatMap(([name, value]) => {
    const at = [...path, name]
    if (Array.isArray(value)) return isRecord(value[0]) ? [{ path: at, rows: value }] : []
    return isRecord(value) && at.length < depthMax ? listsIn(value, at) : []
  })

/** A series ends with its newest row, all other lists begin with what matters most. */
const shorten = ({ path, rows }: List, count: number): readonly unknown[] =>
  path.at(-1) === 'series' ? rows.slice(rows.length - count) : rows.slice(0, count)

const put = (body: Body, [name = '', ...rest]: readonly string[], value: unknown): Body => {
  const inner = body[name]
  return { ...body, [name]: rest.length > 0 && isRecord(inner) ? put(inner, rest, value) : value }
}

/** Pages of `offset` and `limit` continue by it. */
const withLimit = (body: Body): Body =>
  typeof body.limit === 'number' && Array.isArray(body.items)
    ? { ...body, limit: Math.max(1, body.items.length) }
    : body

const listCuts = (before: Body, after: Body): readonly Cut[] => {
  const left = new Map(listsIn(after).map(({ path, rows }) => [path.join('.'), rows.length]))
  return listsIn(before).flatMap(({ path, rows }) => {
    const [list, of] = [path.join('.'), rows.length]
    const shown = left.get(list) ?? 0
    return shown === of ? [] : [{ list, shown, of }]
  })
}

/** At most so many rows of each list. */
export const cutLists = (body: Body, rowsMax: number): Fitted => {
  const after = listsIn(body)
    .filter(({ rows }) => rows.length > rowsMax)
    .reduce((whole, list) => put(whole, list.path, shorten(list, rowsMax)), body)
  return { body: after, cut: listCuts(body, after) }
}

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Shortens the largest list by a quarter, again and again, until the answer fits. */
export const fitLists = (body: Body, bytesMax: number): Fitted => {
  let after = body
  while (bytesOf(after) > bytesMax) {
    const sized = listsIn(after)
      .filter(({ rows }) => rows.length > 1)
      .map((list) => ({ list, bytes: bytesOf(list.rows) }))
    const [largest] = sized.toSorted((one, other) => other.bytes - one.bytes)
    if (largest === undefined) break
    const { list } = largest
    after = put(after, list.path, shorten(list, Math.floor(list.rows.length * 0.75)))
  }
  return { body: after === body ? body : withLimit(after), cut: listCuts(body, after) }
}
