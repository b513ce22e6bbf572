import type { EventPlace } from '../../domain/pool/pool-event.ts'
import type { HistoryOrder } from '../../domain/views/history.ts'

/** Reads the next rows of one pool, or of all, behind a place in the order of the request. */
export type ReadRows<Row> = (after: EventPlace | null, rowsMax: number) => Promise<readonly Row[]>

type Source<Row> = { rows: readonly Row[]; at: number; isEnd: boolean }

export type ScanOptions = {
  readonly after: EventPlace | null
  readonly order: HistoryOrder
  /** Rows of one read. */
  readonly chunkRows: number
}

/** The rows of several reads in one order, read only as far as they are used. */
export async function* mergeRows<Row extends EventPlace>(
  reads: readonly ReadRows<Row>[],
  { after, order, chunkRows }: ScanOptions,
): AsyncGenerator<Row, void, undefined> {
  const sign = order === 'asc' ? 1 : -1
  const sources: Source<Row>[] = reads.map(() => ({ rows: [], at: 0, isEnd: false }))
  for (;;) {
    let first: { readonly source: Source<Row>; readonly row: Row } | null = null
    for (const [number, source] of sources.entries()) {
      if (source.at === source.rows.length && !source.isEnd) {
        const rows = (await reads[number]?.(source.rows.at(-1) ?? after, chunkRows)) ?? []
        Object.assign(source, { rows, at: 0, isEnd: rows.length < chunkRows })
      }
      const row = source.rows[source.at]
      if (row === undefined) continue
      const ahead =
        first === null ? -1 : row.block - first.row.block || row.logIndex - first.row.logIndex
      if (first === null || ahead * sign < 0) first = { source, row }
    }
    if (first === null) return
    first.source.at += 1
    yield first.row
  }
}

export type ScannedPage<Row, Item> = {
  readonly items: readonly Item[]
  /** The row after which the next page continues; null at the end. */
  readonly last: Row | null
}

/** Takes the rows of a page: at most `limit` that match, out of at most `scannedMax`. */
export const takeMatching = async <Row, Item>(
  rows: AsyncIterable<Row>,
  match: (row: Row) => Item | null,
  { limit, scannedMax }: { readonly limit: number; readonly scannedMax: number },
): Promise<ScannedPage<Row, Item>> => {
  const items: Item[] = []
  let scanned = 0
  let last: Row | null = null
  for await (const row of rows) {
    if (items.length === limit || scanned === scannedMax) return { items, last }
    scanned += 1
    last = row
    const item = match(row)
    if (item !== null) items.push(item)
  }
  return { items, last: null }
}

/** The same of rows that are all read: at most `limit` that match. */
export const takeOf = <Row, Item>(
  rows: readonly Row[],
  match: (row: Row) => Item | null,
  limit: number,
): ScannedPage<Row, Item> => {
  const items: Item[] = []
  let last: Row | null = null
  for (const row of rows) {
    if (items.length === limit) return { items, last }
    last = row
    const item = match(row)
    if (item !== null) items.push(item)
  }
  return { items, last: null }
}
