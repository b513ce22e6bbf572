import type { ReferencePrice, ReferenceResult } from '../price/reference-price.ts'
import { type StatusReason, statusReasons } from '../status/data-status.ts'
import { ageOf } from '../status/freshness.ts'
import type { MarketSession } from '../stock/market-session.ts'
import { secondsPerDay } from '../time.ts'
import type { Address, PoolId, UnixSeconds } from '../units.ts'
import type {
  PriceConfidence,
  PriceReason,
  PriceSource,
  TokenPriceView,
} from '../views/token-price.ts'
import { comparableDepthUsdMin } from './pool-flags.ts'
import { type StockInputs, stockStatusReasons } from './stock-inputs.ts'

/** With less depth a pool's price is anybody's to set, so it is no price. */
export const priceDepthUsdMin = 10
/** With less the confidence is low. */
export const mediumDepthUsdMin = 1000
/** Further from the reference the confidence is at most medium, or low. */
export const highDriftMax = 0.02
export const mediumDriftMax = 0.1
/** An older price is none. The longest closed period of the exchange has less than five days. */
export const priceAgeSecondsMax = 7 * secondsPerDay

/** A pool that implies the price of a token. */
export type PricedPool = {
  readonly id: PoolId
  readonly usd: number | null
  readonly depthUsd: number | null
  /** Of the oldest input: the pool's state, and for a meme the stock's reference. */
  readonly ts: UnixSeconds | null
  readonly reasons: readonly StatusReason[]
}

/** A price before it is judged. */
type Found = {
  readonly usd: number
  readonly source: PriceSource
  readonly ts: UnixSeconds
  readonly poolId: PoolId | null
  /** Distance from a reference, as a share; null without one. */
  readonly drift: number | null
}

type Token = {
  readonly address: Address
  readonly symbol: string | null
  readonly session: MarketSession | null
  readonly depthUsd: number | null
}

const lowReasons: readonly PriceReason[] = [
  'state_old',
  'reference_conflict',
  'quote_unconfirmed',
  'clock_ahead',
  'hook_unreviewed',
  'fee_excessive',
  'stock_unverified',
]

const mediumReasons: readonly PriceReason[] = [
  'single_source',
  'price_drift',
  'depth_thin',
  'quote_old',
  'quote_missing',
  'market_closed',
  'trading_halt',
  'oracle_paused',
  'multiplier_pending',
  'multiplier_old',
]

const confidenceOf = (
  { source, drift }: Found,
  depthUsd: number | null,
  reasons: ReadonlySet<PriceReason>,
): PriceConfidence => {
  const isPool = source === 'pool'
  if (lowReasons.some((reason) => reasons.has(reason))) return 'low'
  if (isPool && (depthUsd ?? 0) < mediumDepthUsdMin) return 'low'
  if (!isPool && reasons.has('quote_old')) return 'low'
  if (drift !== null && drift > mediumDriftMax) return 'low'
  return mediumReasons.some((reason) => reasons.has(reason)) ? 'medium' : 'high'
}

/** The reasons of rows first, in their order. */
const listReasons = (reasons: ReadonlySet<PriceReason>): readonly PriceReason[] => {
  const ofRows = statusReasons.filter((reason) => reasons.has(reason))
  return [...new Set<PriceReason>([...ofRows, ...reasons])]
}

const withoutPrice = (token: Token, reasons: ReadonlySet<PriceReason>): TokenPriceView => ({
  ...{ address: token.address, symbol: token.symbol, usd: null, source: null, ageSeconds: null },
  ...{ session: token.session, depthUsd: token.depthUsd, confidence: 'none' },
  ...{ reasons: listReasons(reasons), poolId: null },
})

const toView = (
  token: Token,
  found: Found | null,
  given: { readonly reasons: ReadonlySet<PriceReason>; readonly now: UnixSeconds },
): TokenPriceView => {
  const reasons = new Set(given.reasons)
  if (found === null) return withoutPrice(token, reasons.add('price_missing'))
  const age = ageOf(found.ts, given.now)
  const ageSeconds = age.kind === 'age' ? age.seconds : 0
  if (ageSeconds > priceAgeSecondsMax) return withoutPrice(token, reasons.add('price_old'))
  if (age.kind === 'ahead') reasons.add('clock_ahead')
  if (found.drift !== null && found.drift > highDriftMax) reasons.add('price_drift')
  return {
    address: token.address,
    symbol: token.symbol,
    usd: found.usd,
    source: found.source,
    ageSeconds,
    session: token.session,
    depthUsd: token.depthUsd,
    confidence: confidenceOf(found, token.depthUsd, reasons),
    reasons: listReasons(reasons),
    poolId: found.poolId,
  }
}

