import type { Eventual } from './session.ts'

/** The rows after this one, or the first ones, in their order and no more than so many. */
export type PageRead<Row> = (last: Row | undefined, rowsMax: number) => Eventual<readonly Row[]>

/**
 * All rows of a query that answers so many at a time: by pages, never with a cursor left open, so
 * that a commit in between disturbs nothing.
 */
export async function* pagesOf<Row>(
  rowsMax: number,
  pageAfter: PageRead<Row>,
): AsyncGenerator<readonly Row[]> {
  let page: readonly Row[] | undefined
  do {
    page = await pageAfter(page?.at(-1), rowsMax)
    yield page
  } while (page.length === rowsMax)
}

/** The same, while each page is taken in the next one is on its way: where the way is long. */
export async function* oneAhead<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  let coming = pages.next()
  for (let page = await coming; !page.done; page = await coming) {
    coming = pages.next()
    // Whoever asks for it hears of a failure; nobody may.
    coming.catch(() => undefined)
    yield page.value
  }
}

/** Row by row. */
export async function* rowsOf<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const page of pages) yield* page
}
