import type { ReferencePoint } from '../../domain/pool/stored-rows.ts'
import type { ReferenceHistory } from '../../domain/price/reference-history.ts'
import { answerUpdatedTopic } from '../../domain/stock/onchain-events.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { BackfillCursor } from '../../ports/store-batches.ts'
import { bucketPoints, type ChainlinkFeeds } from '../enrich/chainlink-history.ts'
import { createSingleEndpointWarning } from '../scan/cross-check.ts'
import { createLogScan, type LogScan } from '../scan/log-scan.ts'

export type PriceSweepDeps = {
  readonly chain: ChainReader
  readonly logger: Logger
  readonly feeds: ChainlinkFeeds
  readonly references: ReferenceHistory
  readonly historyDays: number
}

/** The prices of the past, by which its swaps are valued; the book of references learns them. */
export type PriceBackfill = {
  readonly sweep: LogScan
  /** The last price of each bucket. */
  readonly closes: () => readonly ReferencePoint[]
}

/** From the feeds' own logs (methodology §5), a day further back than the first swap. */
export const createPriceSweep = (
  { chain, logger, feeds, references, historyDays }: PriceSweepDeps,
  { firstBlock, startedAt }: Pick<BackfillCursor, 'firstBlock' | 'startedAt'>,
): PriceBackfill => {
  const closes = new Map<string, ReferencePoint>()
  // A feed may be silent for a day: the price of the first swaps is told before them.
  const dayBlocks = Math.ceil((startedAt - firstBlock) / historyDays)
  const addresses = feeds.aggregators()
  const sweep = createLogScan(
    {
      filters: [{ addresses, topics: [[answerUpdatedTopic]] }],
      // Without feeds there is nothing to ask.
      range: {
        from: addresses.length === 0 ? startedAt + 1 : Math.max(0, firstBlock - dayBlocks),
        to: startedAt,
      },
      times: true,
      take: (logs) => {
        for (const point of logs.flatMap(feeds.pointsOf)) {
          references.add(point.address, point)
          for (const close of bucketPoints(point)) {
            closes.set(`${close.address}:${close.width}:${close.ts}`, close)
          }
        }
      },
    },
    { chain, onAlone: createSingleEndpointWarning(logger) },
  )
  return { sweep, closes: () => [...closes.values()] }
}
