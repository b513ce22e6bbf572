import { secondsPerDay } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import type { RangeReason, RangeWindow } from '../views/range-earnings.ts'
import { daysPerYear, type EarningsFault } from './fee-apr.ts'
import { feesOf, type PathSwap } from './path-swap.ts'
import { amountsAt, type RangePair, type Roots } from './range-position.ts'

/** What the windows of one answer have in common. */
export type RangedPool = {
  readonly pair: RangePair
  readonly roots: Roots
  readonly usd: number
  /** Which token the pool's swaps are valued by (methodology §5). */
  readonly isValuedByStock: boolean
  readonly fault: EarningsFault | null
  /** √price at the end, and the prices of the row there. */
  readonly root: number
  readonly stockPriceUsd: number | null
  readonly otherPriceUsd: number | null
}

/** Swaps of a window, oldest first, and the √price before the first. */
export type RangePath = {
  readonly fromTs: UnixSeconds
  readonly toTs: UnixSeconds
  readonly complete: boolean
  readonly start: number
  readonly swaps: readonly PathSwap[]
  /** Why the window is cut. */
  readonly reasons: readonly RangeReason[]
}

/** Dollars of a raw unit of the token that values swaps, at the start. */
const startUsd = (
  { pair, isValuedByStock, stockPriceUsd, otherPriceUsd }: RangedPool,
  { swaps }: RangePath,
): number | null => {
  const isToken0 = isValuedByStock === pair.stockIsToken0
  const amountOf = (swap: PathSwap): number => Math.abs(isToken0 ? swap.amount0 : swap.amount1)
  const first = swaps.find((swap) => (swap.usd ?? 0) > 0 && amountOf(swap) > 0)
  if (first !== undefined) return (first.usd ?? 0) / amountOf(first)
  if (swaps.length > 0) return null
  const price = isValuedByStock ? stockPriceUsd : otherPriceUsd
  return price === null ? null : price / 10 ** (isToken0 ? pair.decimals0 : pair.decimals1)
}

/** Liquidity that the dollars buy at the start; null if nothing says what they buy. */
const liquidityFor = (ranged: RangedPool, path: RangePath): number | null => {
  const rawUsd = startUsd(ranged, path)
  if (rawUsd === null) return null
  const { amount0, amount1 } = amountsAt(ranged.roots, path.start)
  const in1 = amount1 + amount0 * path.start ** 2
  const isToken0 = ranged.isValuedByStock === ranged.pair.stockIsToken0
  const liquidity = ranged.usd / (rawUsd * (isToken0 ? in1 / path.start ** 2 : in1))
  return Number.isFinite(liquidity) ? liquidity : null
}

const shareInRange = ({ start, swaps, fromTs, toTs }: RangePath, roots: Roots): number => {
  const isInside = (root: number): boolean => root >= roots.lower && root < roots.upper
  if (toTs <= fromTs) return Number(isInside(swaps.at(-1)?.after ?? start))
  let [inside, since, root] = [0, fromTs, start]
  for (const { ts, after } of swaps) {
    if (isInside(root)) inside += ts - since
    since = ts
    root = after
  }
  if (isInside(root)) inside += toTs - since
  return inside / (toTs - fromTs)
}

type Fees = { readonly raw0: number; readonly raw1: number; readonly usd: number | null }

/** Null if the fee of a swap is not known. */
const sumFees = (path: RangePath, roots: Roots, liquidity: number): Fees | null => {
  let [raw0, raw1] = [0, 0]
  let usd: number | null = 0
  for (const swap of path.swaps) {
    const fees = feesOf(swap, roots, liquidity)
    if (fees === null) return null
    if (fees.isToken0) raw0 += fees.raw
    else raw1 += fees.raw
    usd = usd === null || fees.usd === null ? null : usd + fees.usd
  }
  return { raw0, raw1, usd }
}

/** Dollars of raw amounts by the prices of the row. */
const worthOf = (
  { pair, stockPriceUsd, otherPriceUsd }: RangedPool,
  { amount0, amount1 }: ReturnType<typeof amountsAt>,
): number | null => {
  if (stockPriceUsd === null || otherPriceUsd === null) return null
  const [usd0, usd1] = pair.stockIsToken0
    ? [stockPriceUsd, otherPriceUsd]
    : [otherPriceUsd, stockPriceUsd]
  return (amount0 / 10 ** pair.decimals0) * usd0 + (amount1 / 10 ** pair.decimals1) * usd1
}

const tokensOf = ({ pair }: RangedPool, fees: Fees | null) => {
  if (fees === null) return { feesStock: null, feesOther: null }
  const whole0 = fees.raw0 / 10 ** pair.decimals0
  const whole1 = fees.raw1 / 10 ** pair.decimals1
  const [feesStock, feesOther] = pair.stockIsToken0 ? [whole0, whole1] : [whole1, whole0]
  return { feesStock, feesOther }
}

/** Of the tokens put in at the start: what they would be worth, and what the position is. */
const holdingOf = (ranged: RangedPool, path: RangePath, liquidity: number | null) => {
  const held = amountsAt(ranged.roots, path.start)
  const now = amountsAt(ranged.roots, ranged.root)
  const in1Of = ({ amount0, amount1 }: typeof held): number => amount1 + amount0 * ranged.root ** 2
  const times = (usd: number | null) =>
    usd === null || liquidity === null ? null : usd * liquidity
  return {
    heldUsd: times(worthOf(ranged, held)),
    positionUsd: times(worthOf(ranged, now)),
    versusHoldingBps: 10_000 * (in1Of(now) / in1Of(held) - 1),
  }
}

/** What a position of these dollars would have made of a window (docs/methodology.md §14). */
export const measureRange = (ranged: RangedPool, path: RangePath): RangeWindow => {
  const { fromTs, toTs, complete, swaps } = path
  const liquidity = liquidityFor(ranged, path)
  const fees =
    liquidity === null || ranged.fault !== null ? null : sumFees(path, ranged.roots, liquidity)
  const holding = holdingOf(ranged, path, liquidity)
  const { heldUsd, positionUsd } = holding
  const feesUsd = fees?.usd ?? null
  const years = (toTs - fromTs) / (daysPerYear * secondsPerDay)
  const reasons = new Set<RangeReason>(path.reasons)
  if (ranged.fault !== null) reasons.add(ranged.fault)
  else if (liquidity !== null && fees === null) reasons.add('fee_unknown')
  if (liquidity === null || (fees !== null && fees.usd === null)) reasons.add('swap_unpriced')
  if (liquidity !== null && positionUsd === null) reasons.add('other_price_missing')
  return {
    ...{ fromTs, toTs, complete, swaps: swaps.length },
    inRangeShare: shareInRange(path, ranged.roots),
    ...tokensOf(ranged, fees),
    feesUsd,
    feeApr: feesUsd === null || years <= 0 ? null : feesUsd / ranged.usd / years,
    ...holding,
    netUsd:
      feesUsd === null || heldUsd === null || positionUsd === null
        ? null
        : positionUsd + feesUsd - heldUsd,
    reasons: [...reasons],
  }
}