/** What a pool implies, unless it has too little depth to be a price at all. */
const foundIn = (pool: PricedPool | null, drift: number | null): Found | null => {
  if (pool === null || pool.usd === null || pool.ts === null) return null
  if ((pool.depthUsd ?? 0) < priceDepthUsdMin) return null
  return { usd: pool.usd, source: 'pool', ts: pool.ts, poolId: pool.id, drift }
}

const foundBy = ({ usd, source, publishedTs }: ReferencePrice): Found => ({
  ...{ usd, source, ts: publishedTs, poolId: null, drift: null },
})

const isUsable = (reference: ReferencePrice | null, now: UnixSeconds): boolean => {
  const age = ageOf(reference?.publishedTs ?? null, now)
  return age.kind === 'age' && age.seconds <= priceAgeSecondsMax
}

/** The price that a stock's pool is compared with: independent, or the last that was. */
const baseOf = ({ reference, lastExternal }: ReferenceResult, now: UnixSeconds) => {
  const base = reference?.independent ? reference : lastExternal
  return isUsable(base, now) ? base : null
}

/** Beyond the age limit of a reference, or derived from pools, there is nothing to confirm it. */
const isConfirmable = ({ reference }: ReferenceResult): boolean => reference?.independent === true

/**
 * The price of a stock token (docs/methodology.md §13): that of its best pool if the pool is deep,
 * else its reference, else that of a thin pool.
 */
export const priceStock = (
  input: StockInputs & { readonly isVerified: boolean },
  pool: PricedPool | null,
  now: UnixSeconds,
): TokenPriceView => {
  const { address, symbol, session, reading } = input
  const depthUsd = pool?.depthUsd ?? null
  const base = baseOf(reading, now)
  const drift = base === null || !pool?.usd ? null : Math.abs(pool.usd / base.usd - 1)
  const inPool = foundIn(pool, drift)
  const isDeep = (depthUsd ?? 0) >= comparableDepthUsdMin && !pool?.reasons.includes('state_old')
  const byReference =
    reading.reference !== null && isUsable(reading.reference, now)
      ? foundBy(reading.reference)
      : null
  const found = isDeep && inPool !== null ? inPool : (byReference ?? inPool)
  const isOfPool = found !== null && found === inPool
  const reasons = new Set<PriceReason>(isOfPool ? pool?.reasons : stockStatusReasons(input))
  if (!isDeep && depthUsd !== null && depthUsd < comparableDepthUsdMin) reasons.add('depth_thin')
  if (!isOfPool || !isConfirmable(reading)) reasons.add('single_source')
  if (!input.isVerified) reasons.add('stock_unverified')
  return toView({ address, symbol, session, depthUsd }, found, { reasons, now })
}

/** The price of a quote token: its reference (docs/methodology.md §3). */
export const priceQuoteToken = (
  token: { readonly address: Address; readonly symbol: string },
  { reference, conflict, clockAhead }: ReferenceResult,
  now: UnixSeconds,
): TokenPriceView => {
  const reasons = new Set<PriceReason>()
  if (reference === null) reasons.add('quote_missing')
  else if (!reference.fresh) reasons.add('quote_old')
  else if (!reference.independent) reasons.add('single_source')
  if (conflict) reasons.add('reference_conflict')
  if (clockAhead && !reference?.fresh) reasons.add('clock_ahead')
  const found = reference === null ? null : foundBy(reference)
  return toView({ ...token, session: null, depthUsd: null }, found, { reasons, now })
}

/** The price of a meme: what the pool with a stock implies. Nothing independent confirms it. */
export const priceMeme = (
  token: Pick<Token, 'address' | 'symbol' | 'session'>,
  pool: PricedPool | null,
  now: UnixSeconds,
): TokenPriceView => {
  const reasons = new Set<PriceReason>([...(pool?.reasons ?? []), 'single_source'])
  const depthUsd = pool?.depthUsd ?? null
  if (depthUsd !== null && depthUsd < comparableDepthUsdMin) reasons.add('depth_thin')
  return toView({ ...token, depthUsd }, foundIn(pool, null), { reasons, now })
}

/** Of a token of which nothing is indexed. */
export const priceUnknownToken = (address: Address): TokenPriceView =>
  withoutPrice({ address, symbol: null, session: null, depthUsd: null }, new Set(['token_unknown']))
