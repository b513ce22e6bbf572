import { microPerUsd, usdMicroMax } from '../pool/stored-rows.ts'
import type { PoolKind } from '../views/pool.ts'

/** Value of one side of a swap at its time. */
export type LegUsd = { readonly usd: number; readonly estimated: boolean }

export type SwapUsd = {
  /** Millionths of a dollar, an integer up to `usdMicroMax`; null when no leg could be priced. */
  readonly usdMicro: number | null
  readonly estimated: boolean
}

const unpriced: SwapUsd = { usdMicro: null, estimated: false }

const frozen = (leg: LegUsd | null): SwapUsd => {
  if (leg === null) return unpriced
  const usdMicro = Math.min(usdMicroMax, Math.round(leg.usd * microPerUsd))
  return Number.isNaN(usdMicro) ? unpriced : { usdMicro, estimated: leg.estimated }
}

/** Mean of both legs; a missing one is replaced by the other, as an estimate. */
const meanOf = (one: LegUsd | null, two: LegUsd | null): LegUsd | null => {
  const known = one ?? two
  if (known === null) return null
  if (one === null || two === null) return { usd: known.usd, estimated: true }
  return { usd: (one.usd + two.usd) / 2, estimated: one.estimated || two.estimated }
}

/** Whether a swap is priced by its stock's side, or by its other side. */
export const isPricedSide = (kind: PoolKind | 'reference', isStock: boolean): boolean =>
  kind === 'canonical' ? !isStock : kind !== 'meme' || isStock

/**
 * A swap's dollar volume by its trusted leg (methodology §5): the other side of a canonical pool,
 * the stock of a meme pool, the mean of both in a stock-stock pool and between two trusted tokens.
 * Calls `usdOf` only for the legs that count, because it may be expensive.
 */
export const computeSwapUsd = <Leg extends { readonly raw: bigint }>(
  kind: PoolKind | 'reference',
  { stock, other }: { readonly stock: Leg; readonly other: Leg },
  usdOf: (leg: Leg) => LegUsd | null,
): SwapUsd => {
  if (stock.raw === 0n && other.raw === 0n) return { usdMicro: 0, estimated: false }
  if (kind === 'canonical') return frozen(usdOf(other))
  if (kind === 'meme') return frozen(usdOf(stock))
  return frozen(meanOf(usdOf(stock), usdOf(other)))
}
