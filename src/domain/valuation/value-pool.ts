import { hookFlagsOf, isDynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import { stockPriceInOther } from '../math/pool-price.ts'
import type { PoolClassification } from '../pool/pool-kind.ts'
import type { PoolIdentity, PoolState } from '../pool/pool-state.ts'
import { poolUsdPrices } from '../price/pool-prices.ts'
import { premiumOf } from '../price/premium.ts'
import type { ReferencePrice, ReferenceResult } from '../price/reference-price.ts'
import type { Reading } from '../reading.ts'
import { type StatusReason, toDataStatus } from '../status/data-status.ts'
import { ageOf, isWithin, type Policy } from '../status/freshness.ts'
import type { BlockNumber, UnixSeconds } from '../units.ts'
import type { PoolView } from '../views/pool.ts'
import {
  isActive,
  isComparable,
  isHot,
  liquidityUsdOf,
  type SideValues,
  trustedSideUsdOf,
} from './pool-flags.ts'
import {
  type FallbackReserve,
  hasCustomAccounting,
  type Reserves,
  resolveReserves,
} from './pool-reserves.ts'
import { type StockInputs, stockReasonsOf } from './stock-inputs.ts'

/** Sums over the windows that end at the indexed head; null when a window is not complete. */
export type PoolVolume = {
  readonly vol1hUsd: number | null
  readonly vol24hUsd: number | null
  readonly swaps24h: number
  readonly estimatedSwaps24h: number
  /** Swaps that bear on the pool's figures are still missing. */
  readonly isGap: boolean
}

/** All that a pool's record is computed from; nothing else is looked at. */
export type PoolInputs = {
  readonly pool: PoolIdentity & PoolState & { readonly lastHotTs: UnixSeconds | null }
  readonly sides: PoolClassification
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  readonly stock: StockInputs
  /** Of a trusted token or a stock the registered name, else the token's own, cleaned. */
  readonly otherSymbol: string | null
  /** The other side's own reference; null for a meme, which has none. */
  readonly other: ReferenceResult | null
  /** In a stock-stock pool: the facts of the stock on the other side. */
  readonly otherStock: StockInputs | null
  readonly volume: PoolVolume
  readonly fallback: FallbackReserve | null
}

/** The moment at which records are computed. */
export type ValuationContext = {
  readonly now: UnixSeconds
  /** The indexed head, to which all state belongs. */
  readonly asOf: { readonly block: BlockNumber; readonly ts: UnixSeconds }
  readonly enrichedTs: UnixSeconds | null
  readonly policy: Policy
}

type Numbers = SideValues & {
  readonly reserves: Reserves
  readonly priceInOther: Reading<number>
  readonly stockPriceUsd: number | null
}

const numbersOf = (facts: PoolInputs, moment: ValuationContext): Numbers => {
  const { pool, sides, decimals0, decimals1, fallback } = facts
  const { enrichedTs, policy, now } = moment
  const reserves = resolveReserves({
    pool,
    decimals0,
    decimals1,
    fallback,
    enrichedTs,
    policy,
    now,
  })
  const priceInOther = stockPriceInOther(pool.price, sides.stockIsToken0, decimals0, decimals1)
  const stockRefUsd = facts.stock.reading.reference?.usd ?? null
  const prices = poolUsdPrices({
    kind: sides.kind,
    stockPriceInOther: priceInOther.known ? priceInOther.value : null,
    stockRefUsd,
    otherRefUsd: facts.other?.reference?.usd ?? null,
  })
  return {
    reserves,
    priceInOther,
    stockRefUsd,
    stockPriceUsd: prices.stockPriceUsd,
    otherPriceUsd: prices.otherPriceUsd,
    stockReserve: sides.stockIsToken0 ? reserves.amount0 : reserves.amount1,
    otherReserve: sides.stockIsToken0 ? reserves.amount1 : reserves.amount0,
  }
}

const isUnfit = (reference: ReferencePrice | null | undefined): boolean =>
  reference !== null && reference !== undefined && !reference.fresh

const poolReasonsOf = (
  facts: PoolInputs,
  numbers: Numbers,
  moment: ValuationContext,
): StatusReason[] => {
  const { pool, sides, otherStock, other } = facts
  const { now, asOf, policy } = moment
  const reasons = new Set<StatusReason>()
  const stateAge = ageOf(asOf.ts, now)
  if (stateAge.kind === 'ahead') reasons.add('clock_ahead')
  if (!isWithin(asOf.ts, { now, maxSeconds: policy.poolMaxAgeSeconds })) reasons.add('state_old')
  for (const reason of stockReasonsOf(facts.stock)) reasons.add(reason)
  if (otherStock !== null) {
    for (const reason of stockReasonsOf(otherStock)) reasons.add(reason)
  }
  if (sides.kind === 'canonical' && isUnfit(other?.reference)) reasons.add('quote_old')
  if (other?.clockAhead && !other.reference?.fresh) reasons.add('clock_ahead')
  if (pool.mapFault === 'index_gap' || facts.volume.isGap) reasons.add('index_gap')
  if (pool.price === null) return [...reasons]
  if (numbers.otherPriceUsd === null) reasons.add('other_price_missing')
  if (!facts.decimals0.known || !facts.decimals1.known) reasons.add('decimals_unknown')
  if (hasCustomAccounting(pool)) reasons.add('hook_custom_accounting')
  if (numbers.reserves.source === null) reasons.add('reserve_missing')
  else {
    const limits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
    if (!isWithin(numbers.reserves.readTs, limits)) reasons.add('reserve_old')
    if (ageOf(numbers.reserves.readTs, now).kind === 'ahead') reasons.add('clock_ahead')
  }
  return [...reasons]
}

const identityOf = ({ pool, sides, stock, otherSymbol }: PoolInputs) => ({
  id: pool.id,
  version: pool.version,
  kind: sides.kind,
  createdBlock: pool.createdBlock,
  token0: pool.key.token0,
  token1: pool.key.token1,
  stockSymbol: stock.symbol,
  stockIsToken0: sides.stockIsToken0,
  otherSymbol,
  otherAddress: sides.stockIsToken0 ? pool.key.token1 : pool.key.token0,
  stockAddress: sides.stockIsToken0 ? pool.key.token0 : pool.key.token1,
  fee: pool.key.fee,
  tickSpacing: pool.key.tickSpacing,
  hooks: pool.key.hooks,
})

const rawStateOf = ({ price, liquidity }: PoolState) => ({
  sqrtPriceX96: price === null ? null : price.sqrtPriceX96.toString(),
  liquidity: price === null ? null : liquidity.toString(),
})

const pricesAndReservesOf = (numbers: Numbers) => ({
  stockReserve: numbers.stockReserve,
  otherReserve: numbers.otherReserve,
  reserveSource: numbers.reserves.source,
  stockPriceInOther: numbers.priceInOther.known ? numbers.priceInOther.value : null,
  stockPriceUsd: numbers.stockPriceUsd,
  otherPriceUsd: numbers.otherPriceUsd,
})

/** A trusted token's price must be fresh, a stock's independent of our pools, too. */
const hasExternalReference = ({ sides, other }: PoolInputs): boolean => {
  const { fresh = false, independent = false } = other?.reference ?? {}
  return sides.kind === 'canonical' ? fresh : independent
}

type Trust = Pick<
  PoolView,
  'active' | 'comparable' | 'dataStatus' | 'statusReasons' | 'premiumBps' | 'driftBps'
>

const trustOf = (facts: PoolInputs, numbers: Numbers, moment: ValuationContext): Trust => {
  const { pool, stock } = facts
  const { kind } = facts.sides
  const { premiumBps, driftBps, implausible } = premiumOf({
    kind,
    stockPriceUsd: numbers.stockPriceUsd,
    stock: stock.reading,
    isAnchored: hasExternalReference(facts),
    session: stock.session,
  })
  const statusReasons = poolReasonsOf(facts, numbers, moment)
  if (implausible) statusReasons.push('premium_implausible')
  const dataStatus = toDataStatus(pool.price !== null, statusReasons)
  const active = isActive(pool, moment.asOf.ts)
  const comparable = isComparable({
    kind,
    active,
    fresh: dataStatus === 'fresh',
    independentReference: stock.reading.reference?.independent ?? false,
    trustedSideUsd: trustedSideUsdOf(numbers),
    reserveSource: numbers.reserves.source,
    premiumBps,
    reasons: statusReasons,
  })
  return { active, comparable, dataStatus, statusReasons, premiumBps, driftBps }
}

/** A v3 swap's event does not tell its fee: it is always that of the pool's key. */
const lastSwapFeeOf = ({ lastSwapTs, lastSwapFee, key }: PoolInputs['pool']): number | null =>
  lastSwapTs === null ? null : (lastSwapFee ?? key.fee)

type PoolValuation = Trust & Pick<PoolView, 'hot' | 'liquidityUsd'> & { readonly numbers: Numbers }

const valuePool = (facts: PoolInputs, moment: ValuationContext): PoolValuation => {
  const { pool, sides, volume } = facts
  const numbers = numbersOf(facts, moment)
  const trust = trustOf(facts, numbers, moment)
  const liquidityUsd = liquidityUsdOf(sides.kind, numbers)
  const hot = isHot({
    active: trust.active,
    liquidityUsd,
    vol1hUsd: volume.vol1hUsd,
    lastSwapTs: pool.lastSwapTs,
    lastHotTs: pool.lastHotTs,
    asOfTs: moment.asOf.ts,
  })
  return { ...trust, hot, liquidityUsd, numbers }
}

/** What of a pool's record is valued, and wanted of very many pools. */
export type PoolValues = Pick<
  PoolView,
  'active' | 'hot' | 'comparable' | 'stockPriceUsd' | 'liquidityUsd' | 'premiumBps' | 'driftBps'
>

/** The same as in the record, without its texts. */
export const toPoolValues = (facts: PoolInputs, moment: ValuationContext): PoolValues => {
  const appraisal = valuePool(facts, moment)
  return {
    active: appraisal.active,
    hot: appraisal.hot,
    comparable: appraisal.comparable,
    stockPriceUsd: appraisal.numbers.stockPriceUsd,
    liquidityUsd: appraisal.liquidityUsd,
    premiumBps: appraisal.premiumBps,
    driftBps: appraisal.driftBps,
  }
}

/** A pool's record, by docs/methodology.md from its facts at one moment. */
export const toPoolView = (facts: PoolInputs, moment: ValuationContext): PoolView => {
  const { pool, volume } = facts
  const { asOf } = moment
  const { numbers, active, hot, liquidityUsd, comparable, dataStatus, ...trust } = valuePool(
    facts,
    moment,
  )
  return {
    ...identityOf(facts),
    active,
    hot,
    lastSwapTs: pool.lastSwapTs,
    lastSwapBlock: pool.lastSwapBlock,
    stateTs: pool.price === null ? null : asOf.ts,
    enrichedTs: numbers.reserves.source === null ? null : numbers.reserves.readTs,
    ...rawStateOf(pool),
    ...pricesAndReservesOf(numbers),
    liquidityUsd,
    vol1hUsd: volume.vol1hUsd,
    vol24hUsd: volume.vol24hUsd,
    comparable,
    dataStatus,
    statusReasons: trust.statusReasons,
    tick: pool.price?.tick ?? null,
    feeDynamic: isDynamicFee(pool.key.fee),
    lastSwapFee: lastSwapFeeOf(pool),
    hookFlags: pool.key.hooks === null ? null : hookFlagsOf(pool.key.hooks),
    premiumBps: trust.premiumBps,
    driftBps: trust.driftBps,
    asOfBlock: asOf.block,
    swaps24h: volume.swaps24h,
    estimatedSwaps24h: volume.estimatedSwaps24h,
  }
}
