import type { ReferencePoint } from '../../domain/pool/stored-events.ts'
import type { ReferenceBook } from '../../domain/stock/reference-book.ts'
import { answerUpdatedTopic } from '../../domain/stock/stock-events.ts'
import type { ChainReader, History, RpcFault, StoreWriter } from '../../ports.ts'
import { type Feeds, pointsAt } from '../feeds.ts'
import { backfillOfHistory } from './history-progress.ts'
import { areOver, createSweep, type Sweep, stepSweeps } from './sweep.ts'

type Deps = {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly feeds: Feeds
  readonly references: ReferenceBook
  readonly historyDays: number
}

/** The prices of the past, which its swaps are valued by. */
export type PastPrices = {
  /** Reads them all; what a fault cut short goes on with the next call. */
  readonly read: (history: History) => Promise<RpcFault | null>
}

/** The last point of each bucket. */
const closesOf = (points: readonly ReferencePoint[]): readonly ReferencePoint[] => [
  ...new Map(
    points.map((point) => [`${point.address}:${point.width}:${point.ts}`, point]),
  ).values(),
]

/** From the feeds' own logs (methodology §5), a day further back than the first swap. */
export const createPastPrices = (deps: Deps): PastPrices => {
  const { chain, store, feeds, references, historyDays } = deps
  let sweep: Sweep | null = null
  let points: ReferencePoint[] = []

  const begin = ({ floor, top }: History): Sweep => {
    // A feed may be silent for a day: the price of the first swaps is told before them.
    const dayBlocks = Math.ceil((top - floor) / historyDays)
    return createSweep(
      {
        filter: { addresses: feeds.aggregators(), topics: [[answerUpdatedTopic]] },
        range: { from: Math.max(0, floor - dayBlocks), to: top },
        times: true,
        take: (logs) => {
          for (const point of logs.flatMap(feeds.pointsOf)) {
            references.add(point.address, point)
            points.push(...pointsAt(point))
          }
        },
      },
      chain,
    )
  }

  return {
    read: async (history) => {
      if (feeds.aggregators().length === 0) return null
      sweep ??= begin(history)
      while (!areOver([sweep])) {
        const fault = await stepSweeps([sweep])
        if (fault !== null) return fault
      }
      const { after } = history
      await store.fillHistory({
        before: after.block,
        after,
        backfill: backfillOfHistory(history),
        blocks: [],
        swaps: [],
        liquidity: [],
        candles: [],
        references: closesOf(points),
        lastSwaps: [],
      })
      points = []
      return null
    },
  }
}
