import type { StoreReader, StoreSnapshot } from '../ports/store.ts'
import { errorText } from '../util/error-text.ts'

const name = 'StoreError'

const faultOf = (cause: unknown): Error =>
  Object.assign(new Error(`the store can not be read: ${errorText(cause)}`, { cause }), { name })

/** Whether it is the store that failed, not we: a moment later it may answer the same question. */
export const isStoreError = (error: unknown): boolean =>
  error instanceof Error && error.name === name

const marked =
  <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
  (...given: Given): Promise<Result> =>
    call(...given).catch((error: unknown) => {
      throw faultOf(error)
    })

const markedPages = <Page>(read: () => AsyncIterable<Page>) =>
  async function* (): AsyncGenerator<Page> {
    try {
      yield* read()
    } catch (error) {
      throw faultOf(error)
    }
  }

const markedSnapshot = (snapshot: StoreSnapshot): StoreSnapshot => ({
  header: marked(snapshot.header),
  pools: markedPages(snapshot.pools),
  tokens: markedPages(snapshot.tokens),
  poolsChangedAfter: marked(snapshot.poolsChangedAfter),
  tokensChangedAfter: marked(snapshot.tokensChangedAfter),
  stocksChangedAfter: marked(snapshot.stocksChangedAfter),
  quotes: marked(snapshot.quotes),
  reserves: marked(snapshot.reserves),
  sources: marked(snapshot.sources),
  discoveredStocks: marked(snapshot.discoveredStocks),
  volume: marked(snapshot.volume),
  hourlyVolume: marked(snapshot.hourlyVolume),
  candles: marked(snapshot.candles),
  swaps: marked(snapshot.swaps),
  references: marked(snapshot.references),
})

/** The same store, whose own failures can be told from those of whoever reads from it. */
export const markStoreErrors = (store: StoreReader): StoreReader => ({
  snapshot: async (read) => {
    let thrown: { readonly error: unknown } | null = null
    const attempt = store.snapshot(async (snapshot) => {
      try {
        return await read(markedSnapshot(snapshot))
      } catch (error) {
        thrown = { error }
        throw error
      }
    })
    return attempt.catch((error: unknown) => {
      throw thrown?.error === error ? error : faultOf(error)
    })
  },
})
