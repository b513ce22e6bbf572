/**
 * All rows of a query that answers so many at a time: by pages, never with a cursor left open, so
 * that a commit in between disturbs nothing.
 */
export async function* byPages<Row>(
  rowsMax: number,
  pageAfter: (last: Row | undefined, rowsMax: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let page: readonly Row[] | undefined
  do {
    page = await pageAfter(page?.at(-1), rowsMax)
    yield* page
  } while (page.length === rowsMax)
}
