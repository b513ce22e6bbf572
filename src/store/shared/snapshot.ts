import type { StoreSnapshot } from '../../ports/store.ts'
import type { Eventual } from './session.ts'

/** Reads at most `rowsMax` rows after `last`, or the first ones. */
export type PageRead<Row> = (last: Row | undefined, rowsMax: number) => Eventual<readonly Row[]>

/** Pages of all rows. No database cursor stays open, so commits may happen between pages. */
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

/** Requests the next page while the caller uses the current one: saves round trips. */
export async function* prefetchNext<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  let next = pages.next()
  for (let page = await next; !page.done; page = await next) {
    next = pages.next()
    // The rejection surfaces when the page is requested, which may never happen.
    next.catch(() => undefined)
    yield page.value
  }
}

export async function* flattenPages<Row>(
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Row> {
  for await (const page of pages) yield* page
}

export type Paged = 'pools' | 'tokens'

/** The reads of a store, whose results may be synchronous. */
export type SnapshotReads = Pick<StoreSnapshot, Paged> & {
  readonly [Name in Exclude<keyof StoreSnapshot, Paged>]: (
    ...given: Parameters<StoreSnapshot[Name]>
  ) => ReturnType<StoreSnapshot[Name]> | Awaited<ReturnType<StoreSnapshot[Name]>>
}

type Guard = <Given extends unknown[], Result>(
  read: (...given: Given) => Result | Promise<Result>,
) => (...given: Given) => Promise<Result>

const guardFeedReads = (reads: SnapshotReads, guarded: Guard) => ({
  liquidityOfBlocks: guarded(reads.liquidityOfBlocks),
  ticksOfPools: guarded(reads.ticksOfPools),
  changesOfPools: guarded(reads.changesOfPools),
  firstSwaps: guarded(reads.firstSwaps),
  firstWithoutTrader: guarded(reads.firstWithoutTrader),
  token: guarded(reads.token),
})

/** Guards the reads of one snapshot: after its end they throw, as they would see another state. */
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
    poolsBetween: guarded(reads.poolsBetween),
    poolsById: guarded(reads.poolsById),
    tokensOfPools: guarded(reads.tokensOfPools),
    ticksOfPool: guarded(reads.ticksOfPool),
    stocksChangedAfter: guarded(reads.stocksChangedAfter),
    quotes: guarded(reads.quotes),
    reserves: guarded(reads.reserves),
    sources: guarded(reads.sources),
    searches: guarded(reads.searches),
    volume: guarded(reads.volume),
    hourlyVolume: guarded(reads.hourlyVolume),
    candles: guarded(reads.candles),
    tradedCandles: guarded(reads.tradedCandles),
    keptHours: guarded(reads.keptHours),
    tradedSums: guarded(reads.tradedSums),
    trades: guarded(reads.trades),
    tradedAmounts: guarded(reads.tradedAmounts),
    swaps: guarded(reads.swaps),
    poolVolume: guarded(reads.poolVolume),
    minuteVolume: guarded(reads.minuteVolume),
    liquidityChanges: guarded(reads.liquidityChanges),
    timedBlock: guarded(reads.timedBlock),
    timedBlockUntil: guarded(reads.timedBlockUntil),
    swapPage: guarded(reads.swapPage),
    searchSwaps: guarded(reads.searchSwaps),
    liquidityPage: guarded(reads.liquidityPage),
    touchedPools: guarded(reads.touchedPools),
    ...guardFeedReads(reads, guarded),
    block: guarded(reads.block),
    replacementsAfter: guarded(reads.replacementsAfter),
    references: guarded(reads.references),
  }
  const end = (): void => {
    hasEnded = true
  }
  return { snapshot, end }
}

/** Ends the snapshot when `use` has settled. */
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
