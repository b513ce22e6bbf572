import { microPerUsd } from '../pool/stored-events.ts'
import type { PoolKind } from '../view/pool-view.ts'

/** A leg of a swap: whole tokens, not negative, and what one of them was worth at that time. */
export type Leg = {
  readonly amount: number | null
  /** Asked only for the legs that count: the answer may cost something. */
  readonly price: () => { readonly usd: number; readonly ofItsTime: boolean } | null
}

export type SwapUsd = {
  /** Millionths of a dollar, an integer; null when no leg could be priced. */
  readonly usdMicro: number | null
  readonly estimated: boolean
}

const unpriced: SwapUsd = { usdMicro: null, estimated: false }

type PricedLeg = { readonly usd: number; readonly estimated: boolean }

const pricedLeg = ({ amount, price }: Leg): PricedLeg | null => {
  const reading = amount === null ? null : price()
  if (amount === null || reading === null) return null
  return { usd: amount * reading.usd, estimated: !reading.ofItsTime }
}

const frozen = (leg: PricedLeg | null): SwapUsd => {
  if (leg === null) return unpriced
  const usdMicro = Math.round(leg.usd * microPerUsd)
  return Number.isSafeInteger(usdMicro) ? { usdMicro, estimated: leg.estimated } : unpriced
}

/** Both legs where both are known; one that is missing is stood in for by the other. */
const meanOf = (one: PricedLeg | null, two: PricedLeg | null): PricedLeg | null => {
  const known = one ?? two
  if (known === null) return null
  if (one === null || two === null) return { usd: known.usd, estimated: true }
  return { usd: (one.usd + two.usd) / 2, estimated: one.estimated || two.estimated }
}

/**
 * A swap's dollar volume by its trusted leg (methodology §5): the other side of a canonical pool,
 * the stock of a meme pool, the mean of both in a stock-stock pool and between two trusted tokens.
 */
export const swapUsdOf = (kind: PoolKind | 'reference', stock: Leg, other: Leg): SwapUsd => {
  if (stock.amount === 0 && other.amount === 0) return { usdMicro: 0, estimated: false }
  if (kind === 'canonical') return frozen(pricedLeg(other))
  if (kind === 'meme') return frozen(pricedLeg(stock))
  return frozen(meanOf(pricedLeg(stock), pricedLeg(other)))
}
