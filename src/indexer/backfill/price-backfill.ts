import type { ReferencePoint } from '../../domain/pool/stored-rows.ts'
import type { ReferenceHistory } from '../../domain/price/reference-history.ts'
import { answerUpdatedTopic } from '../../domain/stock/onchain-events.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { BackfillCursor } from '../../ports/store-batches.ts'
import { bucketPoints, type ChainlinkFeeds } from '../chainlink-history.ts'
import { createSingleEndpointWarning } from '../scan/cross-check.ts'
import { createLogScan, type LogScan } from '../scan/log-scan.ts'

export type PriceBackfillDeps = {
  readonly chain: ChainReader
  readonly logger: Logger
  readonly feeds: ChainlinkFeeds
  readonly references: ReferenceHistory
  readonly historyDays: number
}

export type PriceBackfill = {
  readonly scan: LogScan
  /** The last price of each bucket. */
  readonly closes: () => readonly ReferencePoint[]
}

/**
 * Adds the prices of past swaps to the reference history, from the feeds' logs (methodology §5). It
 * starts a day before the first swap, because a feed may publish only once a day.
 */
export const createPriceBackfill = (
  { chain, logger, feeds, references, historyDays }: PriceBackfillDeps,
  { firstBlock, startedAt }: Pick<BackfillCursor, 'firstBlock' | 'startedAt'>,
): PriceBackfill => {
  const closes = new Map<string, ReferencePoint>()
  const dayBlocks = Math.ceil((startedAt - firstBlock) / historyDays)
  const addresses = feeds.aggregators()
  // An empty range without feeds: no addresses would match every contract.
  const from = addresses.length === 0 ? startedAt + 1 : Math.max(0, firstBlock - dayBlocks)
  const scan = createLogScan(
    {
      filters: [{ addresses, topics: [[answerUpdatedTopic]] }],
      range: { from, to: startedAt },
      times: true,
      onLogs: (logs) => {
        for (const point of logs.flatMap(feeds.decodePrices)) {
          references.add(point.address, point)
          for (const close of bucketPoints(point)) {
            closes.set(`${close.address}:${close.width}:${close.ts}`, close)
          }
        }
      },
    },
    { chain, onSingleEndpoint: createSingleEndpointWarning(logger) },
  )
  return { scan, closes: () => [...closes.values()] }
}
