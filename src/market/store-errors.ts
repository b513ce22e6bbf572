import type { StoreReader, StoreSnapshot } from '../ports/store.ts'
import { errorText } from '../util/error-text.ts'

const name = 'StoreError'

const toStoreError = (cause: unknown): Error =>
  Object.assign(new Error(`failed to read the store: ${errorText(cause)}`, { cause }), { name })

/** Whether reading the store failed, so that a retry may succeed. */
export const isStoreError = (error: unknown): boolean =>
  error instanceof Error && error.name === name

const wrapCall =
  <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    call(...args).catch((error: unknown) => {
      throw toStoreError(error)
    })

const wrapPages = <Page>(read: () => AsyncIterable<Page>) =>
  async function* (): AsyncGenerator<Page> {
    try {
      yield* read()
    } catch (error) {
      throw toStoreError(error)
    }
  }

const wrapSnapshot = (snapshot: StoreSnapshot): StoreSnapshot => ({
  header: wrapCall(snapshot.header),
  pools: wrapPages(snapshot.pools),
  tokens: wrapPages(snapshot.tokens),
  poolsChangedAfter: wrapCall(snapshot.poolsChangedAfter),
  tokensChangedAfter: wrapCall(snapshot.tokensChangedAfter),
  poolsBetween: wrapCall(snapshot.poolsBetween),
  poolsById: wrapCall(snapshot.poolsById),
  tokensOfPools: wrapCall(snapshot.tokensOfPools),
  ticksOfPool: wrapCall(snapshot.ticksOfPool),
  stocksChangedAfter: wrapCall(snapshot.stocksChangedAfter),
  quotes: wrapCall(snapshot.quotes),
  reserves: wrapCall(snapshot.reserves),
  sources: wrapCall(snapshot.sources),
  searches: wrapCall(snapshot.searches),
  volume: wrapCall(snapshot.volume),
  hourlyVolume: wrapCall(snapshot.hourlyVolume),
  candles: wrapCall(snapshot.candles),
  tradedCandles: wrapCall(snapshot.tradedCandles),
  keptHours: wrapCall(snapshot.keptHours),
  tradedSums: wrapCall(snapshot.tradedSums),
  trades: wrapCall(snapshot.trades),
  tradedAmounts: wrapCall(snapshot.tradedAmounts),
  swaps: wrapCall(snapshot.swaps),
  poolVolume: wrapCall(snapshot.poolVolume),
  minuteVolume: wrapCall(snapshot.minuteVolume),
  liquidityChanges: wrapCall(snapshot.liquidityChanges),
  timedBlock: wrapCall(snapshot.timedBlock),
  timedBlockUntil: wrapCall(snapshot.timedBlockUntil),
  swapPage: wrapCall(snapshot.swapPage),
  searchSwaps: wrapCall(snapshot.searchSwaps),
  liquidityPage: wrapCall(snapshot.liquidityPage),
  touchedPools: wrapCall(snapshot.touchedPools),
  liquidityOfBlocks: wrapCall(snapshot.liquidityOfBlocks),
  ticksOfPools: wrapCall(snapshot.ticksOfPools),
  changesOfPools: wrapCall(snapshot.changesOfPools),
  firstSwaps: wrapCall(snapshot.firstSwaps),
  firstWithoutTrader: wrapCall(snapshot.firstWithoutTrader),
  token: wrapCall(snapshot.token),
  block: wrapCall(snapshot.block),
  replacementsAfter: wrapCall(snapshot.replacementsAfter),
  references: wrapCall(snapshot.references),
})

/** Wraps a store so that `isStoreError` distinguishes its errors from those of the caller. */
export const markStoreErrors = (store: StoreReader): StoreReader => ({
  snapshot: async (read) => {
    let thrown: { readonly error: unknown } | null = null
    const attempt = store.snapshot(async (snapshot) => {
      try {
        return await read(wrapSnapshot(snapshot))
      } catch (error) {
        thrown = { error }
        throw error
      }
    })
    return attempt.catch((error: unknown) => {
      throw thrown?.error === error ? error : toStoreError(error)
    })
  },
})
