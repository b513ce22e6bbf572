import type { PoolFilter } from '../../src/client/types.ts'

/*
 * The URL contains the query of the table, so that a link shows the same rows.
 */

/** The API's maximum page size. */
export const pageRows = 50

const sorts = [
  'liquidity',
  'depth',
  'vol1h',
  'vol24h',
  'vol24hFiltered',
  'created',
  'lastSwap',
  'premium',
  'feeApr24h',
] as const
export type Sort = (typeof sorts)[number]
const kinds = ['canonical', 'meme', 'stock-stock'] as const
const versions = ['v3', 'v4'] as const

export type PoolQuery = {
  readonly q: string
  readonly symbol: string
  readonly kind: (typeof kinds)[number] | null
  readonly version: (typeof versions)[number] | null
  readonly hot: boolean
  readonly comparable: boolean
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
  /** From 1. */
  readonly page: number
}

export const everything: PoolQuery = {
  q: '',
  symbol: '',
  kind: null,
  version: null,
  hot: false,
  comparable: false,
  sort: 'liquidity',
  order: 'desc',
  page: 1,
}

const searchCharactersMax = 80
/** The API's maximum offset is one million. */
const pageMax = 1_000_000 / pageRows

const oneOf = <T extends string>(choices: readonly T[], text: string | null): T | null =>
  choices.find((choice) => choice === text) ?? null

/** Ignores invalid values, so that an old or mistyped link still shows pools. */
export const readPoolQuery = (search: string): PoolQuery => {
  const params = new URLSearchParams(search)
  const symbol = params.get('symbol') ?? ''
  const page = Number(params.get('page') ?? '1')
  return {
    q: [...(params.get('q') ?? '')].slice(0, searchCharactersMax).join(''),
    symbol: /^[A-Za-z0-9.-]{1,16}$/.test(symbol) ? symbol.toUpperCase() : '',
    kind: oneOf(kinds, params.get('kind')),
    version: oneOf(versions, params.get('version')),
    hot: params.get('hot') === 'true',
    comparable: params.get('comparable') === 'true',
    sort: oneOf(sorts, params.get('sort')) ?? everything.sort,
    order: params.get('order') === 'asc' ? 'asc' : 'desc',
    page: Number.isInteger(page) && page >= 1 && page <= pageMax ? page : 1,
  }
}

/** The shortest URL of a query. */
export const writePoolQuery = (query: PoolQuery): string => {
  const changed = Object.entries(query).filter(
    ([name, value]) => value !== everything[name as keyof PoolQuery],
  )
  const text = new URLSearchParams(changed.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '/' : `/?${text}`
}

/** Converts a query to the API's filter. */
export const filterOf = (query: PoolQuery): PoolFilter => ({
  ...(query.q.trim() === '' ? {} : { q: query.q.trim() }),
  ...(query.symbol === '' ? {} : { symbol: query.symbol }),
  ...(query.kind === null ? {} : { kind: query.kind }),
  ...(query.version === null ? {} : { version: query.version }),
  ...(query.hot ? { hot: true } : {}),
  ...(query.comparable ? { comparable: true } : {}),
  ...(query.sort === everything.sort && query.order === 'desc'
    ? {}
    : { sort: query.sort, order: query.order }),
})

/** Reverses the order of the same column; another column starts with the largest. */
export const sortedBy = (query: PoolQuery, sort: Sort): PoolQuery => ({
  ...query,
  sort,
  order: query.sort === sort && query.order === 'desc' ? 'asc' : 'desc',
  page: 1,
})
