import type { ReferencePoint } from '../../domain/pool/stored-rows.ts'
import type { ReferenceBook } from '../../domain/price/reference-history.ts'
import { answerUpdatedTopic } from '../../domain/stock/onchain-events.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import { type Feeds, pointsAt } from '../enrich/chainlink-history.ts'
import { createAloneNote } from '../scan/cross-check.ts'
import { createSweep, type Sweep } from '../scan/log-scan.ts'

export type PriceSweepDeps = {
  readonly chain: ChainReader
  readonly logger: Logger
  readonly feeds: Feeds
  readonly references: ReferenceBook
  readonly historyDays: number
}

/** The prices of the past, by which its swaps are valued; the book of references learns them. */
export type PriceSweep = {
  readonly sweep: Sweep
  /** The last price of each bucket. */
  readonly closes: () => readonly ReferencePoint[]
}

/** From the feeds' own logs (methodology §5), a day further back than the first swap. */
export const createPriceSweep = (
  { chain, logger, feeds, references, historyDays }: PriceSweepDeps,
  { floor, top }: { readonly floor: BlockNumber; readonly top: BlockNumber },
): PriceSweep => {
  const closes = new Map<string, ReferencePoint>()
  // A feed may be silent for a day: the price of the first swaps is told before them.
  const dayBlocks = Math.ceil((top - floor) / historyDays)
  const addresses = feeds.aggregators()
  const sweep = createSweep(
    {
      filters: [{ addresses, topics: [[answerUpdatedTopic]] }],
      // Without feeds there is nothing to ask.
      range: { from: addresses.length === 0 ? top + 1 : Math.max(0, floor - dayBlocks), to: top },
      times: true,
      take: (logs) => {
        for (const point of logs.flatMap(feeds.pointsOf)) {
          references.add(point.address, point)
          for (const close of pointsAt(point)) {
            closes.set(`${close.address}:${close.width}:${close.ts}`, close)
          }
        }
      },
    },
    { chain, onAlone: createAloneNote(logger) },
  )
  return { sweep, closes: () => [...closes.values()] }
}
