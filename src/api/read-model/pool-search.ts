import type { PoolsQuery } from '../market.ts'
import { headDigits } from './listing.ts'
import type { PoolRow } from './pool-rows.ts'

/** Shorter beginnings of an id match by accident. */
const hexPrefix = new RegExp(`^(?:0x)?([0-9a-f]{${headDigits},64})$`)

/** The beginning of an id or address that a text may be, with its `0x`; null if it is none. */
export const hexPrefixOf = (q: string): string | null => {
  const digits = hexPrefix.exec(q.toLowerCase())?.[1]
  return digits === undefined ? null : `0x${digits}`
}

type Test = (row: PoolRow) => boolean

export type PoolFilter = Omit<PoolsQuery, 'limit' | 'offset' | 'sort' | 'order' | 'symbol' | 'q'>

/** What a list asks of its rows beyond their names; nothing when everything is wanted. */
export const filterTests = (filter: PoolFilter): readonly Test[] => {
  const { kind, version, active, hot, comparable, minLiquidityUsd } = filter
  const tests: (Test | null)[] = [
    kind === null ? null : (row) => row.kind === kind,
    version === null ? null : (row) => row.entry.pool.version === version,
    active === null ? null : (row) => row.active === active,
    hot === null ? null : (row) => row.hot === hot,
    comparable === null ? null : (row) => row.comparable === comparable,
    minLiquidityUsd === null
      ? null
      : (row) => row.liquidityUsd !== null && row.liquidityUsd >= minLiquidityUsd,
  ]
  return tests.filter((test) => test !== null)
}
