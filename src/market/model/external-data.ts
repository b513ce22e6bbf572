import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { FallbackReserve } from '../../domain/valuation/pool-reserves.ts'
import type { ScreenerFigure } from '../../domain/valuation/screener-check.ts'
import type { ExternalReserve } from '../../ports/store-batches.ts'
import type { ExternalData } from './model-pool.ts'

const isSameReserve = (a: FallbackReserve | null, b: FallbackReserve | null): boolean =>
  a?.source === b?.source &&
  a?.amount0 === b?.amount0 &&
  a?.amount1 === b?.amount1 &&
  a?.ts === b?.ts

const hasBothSides = ({ amount0, amount1 }: ExternalReserve): boolean =>
  amount0 !== null && amount1 !== null

/** Prefers both sides over one, and a v3 pool's balances over a screener (methodology §4). */
const selectReserve = (rows: readonly ExternalReserve[]): FallbackReserve | null => {
  const balance = rows.find(({ source }) => source === 'balance')
  if (balance !== undefined && hasBothSides(balance)) return balance
  return rows.find((row) => row.source === 'screener' && hasBothSides(row)) ?? balance ?? null
}

const screenerFigureOf = (rows: readonly ExternalReserve[]): ScreenerFigure | null => {
  const { liquidityUsd = null, ts = 0 } = rows.find(({ source }) => source === 'screener') ?? {}
  return liquidityUsd === null ? null : { liquidityUsd, ts }
}

const noExternalData: ExternalData = { fallback: null, screened: null }

const isSameExternalData = (a: ExternalData, b: ExternalData): boolean =>
  isSameReserve(a.fallback, b.fallback) &&
  a.screened?.liquidityUsd === b.screened?.liquidityUsd &&
  a.screened?.ts === b.screened?.ts

/** External data per pool. */
export const createExternalDataIndex = () => {
  let current = new Map<PoolNumber, ExternalData>()
  const get = (number: PoolNumber): ExternalData => current.get(number) ?? noExternalData
  return {
    get,
    /** Replaces all rows and returns the pools whose data changed. */
    replace: (rows: readonly ExternalReserve[]): readonly PoolNumber[] => {
      const before = current
      const groups = [...Map.groupBy(rows, (row) => row.pool)]
      current = new Map(
        groups.map(([number, group]) => [
          number,
          { fallback: selectReserve(group), screened: screenerFigureOf(group) },
        ]),
      )
      const numbers = [...new Set([...before.keys(), ...current.keys()])]
      return numbers.filter(
        (number) => !isSameExternalData(before.get(number) ?? noExternalData, get(number)),
      )
    },
  }
}
