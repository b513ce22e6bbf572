import type { HistoryPage, HistoryPaging } from './types.ts'

/** The service's maximum. */
const pageRows = 1000

/** Yields all rows of a list, page by page. */
export async function* readHistory<Row>(
  readPage: (paging: HistoryPaging) => Promise<HistoryPage<Row>>,
): AsyncGenerator<Row, void, undefined> {
  let paging: HistoryPaging | null = { limit: pageRows }
  while (paging !== null) {
    const { items, next }: HistoryPage<Row> = await readPage(paging)
    yield* items
    paging = next === null ? null : { limit: pageRows, cursor: next }
  }
}
