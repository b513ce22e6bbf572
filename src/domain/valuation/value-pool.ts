import {
  currentFee,
  decodeHookFlags,
  isDynamicFee,
  isUnreviewedHook,
  type ReviewedHooks,
} from '../dex/uniswap-v4/hook-flags.ts'
import { stockPriceInOther } from '../math/pool-price.ts'
import type { PoolClassification } from '../pool/pool-kind.ts'
import type { PoolIdentity, PoolState } from '../pool/pool-state.ts'
import { poolUsdPrices } from '../price/pool-prices.ts'
import { computePremium } from '../price/premium.ts'
import type { ReferencePrice, ReferenceResult } from '../price/reference-price.ts'
import type { Reading } from '../reading.ts'
import { type StatusReason, toDataStatus } from '../status/data-status.ts'
import { ageOf, isWithin, type Policy } from '../status/freshness.ts'
import type { BlockNumber, UnixSeconds } from '../units.ts'
import type { PoolView } from '../views/pool.ts'
import {
  computeLiquidityUsd,
  computeTrustedSideUsd,
  isActive,
  isComparable,
  isFeeExcessive,
  isHot,
  type SideValues,
} from './pool-flags.ts'
import {
  type FallbackReserve,
  hasCustomAccounting,
  type Reserves,
  resolveReserves,
} from './pool-reserves.ts'
import { type StockInputs, stockStatusReasons } from './stock-inputs.ts'

/** Sums over the windows that end at the cursor; null while a window is incomplete. */
export type PoolVolume = {
  readonly vol1hUsd: number | null
  readonly vol24hUsd: number | null
  readonly swaps24h: number
  readonly estimatedSwaps24h: number
  readonly implausibleSwaps24h: number
  /** Swaps that affect the pool's figures are missing. */
  readonly isGap: boolean
}

/** All inputs of a pool's valuation besides the context. */
export type PoolInputs = {
  readonly pool: PoolIdentity & PoolState & { readonly lastHotTs: UnixSeconds | null }
  readonly classification: PoolClassification
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  readonly stock: StockInputs
  /** The registered symbol of a trusted token or stock, else the token's own, cleaned. */
  readonly otherSymbol: string | null
  /** The other side's own reference; null for a meme, which has none. */
  readonly other: ReferenceResult | null
  /** Inputs of the other stock in a stock-stock pool. */
  readonly otherStock: StockInputs | null
  readonly volume: PoolVolume
  readonly fallback: FallbackReserve | null
}

/** Time and policy of a valuation. */
export type ValuationContext = {
  readonly now: UnixSeconds
  /** The cursor, to which all state belongs. */
  readonly asOf: { readonly block: BlockNumber; readonly ts: UnixSeconds }
  readonly enrichedTs: UnixSeconds | null
  readonly policy: Policy
  readonly reviewedHooks: ReviewedHooks
}

type Numbers = SideValues & {
  readonly reserves: Reserves
  readonly priceInOther: Reading<number>
  readonly stockPriceUsd: number | null
}

const numbersOf = (inputs: PoolInputs, context: ValuationContext): Numbers => {
  const { pool, classification, decimals0, decimals1, fallback } = inputs
  const { enrichedTs, policy, now } = context
  const reserves = resolveReserves({
    pool,
    decimals0,
    decimals1,
    fallback,
    enrichedTs,
    policy,
    now,
  })
  const priceInOther = stockPriceInOther(
    pool.price,
    classification.stockIsToken0,
    decimals0,
    decimals1,
  )
  const stockRefUsd = inputs.stock.reading.reference?.usd ?? null
  const prices = poolUsdPrices({
    kind: classification.kind,
    stockPriceInOther: priceInOther.known ? priceInOther.value : null,
    stockRefUsd,
    otherRefUsd: inputs.other?.reference?.usd ?? null,
  })
  return {
    reserves,
    priceInOther,
    stockRefUsd,
    stockPriceUsd: prices.stockPriceUsd,
    otherPriceUsd: prices.otherPriceUsd,
    stockReserve: classification.stockIsToken0 ? reserves.amount0 : reserves.amount1,
    otherReserve: classification.stockIsToken0 ? reserves.amount1 : reserves.amount0,
  }
}

const isUnfit = (reference: ReferencePrice | null | undefined): boolean =>
  reference !== null && reference !== undefined && !reference.fresh

const poolReasonsOf = (
  inputs: PoolInputs,
  numbers: Numbers,
  context: ValuationContext,
): StatusReason[] => {
  const { pool, classification, otherStock, other } = inputs
  const { now, asOf, policy } = context
  const reasons = new Set<StatusReason>()
  const stateAge = ageOf(asOf.ts, now)
  if (stateAge.kind === 'ahead') reasons.add('clock_ahead')
  if (!isWithin(asOf.ts, { now, maxSeconds: policy.poolMaxAgeSeconds })) reasons.add('state_old')
  for (const reason of stockStatusReasons(inputs.stock)) reasons.add(reason)
  if (otherStock !== null) {
    for (const reason of stockStatusReasons(otherStock)) reasons.add(reason)
  }
  if (classification.kind === 'canonical' && isUnfit(other?.reference)) reasons.add('quote_old')
  if (other?.clockAhead && !other.reference?.fresh) reasons.add('clock_ahead')
  if (pool.mapFault === 'index_gap' || inputs.volume.isGap) reasons.add('index_gap')
  if (inputs.volume.implausibleSwaps24h > 0) reasons.add('volume_implausible')
  if (pool.price === null) return [...reasons]
  if (numbers.otherPriceUsd === null) reasons.add('other_price_missing')
  if (!inputs.decimals0.known || !inputs.decimals1.known) reasons.add('decimals_unknown')
  if (hasCustomAccounting(pool)) reasons.add('hook_custom_accounting')
  if (isFeeExcessive(currentFee(pool))) reasons.add('fee_excessive')
  if (isUnreviewedHook(pool.key, context.reviewedHooks)) reasons.add('hook_unreviewed')
  if (numbers.reserves.source === null) reasons.add('reserve_missing')
  else {
    const limits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
    if (!isWithin(numbers.reserves.readTs, limits)) reasons.add('reserve_old')
    if (ageOf(numbers.reserves.readTs, now).kind === 'ahead') reasons.add('clock_ahead')
  }
  return [...reasons]
}

