import type { PoolsQuery } from '../market.ts'
import { searchable, textEnd } from './listing.ts'
import type { PoolRow } from './pool-rows.ts'

/** Shorter beginnings of an id match by accident. */
const hexPrefix = /^(?:0x)?([0-9a-f]{4,64})$/

/** The beginning of an id or address that a text may be, with its `0x`; null if it can not be one. */
export const hexPrefixOf = (q: string): string | null => {
  const digits = hexPrefix.exec(q.toLowerCase())?.[1]
  return digits === undefined ? null : `0x${digits}`
}

type Test = (row: PoolRow) => boolean

const searchTest = (q: string): Test => {
  const text = searchable(q)
  const prefix = hexPrefixOf(q)
  const isText = !text.includes(textEnd)
  const isBegun = (hex: string): boolean => prefix !== null && hex.startsWith(prefix)
  return ({ id, entry: { listing, pool } }) =>
    (isText && listing.text.includes(text)) ||
    (prefix !== null && (isBegun(id) || isBegun(pool.key.token0) || isBegun(pool.key.token1)))
}

export type PoolFilter = Omit<PoolsQuery, 'limit' | 'offset' | 'sort' | 'order'>

/** What a list asks of its rows; no tests at all when everything is wanted. */
export const filterTests = (filter: PoolFilter): readonly Test[] => {
  const { symbol, kind, q, version, active, hot, comparable, minLiquidityUsd } = filter
  const tests: (Test | null)[] = [
    symbol === null ? null : (row) => row.entry.listing.tickers.includes(symbol),
    kind === null ? null : (row) => row.kind === kind,
    version === null ? null : (row) => row.entry.pool.version === version,
    active === null ? null : (row) => row.active === active,
    hot === null ? null : (row) => row.hot === hot,
    comparable === null ? null : (row) => row.comparable === comparable,
    minLiquidityUsd === null
      ? null
      : (row) => row.liquidityUsd !== null && row.liquidityUsd >= minLiquidityUsd,
    q === null ? null : searchTest(q),
  ]
  return tests.filter((test) => test !== null)
}
