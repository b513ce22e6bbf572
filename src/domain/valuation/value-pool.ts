import { getProtocol } from '../dex/find-protocol.ts'
import { hookFlagsOf, paidFeeOf } from '../dex/uniswap-v4/hook-flags.ts'
import { venueNameOf } from '../dex/venue-name.ts'
import { earningsFaultOf, feeAprOf } from '../earnings/fee-apr.ts'
import { feeOfKey, knownFee } from '../pool/pool-fees.ts'
import { currentFee, isFeeDynamic, isUnreviewed } from '../pool/pool-settings.ts'
import type { PoolState } from '../pool/pool-state.ts'
import { computePremium } from '../price/premium.ts'
import type { ReferencePrice } from '../price/reference-price.ts'
import { type StatusReason, toDataStatus } from '../status/data-status.ts'
import { ageOf, isWithin } from '../status/freshness.ts'
import { holdsRebasing } from '../stock/stock-standard.ts'
import type { PoolView } from '../views/pool.ts'
import {
  computeLiquidityUsd,
  isActive,
  isComparable,
  isFeeExcessive,
  isHot,
  isThin,
  mayRepresentStock,
} from './pool-flags.ts'
import type { PoolInputs, ValuationContext } from './pool-inputs.ts'
import { computePoolNumbers, type PoolNumbers } from './pool-numbers.ts'
import { hasCustomAccounting } from './pool-reserves.ts'
import { stockStatusReasons } from './stock-inputs.ts'

const isUnfit = (reference: ReferencePrice | null | undefined): boolean =>
  reference !== null && reference !== undefined && !reference.fresh

const poolReasonsOf = (
  inputs: PoolInputs,
  numbers: PoolNumbers,
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
  if (other?.conflict) reasons.add('reference_conflict')
  if (other?.clockAhead && !other.reference?.fresh) reasons.add('clock_ahead')
  if (pool.mapFault === 'index_gap' || inputs.volume.isGap) reasons.add('index_gap')
  if (pool.mapFault === 'reserve_short') reasons.add('reserve_short')
  if (holdsRebasing(pool.key, context.standardOf)) reasons.add('reserve_rebasing')
  if (inputs.volume.implausibleSwaps24h > 0) reasons.add('volume_implausible')
  if (pool.price === null) return [...reasons]
  if (numbers.otherPriceUsd === null) reasons.add('other_price_missing')
  if (!inputs.decimals0.known || !inputs.decimals1.known) reasons.add('decimals_unknown')
  if (hasCustomAccounting(pool)) reasons.add('hook_custom_accounting')
  if (isThin(classification.kind, numbers.depthUsd)) reasons.add('depth_thin')
  if (isFeeExcessive(currentFee(pool))) reasons.add('fee_excessive')
  if (isUnreviewed(pool, context.reviewedHooks)) reasons.add('hook_unreviewed')
  if (numbers.reserves.source === null) reasons.add('reserve_missing')
  else {
    const limits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
    if (!isWithin(numbers.reserves.readTs, limits)) reasons.add('reserve_old')
    if (ageOf(numbers.reserves.readTs, now).kind === 'ahead') reasons.add('clock_ahead')
  }
  return [...reasons]
}

/** The LP fee where logs say each change of it, else that of the key. */
const feeOf = ({ protocol, fees, key }: PoolInputs['pool']): number =>
  getProtocol(protocol).logsLpFee ? (fees?.lpFee ?? key.fee) : key.fee

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
  fee: feeOf(pool),
  tickSpacing: pool.settings?.tickSpacing ?? pool.key.tickSpacing,
  hooks: pool.key.hooks,
})

const sourceOf = ({ pool }: PoolInputs, { venues }: ValuationContext) => ({
  protocol: pool.protocol,
  parameters: pool.key.parameters ?? null,
  venue: venueNameOf(pool, venues),
})

const rawStateOf = ({ price, liquidity }: PoolState) => ({
  sqrtPriceX96: price === null ? null : price.sqrtPriceX96.toString(),
  liquidity: price === null ? null : liquidity.toString(),
})

const pricesAndReservesOf = (numbers: PoolNumbers) => ({
  stockReserve: numbers.stockReserve,
  otherReserve: numbers.otherReserve,
  reserveSource: numbers.reserves.source,
  stockPriceInOther: numbers.priceInOther.known ? numbers.priceInOther.value : null,
  stockPriceUsd: numbers.stockPriceUsd,
  otherPriceUsd: numbers.otherPriceUsd,
})

