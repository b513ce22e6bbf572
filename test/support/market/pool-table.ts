import { type PoolTable, poolsPerChunk } from '../../../src/market/model/chunked-table.ts'

/** From values by pool number. */
export const tableOf = <T>(values: readonly (T | undefined)[]): PoolTable<T> =>
  Array.from({ length: Math.ceil(values.length / poolsPerChunk) }, (_, piece) =>
    values.slice(piece * poolsPerChunk, (piece + 1) * poolsPerChunk),
  )
