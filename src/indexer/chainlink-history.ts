import type { ChainLog } from '../domain/chain/log.ts'
import { amountToApprox } from '../domain/math/pool-price.ts'
import { candleWidths, type ReferencePoint } from '../domain/pool/stored-rows.ts'
import { bucketStart } from '../domain/series/series-range.ts'
import { aggregatorFromAnswer, aggregatorSelector } from '../domain/stock/onchain-calls.ts'
import { decodeStockEvent } from '../domain/stock/onchain-events.ts'
import { readDecimals } from '../domain/token/metadata.ts'
import type { Address } from '../domain/units.ts'
import { type ChainReader, isUnanswered } from '../ports/chain-reader.ts'
import type { Logger } from '../ports/runtime.ts'
import type { QuoteRequest } from '../ports/sources.ts'

/** decimals() of the feed. */
const decimalsSelector = '0x313ce567'

/** After so many readings with a refused call, one feed no longer holds up the others. */
const refusalsMax = 5

type Feed = { readonly tokens: readonly Address[]; readonly decimals: number }

/** Chainlink feeds as an on-chain history of reference prices (methodology §5). */
export type ChainlinkFeeds = {
  /** Reads the proxies' current aggregators. False if a call failed or was refused. */
  readonly refresh: () => Promise<boolean>
  /** The contracts whose logs carry prices. */
  readonly aggregators: () => readonly Address[]
  /** The price in an `AnswerUpdated` log of a known aggregator, once per token of its feed. */
  readonly decodePrices: (log: ChainLog) => readonly PriceObservation[]
}

/** A price before it is assigned to buckets. */
export type PriceObservation = Omit<ReferencePoint, 'width'>

/** The same price as the close of the minute, the hour and the day in which it was published. */
export const bucketPoints = (point: PriceObservation): readonly ReferencePoint[] =>
  candleWidths.map((width) => ({ ...point, width, ts: bucketStart(point.ts, width) }))

export const createChainlinkFeeds = (deps: {
  readonly chain: ChainReader
  readonly logger: Logger
  readonly quoteRequests: () => readonly QuoteRequest[]
}): ChainlinkFeeds => {
  const { chain, logger, quoteRequests } = deps
  const byAggregator = new Map<Address, Feed>()
  let refusals = 0

  const tokensByProxy = (): ReadonlyMap<Address, readonly Address[]> => {
    const proxies = new Map<Address, Address[]>()
    for (const { address, feed, feedPer } of quoteRequests()) {
      // The multiplier of the past is not known, so a share's answers price no token there.
      if (feed !== null && feedPer === 'token')
        proxies.set(feed, [...(proxies.get(feed) ?? []), address])
    }
    return proxies
  }

  return {
    refresh: async () => {
      const proxies = [...tokensByProxy()]
      if (proxies.length === 0) return true
      const answers = await chain.callContracts(
        proxies.flatMap(([to]) => [
          { to, data: aggregatorSelector },
          { to, data: decimalsSelector },
        ]),
        'latest',
      )
      if (!answers.ok) {
        logger.warn('Failed to read price feeds, will retry', answers.fault)
        return false
      }
      const found = new Map<Address, Feed>()
      for (const [index, [, tokens]] of proxies.entries()) {
        const [answer, scale] = answers.value.slice(index * 2)
        const aggregator = answer === undefined ? null : aggregatorFromAnswer(answer)
        const decimals = scale === undefined ? null : readDecimals(scale)
        if (!aggregator?.known || !decimals?.known) continue
        const earlier = found.get(aggregator.value)?.tokens ?? []
        found.set(aggregator.value, { tokens: [...earlier, ...tokens], decimals: decimals.value })
      }
      // A replaced aggregator stays known: its logs may still have to be read.
      for (const [aggregator, feed] of found) byAggregator.set(aggregator, feed)
      // The backfill reads the logs of the known aggregators only, and once.
      refusals = answers.value.some(isUnanswered) ? refusals + 1 : 0
      return refusals === 0 || refusals > refusalsMax
    },
    aggregators: () => [...byAggregator.keys()],
    decodePrices: (log) => {
      const feed = byAggregator.get(log.address)
      if (feed === undefined) return []
      const decoded = decodeStockEvent(log)
      if (!decoded?.ok || decoded.event.kind !== 'answer-updated') return []
      const { answer, updatedTs } = decoded.event
      // An answer cannot be newer than its block, whatever time its publisher states.
      const ts = Math.min(updatedTs, log.ts)
      if (answer <= 0n) return []
      const usd = amountToApprox(answer, feed.decimals)
      return feed.tokens.map((address) => ({ address, ts, usd, source: 'chainlink' }))
    },
  }
}
