import type { ReferenceHistory } from '../../domain/price/reference-history.ts'
import { isWithin, type Policy } from '../../domain/status/freshness.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { QuoteBatch, QuoteRequest, QuoteSource } from '../../ports/sources.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { ExternalReserve } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import type { IndexState } from '../state/index-state.ts'
import { describeFault } from '../sync-fault.ts'
import { bucketPoints, type PriceObservation } from './chainlink-history.ts'
import type { HotPools } from './hot-pools.ts'
import type { PoolPricePaths } from './pool-price-paths.ts'
import type { ReferencePrices } from './reference-prices.ts'
import type { SourceReport } from './source-report.ts'

/** Often enough for a quote limit of 45 s, rare enough for an issuer that caches for 15 s. */
const passSeconds = 5
const passWaitMs = passSeconds * 1000
/** Quotes that were read before the first block are stored with it, not a pass later. */
const firstBlockWaitMs = 250
/** Fewer rows than this share of those expected make a source `degraded` (docs/api.md). */
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
  readonly poolPricePaths: PoolPricePaths
  readonly hotPools: HotPools
  /** Reserves that come from elsewhere than the liquidity maps, as last read. */
  readonly externalReserves: () => readonly ExternalReserve[]
}

/** "clock-ahead", or "clock-ahead 12, crossed 3": the commonest first. */
const countsOf = (refused: QuoteBatch['refused']): string => {
  const counts = new Map<string, number>()
  for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  if (sorted.length === 1) return sorted.map(([reason]) => reason).join('')
  return sorted.map(([reason, count]) => `${reason} ${count}`).join(', ')
}

/** Brings prices and all that hangs on them up to date, one pass at a time. */
export const createEnricher = (deps: Deps): { readonly step: () => Promise<StepResult> } => {
  const {
    store,
    clock,
    logger,
    policy,
    report,
    sources,
    referencePrices: desk,
    referenceHistory: references,
    index,
  } = deps
  let enrichedTs: UnixSeconds = 0
  /** When the sources were last read, while what they said waits for the first block. */
  let waitingSinceTs: UnixSeconds | null = null
  /** By source, why rows of its last answer were refused. */
  const refusals = new Map<string, string>()

  const readSources = async (now: UnixSeconds): Promise<void> => {
    const wanted = deps.quoteRequests()
    const reads = await Promise.all(
      sources.map(async (source) => ({ source, read: await source.read(wanted, now) })),
    )
    let failures = 0
    const lacks: string[] = []
    for (const { source, read } of reads) {
      if (read.ok) {
        takeRead(source.id, read.value, now)
        tellRefusals(source.id, read.value)
        if (isIncomplete(read.value)) lacks.push(`${source.id}: ${shortfallOf(read.value)}`)
      } else {
        failures += 1
        lacks.push(`${source.id}: ${describeFault(read.fault)}`)
        logger.warn('A quote source did not answer', { source: source.id, ...read.fault })
      }
    }
    if (sources.length === 0) await report.failure('no quote source is configured')
    else if (failures === sources.length) await report.failure(lacks.join('; '))
    else await report.success(lacks.length === 0 ? null : lacks.join('; '))
  }

  const takeRead = (
    source: QuoteSource['id'],
    { quotes, refused }: QuoteBatch,
    now: UnixSeconds,
  ): void => {
    desk.update(quotes)
    const isTold = new Set(quotes.map(({ address }) => address))
    for (const { address, reason } of refused) {
      const isAhead = reason === 'clock-ahead' && !isTold.has(address)
      if (isAhead) desk.rejectFutureQuote({ address, source }, now)
    }
  }

  /** Once per change: a row that is wrong now is wrong again in five seconds. */
  const tellRefusals = (source: string, { refused }: QuoteBatch): void => {
    const told = countsOf(refused)
    if (told === (refusals.get(source) ?? '')) return
    refusals.set(source, told)
    if (told === '') logger.info('A quote source sends no wrong rows any more', { source })
    else logger.warn('Rows of a quote source were refused', { source, refused: told })
  }

  const isIncomplete = ({ quotes, expected }: QuoteBatch): boolean =>
    quotes.length < expected * completeShareMin

  /** With the reasons why rows were refused, which tell a wrong clock from a gap. */
  const shortfallOf = ({ quotes, expected, refused }: QuoteBatch): string => {
    const why = refused.length === 0 ? '' : `, ${refused.length} refused (${countsOf(refused)})`
    return `${quotes.length} of ${expected} quotes${why}`
  }

  /** The selected reference of each token now; a stale one is no news and makes no point. */
  const pointsNow = (now: UnixSeconds): readonly PriceObservation[] =>
    deps.quoteRequests().flatMap(({ address }) => {
      const { reference } = desk.referenceOf(address, now)
      if (reference === null || !isPoint(reference.source, reference.fresh)) return []
      references.add(address, { ts: now, usd: reference.usd })
      return [{ address, ts: now, usd: reference.usd, source: reference.source }]
    })

  const isPoint = (source: string, fresh: boolean): boolean => fresh || source === 'pools'

  const step = async (): Promise<StepResult> => {
    const begunTs = clock.now()
    const isWaiting = waitingSinceTs !== null && Math.abs(begunTs - waitingSinceTs) < passSeconds
    if (!isWaiting) await readSources(begunTs)
    // A source may have taken long: what it says is of now, not of a minute that is over by now.
    const now = clock.now()
    const indexed = index.cursor()
    if (indexed !== null) {
      desk.updatePoolQuotes(deps.poolPricePaths.pathsByToken(indexed.ts), { ts: indexed.ts, now })
    }
    // Before the first block, too: the very first swaps want prices.
    const points = pointsNow(now)
    if (indexed === null) {
      if (!isWaiting) waitingSinceTs = begunTs
      return { waitMs: firstBlockWaitMs }
    }
    waitingSinceTs = null
    // Reserves are those of the indexed head: they are not newer than it.
    const limits = { now, maxSeconds: policy.poolMaxAgeSeconds }
    if (isWithin(indexed.ts, limits)) enrichedTs = now
    await store.recordEnrichment({
      ts: enrichedTs === 0 ? indexed.ts : enrichedTs,
      quotes: desk.quotes(),
      references: points.flatMap(bucketPoints),
      reserves: deps.externalReserves(),
      hot: await deps.hotPools.read(indexed.ts, (address: Address) =>
        desk.referenceOf(address, now),
      ),
    })
    return { waitMs: passWaitMs }
  }

  return { step }
}