const identityOf = ({ pool, classification, stock, otherSymbol }: PoolInputs) => ({
  id: pool.id,
  version: pool.version,
  kind: classification.kind,
  createdBlock: pool.createdBlock,
  token0: pool.key.token0,
  token1: pool.key.token1,
  stockSymbol: stock.symbol,
  stockIsToken0: classification.stockIsToken0,
  otherSymbol,
  otherAddress: classification.stockIsToken0 ? pool.key.token1 : pool.key.token0,
  stockAddress: classification.stockIsToken0 ? pool.key.token0 : pool.key.token1,
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

/** A trusted token's price must be fresh, a stock's also independent of indexed pools. */
const isOtherSideExternal = ({ classification, other }: PoolInputs): boolean => {
  const { fresh = false, independent = false } = other?.reference ?? {}
  return classification.kind === 'canonical' ? fresh : independent
}

type Trust = Pick<
  PoolView,
  'active' | 'comparable' | 'dataStatus' | 'statusReasons' | 'premiumBps' | 'driftBps'
>

const trustOf = (inputs: PoolInputs, numbers: Numbers, context: ValuationContext): Trust => {
  const { pool, stock } = inputs
  const { kind } = inputs.classification
  const { premiumBps, driftBps, implausible } = computePremium({
    kind,
    stockPriceUsd: numbers.stockPriceUsd,
    stock: stock.reading,
    hasExternalReference: isOtherSideExternal(inputs),
    session: stock.session,
  })
  const statusReasons = poolReasonsOf(inputs, numbers, context)
  if (implausible) statusReasons.push('premium_implausible')
  const dataStatus = toDataStatus(pool.price !== null, statusReasons)
  const active = isActive(pool, context.asOf.ts)
  const comparable = isComparable({
    kind,
    active,
    fresh: dataStatus === 'fresh',
    independentReference: stock.reading.reference?.independent ?? false,
    trustedSideUsd: computeTrustedSideUsd(numbers),
    reserveSource: numbers.reserves.source,
    fee: currentFee(pool),
    premiumBps,
    reasons: statusReasons,
  })
  return { active, comparable, dataStatus, statusReasons, premiumBps, driftBps }
}

/** A v3 swap event has no fee: it is always the fee of the pool's key. */
const lastSwapFeeOf = ({ lastSwapTs, lastSwapFee, key }: PoolInputs['pool']): number | null =>
  lastSwapTs === null ? null : (lastSwapFee ?? key.fee)

type PoolValuation = Trust & Pick<PoolView, 'hot' | 'liquidityUsd'> & { readonly numbers: Numbers }

const valuePool = (inputs: PoolInputs, context: ValuationContext): PoolValuation => {
  const { pool, classification, volume } = inputs
  const numbers = numbersOf(inputs, context)
  const trust = trustOf(inputs, numbers, context)
  const liquidityUsd = computeLiquidityUsd(classification.kind, numbers)
  const hot = isHot({
    active: trust.active,
    liquidityUsd,
    vol1hUsd: volume.vol1hUsd,
    lastSwapTs: pool.lastSwapTs,
    lastHotTs: pool.lastHotTs,
    asOfTs: context.asOf.ts,
  })
  return { ...trust, hot, liquidityUsd, numbers }
}

/** The valued fields that lists need for very many pools. */
export type PoolValues = Pick<
  PoolView,
  'active' | 'hot' | 'comparable' | 'stockPriceUsd' | 'liquidityUsd' | 'premiumBps' | 'driftBps'
>

/** Equal to the fields of `toPoolView`, but cheaper. */
export const toPoolValues = (inputs: PoolInputs, context: ValuationContext): PoolValues => {
  const valuation = valuePool(inputs, context)
  return {
    active: valuation.active,
    hot: valuation.hot,
    comparable: valuation.comparable,
    stockPriceUsd: valuation.numbers.stockPriceUsd,
    liquidityUsd: valuation.liquidityUsd,
    premiumBps: valuation.premiumBps,
    driftBps: valuation.driftBps,
  }
}

/** Values a pool by docs/methodology.md. */
export const toPoolView = (inputs: PoolInputs, context: ValuationContext): PoolView => {
  const { pool, volume } = inputs
  const { asOf } = context
  const { numbers, active, hot, liquidityUsd, comparable, dataStatus, ...trust } = valuePool(
    inputs,
    context,
  )
  return {
    ...identityOf(inputs),
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
    hookFlags: pool.key.hooks === null ? null : decodeHookFlags(pool.key.hooks),
    premiumBps: trust.premiumBps,
    driftBps: trust.driftBps,
    asOfBlock: asOf.block,
    swaps24h: volume.swaps24h,
    estimatedSwaps24h: volume.estimatedSwaps24h,
  }
}
