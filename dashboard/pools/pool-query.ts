import type { PoolFilter } from '../../src/client/types.ts'

/*
 * What the table shows is written in the address: a link shows the same to whoever opens it.
 */

/** The most that the API puts on one page. */
export const pageRows = 50

const sorts = ['liquidity', 'vol1h', 'vol24h', 'created', 'lastSwap', 'premium'] as const
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
/** The API counts rows to leave out up to a million. */
const pageMax = 1_000_000 / pageRows

const oneOf = <T extends string>(choices: readonly T[], text: string | null): T | null =>
  choices.find((choice) => choice === text) ?? null

/** What the API would refuse is left out: an old or mistyped link still shows pools. */
export const readPoolQuery = (search: string): PoolQuery => {
  const given = new URLSearchParams(search)
  const symbol = given.get('symbol') ?? ''
  const page = Number(given.get('page') ?? '1')
  return {
    q: [...(given.get('q') ?? '')].slice(0, searchCharactersMax).join(''),
    symbol: /^[A-Za-z0-9.-]{1,16}$/.test(symbol) ? symbol.toUpperCase() : '',
    kind: oneOf(kinds, given.get('kind')),
    version: oneOf(versions, given.get('version')),
    hot: given.get('hot') === 'true',
    comparable: given.get('comparable') === 'true',
    sort: oneOf(sorts, given.get('sort')) ?? everything.sort,
    order: given.get('order') === 'asc' ? 'asc' : 'desc',
    page: Number.isInteger(page) && page >= 1 && page <= pageMax ? page : 1,
  }
}

/** The shortest address of this table. */
export const writePoolQuery = (query: PoolQuery): string => {
  const said = Object.entries(query).filter(
    ([name, value]) => value !== everything[name as keyof PoolQuery],
  )
  const text = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '/' : `/?${text}`
}

/** The same as the API asks it. */
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

/** The same column again turns the order around; another one begins with the largest. */
export const sortedBy = (query: PoolQuery, sort: Sort): PoolQuery => ({
  ...query,
  sort,
  order: query.sort === sort && query.order === 'desc' ? 'asc' : 'desc',
  page: 1,
})
