import type { HistoryOrder, HistoryPage } from '../../src/domain/views/history.ts'
import type { Api } from '../service/api.ts'

/** What every row of a list of events has. */
export type EventRow = {
  readonly block: number
  readonly logIndex: number
  readonly ts: number
  readonly settled: boolean
}

export type ListQuery = {
  readonly path: string
  readonly order: HistoryOrder
  readonly limit: number
  readonly from: number
}

export type ReadList<Row> = {
  /** In chain order. */
  readonly rows: readonly Row[]
  /** Rows that were read before they were settled, and so not taken as they were. */
  readonly unsettled: readonly Row[]
  /** How often the reader met 409 `cursor_replaced` and began again. */
  readonly restarts: number
  /** Last indexed block of the last page: the rows are those up to it. */
  readonly asOfBlock: number
}

/** Called between two pages with the last row. */
export type Between = (last: EventRow) => Promise<void>

type Pages<Row> = Omit<ReadList<Row>, 'unsettled'>

const expectReplaced = (text: string): void => {
  const { error } = JSON.parse(text) as { error: { code: string } }
  if (error.code !== 'cursor_replaced') throw new Error(text)
}

const readPages = async <Row extends EventRow>(
  { ask }: Api,
  { path, order, limit, from }: ListQuery,
  between: Between,
): Promise<Pages<Row>> => {
  const first = `${path}?order=${order}&limit=${limit}&from=${from}`
  let rows: Row[] = []
  let cursor: string | null = null
  for (let restarts = 0; ; ) {
    const { status, text } = await ask(cursor === null ? first : `${first}&cursor=${cursor}`)
    if (status === 409) {
      expectReplaced(text)
      rows = []
      restarts += 1
      cursor = null
      continue
    }
    if (status !== 200) throw new Error(`GET ${first} answered ${status}: ${text}`)
    const { items, next, asOfBlock, complete } = JSON.parse(text) as HistoryPage<Row>
    if (!complete) throw new Error(`GET ${first} is not complete`)
    rows.push(...items)
    cursor = next
    if (next === null) return { rows, restarts, asOfBlock: asOfBlock ?? -1 }
    const last = rows.at(-1)
    if (last !== undefined) await between(last)
  }
}

const isBehind = (one: EventRow, other: EventRow): boolean =>
  one.block > other.block || (one.block === other.block && one.logIndex > other.logIndex)

/**
 * Reads a whole list as docs/api.md says: begins again at 409, and newest first reads what was not
 * settled once more, oldest first.
 */
export const readList = async <Row extends EventRow>(
  api: Api,
  query: ListQuery,
  between: Between = async () => {},
): Promise<ReadList<Row>> => {
  const read = await readPages<Row>(api, query, between)
  if (query.order === 'asc') return { ...read, unsettled: [] }
  const settled = read.rows.filter((row) => row.settled).toReversed()
  const newest = settled.at(-1)
  const from = newest?.ts ?? query.from
  const again = await readPages<Row>(api, { ...query, from, order: 'asc' }, async () => {})
  const later = again.rows.filter((row) => newest === undefined || isBehind(row, newest))
  const unsettled = read.rows.filter((row) => !row.settled)
  return { ...again, rows: [...settled, ...later], unsettled, restarts: read.restarts }
}
