import type { StoreSnapshot } from '../../ports/store.ts'
import type { Eventual } from './session.ts'

/** The rows after this one, or the first ones, in their order and no more than so many. */
export type PageRead<Row> = (last: Row | undefined, rowsMax: number) => Eventual<readonly Row[]>

/**
 * All rows of a query that answers so many at a time: by pages, never with a cursor left open, so
 * that a commit in between disturbs nothing.
 */
export async function* readPages<Row>(
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
export async function* prefetchNext<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  let coming = pages.next()
  for (let page = await coming; !page.done; page = await coming) {
    coming = pages.next()
    // Whoever asks for it hears of a failure; nobody may.
    coming.catch(() => undefined)
    yield page.value
  }
}

/** Row by row. */
export async function* flattenPages<Row>(
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Row> {
  for await (const page of pages) yield* page
}

/** What is read in pages. */
export type Paged = 'pools' | 'tokens'

/** A store's reads, at once or later. */
export type SnapshotReads = Pick<StoreSnapshot, Paged> & {
  readonly [Name in Exclude<keyof StoreSnapshot, Paged>]: (
    ...given: Parameters<StoreSnapshot[Name]>
  ) => ReturnType<StoreSnapshot[Name]> | Awaited<ReturnType<StoreSnapshot[Name]>>
}

/** The reads of one snapshot; kept beyond its end they would see another state, so they refuse. */
const openSnapshot = (reads: SnapshotReads) => {
  let hasEnded = false
  const assertOpen = (): void => {
    if (hasEnded) throw new Error('store: this snapshot has ended')
  }
  const guarded =
    <Given extends unknown[], Result>(read: (...given: Given) => Result | Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      assertOpen()
      return read(...given)
    }
  const guardedPages = <Page>(read: () => AsyncIterable<Page>) =>
    async function* (): AsyncGenerator<Page> {
      assertOpen()
      for await (const page of read()) {
        yield page
        assertOpen()
      }
    }
  const snapshot: StoreSnapshot = {
    header: guarded(reads.header),
    pools: guardedPages(reads.pools),
    tokens: guardedPages(reads.tokens),
    poolsChangedAfter: guarded(reads.poolsChangedAfter),
    tokensChangedAfter: guarded(reads.tokensChangedAfter),
    stocksChangedAfter: guarded(reads.stocksChangedAfter),
    quotes: guarded(reads.quotes),
    reserves: guarded(reads.reserves),
    sources: guarded(reads.sources),
    discoveredStocks: guarded(reads.discoveredStocks),
    volume: guarded(reads.volume),
    hourlyVolume: guarded(reads.hourlyVolume),
    candles: guarded(reads.candles),
    swaps: guarded(reads.swaps),
    references: guarded(reads.references),
  }
  const end = (): void => {
    hasEnded = true
  }
  return { snapshot, end }
}

/** Lends the reads for as long as `use` takes. */
export const withSnapshot = async <T>(
  reads: SnapshotReads,
  use: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> => {
  const { snapshot, end } = openSnapshot(reads)
  try {
    return await use(snapshot)
  } finally {
    end()
  }
}
