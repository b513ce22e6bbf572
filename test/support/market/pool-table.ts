import { type PoolTable, piecePools } from '../../../src/market/model/chunked-table.ts'

/** From values by pool number. */
export const tableOf = <T>(values: readonly (T | undefined)[]): PoolTable<T> =>
  Array.from({ length: Math.ceil(values.length / piecePools) }, (_, piece) =>
    values.slice(piece * piecePools, (piece + 1) * piecePools),
  )
