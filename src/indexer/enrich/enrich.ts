import type { PricingPools } from '../../domain/price/pricing-pools.ts'
import type { ReferenceHistory } from '../../domain/price/reference-history.ts'
import { isWithin, type Policy } from '../../domain/status/freshness.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { QuoteBatch, QuoteRequest, QuoteSource } from '../../ports/sources.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { ExternalReserve } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import { bucketPoints, type PriceObservation } from '../chainlink-history.ts'
import type { SourceReport } from '../source-report.ts'
import type { IndexState } from '../state/index-state.ts'
import { describeFault } from '../sync-fault.ts'
import type { HotPools } from './hot-pools.ts'
import type { ReferencePrices } from './reference-prices.ts'

/** Frequent enough for a quote limit of 45 s, rare enough for an issuer that caches for 15 s. */
const passSeconds = 5
const passWaitMs = passSeconds * 1000
/** Short, so that quotes that were read before the first block are stored with it. */
const firstBlockWaitMs = 250
/** Fewer rows than this share of the expected ones make a source `degraded` (docs/api.md). */
const completeShareMin = 0.95

type Deps = {
  readonly store: StoreWriter
  readonly clock: Clock
  readonly logger: Logger
  readonly policy: Policy
  readonly report: SourceReport
  readonly sources: readonly QuoteSource[]
  readonly quoteRequests: () => readonly QuoteRequest[]
  readonly referencePrices: ReferencePrices
  readonly referenceHistory: ReferenceHistory
  readonly index: IndexState
  readonly pricingPools: () => PricingPools
  readonly hotPools: HotPools
  /** The latest reserves that do not come from tick maps. */
  readonly externalReserves: () => readonly ExternalReserve[]
}

/** "clock-ahead", or "clock-ahead 12, crossed 3": the most frequent first. */
const describeRejections = (rejected: QuoteBatch['refused']): string => {
  const counts = new Map<string, number>()
  for (const { reason } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  if (sorted.length === 1) return sorted.map(([reason]) => reason).join('')
  return sorted.map(([reason, count]) => `${reason} ${count}`).join(', ')
}

const isIncomplete = ({ quotes, expected }: QuoteBatch): boolean =>
  quotes.length < expected * completeShareMin

/** Includes the reasons for rejected rows, which distinguish a wrong clock from missing rows. */
const describeShortfall = ({ quotes, expected, refused: rejected }: QuoteBatch): string => {
  const reasons =
    rejected.length === 0 ? '' : `, ${rejected.length} rejected (${describeRejections(rejected)})`
  return `${quotes.length} of ${expected} quotes${reasons}`
}

/** The enrichment loop: reads quotes, updates reference prices and stores what depends on them. */
export const createEnricher = (deps: Deps): { readonly step: () => Promise<StepResult> } => {
  const {
    store,
    clock,
    logger,
    policy,
    report,
    sources,
    referencePrices,
    referenceHistory,
    index,
  } = deps
  let enrichedTs: UnixSeconds = 0
  /** When the sources were last read; set while their quotes wait for the first block. */
  let waitingSinceTs: UnixSeconds | null = null
  /** By source, the last logged reasons for rejected rows. */
  const loggedRejections = new Map<string, string>()

  const readSources = async (now: UnixSeconds): Promise<void> => {
    const requests = deps.quoteRequests()
    const reads = await Promise.all(
      sources.map(async (source) => ({ source, read: await source.read(requests, now) })),
    )
    let failures = 0
    const warnings: string[] = []
    for (const { source, read } of reads) {
      if (read.ok) {
        applyQuotes(source.id, read.value, now)
        logRejections(source.id, read.value)
        if (isIncomplete(read.value))
          warnings.push(`${source.id}: ${describeShortfall(read.value)}`)
      } else {
        failures += 1
        warnings.push(`${source.id}: ${describeFault(read.fault)}`)
        logger.warn('Quote source unavailable', { source: source.id, ...read.fault })
      }
    }
    if (sources.length === 0) await report.failure('no quote source is configured')
    else if (failures === sources.length) await report.failure(warnings.join('; '))
    else await report.success(warnings.length === 0 ? null : warnings.join('; '))
  }

  const applyQuotes = (
    source: QuoteSource['id'],
    { quotes, refused: rejected }: QuoteBatch,
    now: UnixSeconds,
  ): void => {
    referencePrices.update(quotes)
    const quoted = new Set(quotes.map(({ address }) => address))
    for (const { address, reason } of rejected) {
      if (reason === 'clock-ahead' && !quoted.has(address))
        referencePrices.rejectFutureQuote({ address, source }, now)
    }
  }

  /** Logs changes only: a row that is invalid now is invalid again in five seconds. */
  const logRejections = (source: string, { refused: rejected }: QuoteBatch): void => {
    const reasons = describeRejections(rejected)
    if (reasons === (loggedRejections.get(source) ?? '')) return
    loggedRejections.set(source, reasons)
    if (reasons === '') logger.info('Quote source no longer sends invalid rows', { source })
    else logger.warn('Rejected rows from quote source', { source, refused: reasons })
  }

  /** The current reference price of each token; a stale one adds no point to the history. */
  const pointsNow = (now: UnixSeconds): readonly PriceObservation[] =>
    deps.quoteRequests().flatMap(({ address }) => {
      const { reference } = referencePrices.referenceOf(address, now)
      if (reference === null || !(reference.fresh || reference.source === 'pools')) {
        return []
      }
      referenceHistory.add(address, { ts: now, usd: reference.usd })
      return [{ address, ts: now, usd: reference.usd, source: reference.source }]
    })

  const step = async (): Promise<StepResult> => {
    const startedTs = clock.now()
    const isWaiting = waitingSinceTs !== null && Math.abs(startedTs - waitingSinceTs) < passSeconds
    if (!isWaiting) await readSources(startedTs)
    // Read again: a slow source's quotes must not enter a minute that has ended since.
    const now = clock.now()
    const cursor = index.cursor()
    if (cursor !== null) {
      referencePrices.updatePoolQuotes(deps.pricingPools(), { ts: cursor.ts, now })
    }
    referencePrices.acceptConfirmed(now)
    // Before the first block, too: the first swaps require prices.
    const points = pointsNow(now)
    if (cursor === null) {
      if (!isWaiting) waitingSinceTs = startedTs
      return { waitMs: firstBlockWaitMs }
    }
    waitingSinceTs = null
    // Reserves are as old as the cursor.
    const limits = { now, maxSeconds: policy.poolMaxAgeSeconds }
    if (isWithin(cursor.ts, limits)) enrichedTs = now
    await store.recordEnrichment({
      ts: enrichedTs === 0 ? cursor.ts : enrichedTs,
      quotes: referencePrices.quotes(),
      references: points.flatMap(bucketPoints),
      reserves: deps.externalReserves(),
      hot: await deps.hotPools.read(cursor.ts, (address: Address) =>
        referencePrices.referenceOf(address, now),
      ),
    })
    return { waitMs: passWaitMs }
  }

  return { step }
}
