import type { FoundSwap } from '../../ports/store-history.ts'
import { integer } from './codec.ts'
import type { EngineText } from './engine-text.ts'
import type { Shape } from './session.ts'
import type { ListColumns } from './table.ts'
import { swaps } from './tables.ts'

/* Searches among the swaps: of many rows the engine returns the few that are wanted. */

/** Of a page of events: after one place, before another, within times. */
export const withinPage = `(block, log_index) > (?, ?) AND (block, log_index) < (?, ?)
      AND ts >= ? AND ts <= ?`

type Direction = 'ASC' | 'DESC'

export const inOrder = (columns: readonly string[], direction: Direction): string =>
  columns.map((column) => `${column} ${direction}`).join(', ')

/** Each parameter may be null: then every swap has what is asked for. */
const matching = ({ placeOf }: EngineText): string =>
  [
    // The pools between commas: an array would be worded differently by each engine.
    `COALESCE(${placeOf('?', "',' || pool || ','")} > 0, TRUE)`,
    'COALESCE(COALESCE(usd_micro, -1) >= ?, TRUE)',
    'trader IS NOT DISTINCT FROM COALESCE(?, trader)',
    'sender = COALESCE(?, sender)',
  ].join(' AND ')

/** The last swap of the search is found as well: there the next one continues. */
const searchOf =
  (list: ListColumns, engine: EngineText) =>
  (scope: string, order: string): string =>
    `SELECT ${list(swaps.forms)}, place FROM (
      SELECT *, ROW_NUMBER() OVER (ORDER BY ${order}) AS place FROM (
        SELECT * FROM swaps WHERE ${scope} ORDER BY ${order} LIMIT ?) AS searched) AS placed
    WHERE place = ? OR (${matching(engine)}) ORDER BY place LIMIT ?`

export const buildSwapSearches = (list: ListColumns, engine: EngineText) => {
  const search = searchOf(list, engine)
  const ofPool = `pool = ? AND ${withinPage}`
  const poolOrder = ['block', 'log_index']
  return {
    poolSwapSearch: search(ofPool, inOrder(poolOrder, 'ASC')),
    newestPoolSwapSearch: search(ofPool, inOrder(poolOrder, 'DESC')),
    swapSearch: search(withinPage, inOrder(engine.chainOrder, 'ASC')),
    newestSwapSearch: search(withinPage, inOrder(engine.chainOrder, 'DESC')),
  }
}

/** A swap with its place in the search behind its columns. */
export const foundSwaps: Shape<FoundSwap> = {
  forms: [...swaps.forms, { ...integer.form }],
  fromRow: (row) => ({
    swap: swaps.fromRow(row),
    place: integer.fromColumn(row[swaps.forms.length]),
  }),
}
