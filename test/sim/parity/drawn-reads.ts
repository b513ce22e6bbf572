import { candleWidths } from '../../../src/domain/pool/stored-rows.ts'
import { bucketStart } from '../../../src/domain/series/series-range.ts'
import { historyOrders } from '../../../src/domain/views/history.ts'
import type { Store, StoreSnapshot } from '../../../src/ports/store.ts'
import { addressOf, allOf } from '../../store-contract/fixtures.ts'
import type { Random } from '../random.ts'
import { anchorOf, tsOf } from './drawn-rows.ts'

/** One question to every store alike; the answers are to be the same, their order included. */
export type Read = {
  readonly name: string
  /** `revision`: of this store at one moment that is the same for all. */
  readonly of: (store: Store, revision: number) => Promise<unknown>
}

const ofSnapshot = (
  name: string,
  read: (snapshot: StoreSnapshot, revision: number) => Promise<unknown>,
): Read => ({
  name,
  of: (store, revision) => store.snapshot((snapshot) => read(snapshot, revision)),
})

const byPlace = (
  one: { readonly block: number; readonly logIndex: number },
  other: { readonly block: number; readonly logIndex: number },
): number => one.block - other.block || one.logIndex - other.logIndex

/** Revisions are counted by each store's own pieces where rows are pruned. */
const readHeader = async (snapshot: StoreSnapshot) => {
  const header = await snapshot.header()
  return header === null ? null : { ...header, revision: 0 }
}

const plainReads: readonly Read[] = [
  ofSnapshot('header', readHeader),
  ofSnapshot('pools', (snapshot, revision) => snapshot.poolsChangedAfter(revision)),
  ofSnapshot('tokens', (snapshot, revision) => snapshot.tokensChangedAfter(revision)),
  ofSnapshot('stocks', (snapshot, revision) => snapshot.stocksChangedAfter(revision)),
  ofSnapshot('quotes', (snapshot) => snapshot.quotes()),
  ofSnapshot('reserves', (snapshot) => snapshot.reserves()),
  ofSnapshot('sources', (snapshot) => snapshot.sources()),
  ofSnapshot('searched', (snapshot) => snapshot.searches()),
  { name: 'tokens by address', of: (store) => allOf(store.readTokens()) },
  { name: 'pools by number', of: (store) => allOf(store.readPools()) },
  { name: 'ticks', of: (store) => allOf(store.readTicks()) },
  { name: 'reading', of: (store) => store.readBootstrap() },
]

