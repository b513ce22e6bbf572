import type { MarketSession } from '../stock/market-session.ts'
import type { PoolKind } from '../views/pool.ts'
import type { ReferenceResult } from './reference-price.ts'

/** A price further from its reference is implausible. */
export const premiumMax = 0.5
const bpsPerUnit = 10_000

export type Premium = {
  /** Basis points above an independent reference, in session. */
  readonly premiumBps: number | null
  /** The same figure while the exchange is closed, against the last external price. */
  readonly driftBps: number | null
  readonly implausible: boolean
}

const noPremium: Premium = { premiumBps: null, driftBps: null, implausible: false }

/**
 * Distance of a pool-implied stock price from the stock's reference (methodology §3). A meme pool
 * implies no stock price, so it has neither figure.
 */
export const computePremium = (input: {
  readonly kind: PoolKind
  readonly stockPriceUsd: number | null
  readonly stock: ReferenceResult
  /** The other side's price, which implies the stock's, meets the rules for references. */
  readonly hasExternalReference: boolean
  readonly session: MarketSession
}): Premium => {
  const { kind, stockPriceUsd, stock, session } = input
  if (kind === 'meme' || stockPriceUsd === null) return noPremium
  const isOpen = session !== 'closed'
  if (isOpen && !input.hasExternalReference) return noPremium
  const base = isOpen ? (stock.reference?.independent ? stock.reference : null) : stock.lastExternal
  if (base === null) return noPremium
  const ratio = stockPriceUsd / base.usd - 1
  if (!(Math.abs(ratio) <= premiumMax)) return { ...noPremium, implausible: true }
  const bps = ratio * bpsPerUnit
  return isOpen
    ? { premiumBps: bps, driftBps: null, implausible: false }
    : { premiumBps: null, driftBps: bps, implausible: false }
}
