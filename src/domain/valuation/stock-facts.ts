import type { ReferenceReading } from '../stock/reference.ts'
import type { MarketSession } from '../stock/session.ts'
import type { Address } from '../units.ts'
import type { StatusReason } from '../view/status.ts'

/** What the valuation of a pool needs to know of one of its stocks, at one moment. */
export type StockFacts = {
  readonly address: Address
  readonly symbol: string
  readonly reading: ReferenceReading
  readonly session: MarketSession
  readonly halted: boolean
  readonly oraclePaused: boolean
  readonly multiplierPending: boolean
}

/** Why prices of this stock deserve distrust now; facts of the stock, not of any pool. */
export const stockReasonsOf = (stock: StockFacts): readonly StatusReason[] => {
  const { reading } = stock
  const reasons: StatusReason[] = []
  if (reading.reference === null) reasons.push('quote_missing')
  else if (!reading.reference.independent) reasons.push('quote_old')
  if (stock.session === 'closed') reasons.push('market_closed')
  if (stock.halted) reasons.push('trading_halt')
  if (stock.oraclePaused) reasons.push('oracle_paused')
  if (stock.multiplierPending) reasons.push('multiplier_pending')
  // A refused source matters only where no other one was good enough.
  if (reading.clockAhead && !reading.reference?.fresh) reasons.push('clock_ahead')
  if (reading.conflict) reasons.push('reference_conflict')
  return reasons
}