const drawSeriesRead = ({ between, percent, pick }: Random, blockMax: number): Read => {
  const fromTs = tsOf(between(-9, blockMax))
  const span = { fromTs, toTs: fromTs + between(0, 200_000), width: pick(candleWidths) }
  const pool = between(1, 12)
  const volumeSpan = { afterTs: fromTs, toTs: span.toTs, afterBlock: between(-1, blockMax) }
  const hours = { fromTs: bucketStart(fromTs, 3600), toTs: bucketStart(span.toTs, 3600) }
  const address = addressOf(between(99, 103))
  const rowsMax = between(1, 40)
  const order = pick(historyOrders)
  const times = { fromTs, toTs: span.toTs }
  const place = between(-1, blockMax)
  const after = percent(30) ? null : { block: place, logIndex: between(-1, 9), ts: tsOf(place) }
  const ofOne = percent(50)
  const afterLog = between(0, 5)
  // Drawn once: each store is asked the same.
  const ids = { from: addressOf(between(0, 300)), to: addressOf(between(0, 300)) }
  return pick([
    ofSnapshot('candles', (snapshot) => snapshot.candles({ pool, ...span })),
    ofSnapshot('traded candles', (snapshot) =>
      snapshot.tradedCandles({ pool, ...span, order, rowsMax }),
    ),
    ofSnapshot('trades', async (snapshot) =>
      (await snapshot.trades({ pools: [pool, pool + 2], token: 0, ...times })).toSorted(byPlace),
    ),
    ofSnapshot('traded sums', (snapshot) =>
      snapshot.tradedSums({ pools: [pool + 2, pool], ...span, order, rowsMax }),
    ),
    ofSnapshot('kept hours', (snapshot) =>
      snapshot.keptHours({ pools: [pool, pool + 1], toTs: span.toTs }),
    ),
    ofSnapshot('traded amounts', (snapshot) =>
      snapshot.tradedAmounts({ pool, ...times, rowsMax, bucketSeconds: 60, token: 1 }),
    ),
    ofSnapshot('references', (snapshot) => snapshot.references({ address, ...span })),
    ofSnapshot('swaps', (snapshot) => snapshot.swaps({ pool, fromTs, rowsMax })),
    ofSnapshot('swaps up to a block', (snapshot) =>
      snapshot.swaps({ pool, fromTs, toBlock: volumeSpan.afterBlock, rowsMax }),
    ),
    ofSnapshot('volume of a pool', (snapshot) =>
      snapshot.poolVolume({ pool, ...times, toBlock: volumeSpan.afterBlock }),
    ),
    ofSnapshot('changes of a pool', (snapshot) =>
      snapshot.liquidityChanges({
        ...{ pool, rowsMax },
        after: { block: volumeSpan.afterBlock, logIndex: afterLog },
      }),
    ),
    ofSnapshot('time of a block', (snapshot) => snapshot.timedBlock(volumeSpan.afterBlock)),
    ofSnapshot('block until a time', (snapshot) => snapshot.timedBlockUntil(fromTs)),
    ofSnapshot('page of swaps', (snapshot) =>
      snapshot.swapPage({ ...times, pool: ofOne ? pool : null, after, order, rowsMax }),
    ),
    ofSnapshot('page of changes', (snapshot) =>
      snapshot.liquidityPage({ ...times, pool, after, order, rowsMax }),
    ),
    ofSnapshot('volume', (snapshot) => snapshot.volume(volumeSpan)),
    ofSnapshot('hourly volume', (snapshot) => snapshot.hourlyVolume(hours)),
    ofSnapshot('pools between', (snapshot) => snapshot.poolsBetween({ from: pool, to: pool + 3 })),
    ofSnapshot('pools by id', (snapshot) => snapshot.poolsById(ids)),
    ofSnapshot('ticks of a pool', (snapshot) => snapshot.ticksOfPool(pool)),
    ofSnapshot('tokens of pools', async (snapshot) =>
      (await snapshot.tokensOfPools({ from: pool, to: pool + 3 })).toSorted((a, b) =>
        a.address < b.address ? -1 : 1,
      ),
    ),
    ofSnapshot('pools', async (snapshot) => (await allOf(snapshot.pools())).flat()),
    ofSnapshot('tokens', async (snapshot) => (await allOf(snapshot.tokens())).flat()),
  ])
}

const drawWriterRead = ({ between, percent, pick }: Random, blockMax: number): Read => {
  const block = between(-1, blockMax)
  const range = { from: block, to: block + between(0, 60) }
  const ancestor = percent(10) || block < 0 ? null : anchorOf(block, 0)
  const pool = between(1, 12)
  return pick<Read>([
    { name: 'anchor', of: (store) => store.readBlockAtOrBelow(block) },
    { name: 'past', of: (store) => store.readPoolHistory(pool, block) },
    { name: 'liquidity', of: (store) => store.readLiquidityAfter(block) },
    {
      name: 'touched',
      of: async (store) => (await store.readPoolsChangedAfter(ancestor)).toSorted(),
    },
    {
      name: 'events',
      of: async (store) => {
        const events = await store.readEvents(range)
        return { ...events, swaps: events.swaps.toSorted(byPlace) }
      },
    },
  ])
}

export const drawRead = (random: Random, blockMax: number): Read => {
  if (random.percent(30)) return random.pick(plainReads)
  return random.percent(65) ? drawSeriesRead(random, blockMax) : drawWriterRead(random, blockMax)
}