/** A trusted token's price must be fresh, a stock's also independent of indexed pools. */
export const isOtherSideExternal = ({ classification, other }: PoolInputs): boolean => {
  const { fresh = false, independent = false } = other?.reference ?? {}
  return classification.kind === 'canonical' ? fresh : independent
}

type Trust = Pick<
  PoolView,
  'active' | 'comparable' | 'dataStatus' | 'statusReasons' | 'premiumBps' | 'driftBps'
> & { readonly mayRepresent: boolean }

const trustOf = (inputs: PoolInputs, numbers: PoolNumbers, context: ValuationContext): Trust => {
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
    depthUsd: numbers.depthUsd,
    reserveSource: numbers.reserves.source,
    fee: currentFee(pool),
    premiumBps,
    reasons: statusReasons,
  })
  const { stockPriceUsd } = numbers
  const mayRepresent = mayRepresentStock({ kind, active, stockPriceUsd, reasons: statusReasons })
  return { active, comparable, mayRepresent, dataStatus, statusReasons, premiumBps, driftBps }
}

const lastSwapFeeOf = (pool: PoolInputs['pool']): number | null => {
  const { protocol, key, lastSwapTs, lastSwapFee } = pool
  return lastSwapTs === null ? null : paidFeeOf(lastSwapFee, feeOfKey({ protocol, fee: key.fee }))
}

type PoolValuation = Trust &
  Pick<PoolView, 'hot' | 'liquidityUsd' | 'feeApr24h'> & { readonly numbers: PoolNumbers }

const valuePool = (inputs: PoolInputs, context: ValuationContext): PoolValuation => {
  const { pool, classification, volume } = inputs
  const numbers = computePoolNumbers(inputs, context)
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
  const isRebasing = holdsRebasing(pool.key, context.standardOf)
  const feeApr24h = feeAprOf(volume.feeYield24h, earningsFaultOf({ ...pool, isRebasing }))
  return { ...trust, hot, liquidityUsd, feeApr24h, numbers }
}

/** The valued fields that lists need for very many pools. */
export type PoolValues = Pick<
  PoolView,
  | 'active'
  | 'hot'
  | 'comparable'
  | 'stockPriceUsd'
  | 'liquidityUsd'
  | 'depthUsd'
  | 'premiumBps'
  | 'driftBps'
  | 'feeApr24h'
> & {
  /** May be its stock's best pool while none is comparable. */
  readonly mayRepresent: boolean
}

/** Equal to the fields of `toPoolView`, but cheaper. */
export const toPoolValues = (inputs: PoolInputs, context: ValuationContext): PoolValues => {
  const valuation = valuePool(inputs, context)
  return {
    active: valuation.active,
    hot: valuation.hot,
    comparable: valuation.comparable,
    mayRepresent: valuation.mayRepresent,
    stockPriceUsd: valuation.numbers.stockPriceUsd,
    liquidityUsd: valuation.liquidityUsd,
    depthUsd: valuation.numbers.depthUsd,
    premiumBps: valuation.premiumBps,
    driftBps: valuation.driftBps,
    feeApr24h: valuation.feeApr24h,
  }
}

/** Values a pool by docs/methodology.md. */
export const toPoolView = (inputs: PoolInputs, context: ValuationContext): PoolView => {
  const { pool, volume } = inputs
  const { asOf } = context
  const { numbers, active, hot, liquidityUsd, feeApr24h, comparable, ...trust } = valuePool(
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
    dataStatus: trust.dataStatus,
    statusReasons: trust.statusReasons,
    tick: pool.price?.tick ?? null,
    feeDynamic: isFeeDynamic(pool),
    lastSwapFee: lastSwapFeeOf(pool),
    hookFlags: hookFlagsOf(pool.key),
    premiumBps: trust.premiumBps,
    driftBps: trust.driftBps,
    asOfBlock: asOf.block,
    swaps24h: volume.swaps24h,
    estimatedSwaps24h: volume.estimatedSwaps24h,
    depthUsd: numbers.depthUsd,
    ...sourceOf(inputs, context),
    deployer: pool.key.deployer ?? null,
    ...knownFee(pool),
    otherImitates: inputs.otherImitates,
    feeApr24h,
    vol24hFilteredUsd: volume.vol24hFilteredUsd,
    traders24h: volume.traders24h,
    washShare24h: volume.washShare24h,
  }
}
