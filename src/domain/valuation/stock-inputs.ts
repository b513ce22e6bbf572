import type { Quote } from '../price/quote.ts'
import { type ReferenceResult, selectStockReference } from '../price/reference-price.ts'
import { isTradingHalted } from '../price/trading-halt.ts'
import type { StatusReason } from '../status/data-status.ts'
import type { Policy } from '../status/freshness.ts'
import type { MarketSession } from '../stock/market-session.ts'
import { type Multiplier, pendingMultiplier } from '../stock/multiplier.ts'
import type { Stock, StockOnChain } from '../stock/stock.ts'
import type { Address, UnixSeconds } from '../units.ts'

/** Inputs of a valuation from one stock. */
export type StockInputs = {
  readonly address: Address
  readonly symbol: string
  readonly reading: ReferenceResult
  readonly session: MarketSession
  /** Null: no source has said anything of it recently. */
  readonly halted: boolean | null
  readonly oraclePaused: boolean
  readonly multiplierPending: boolean
}

/** The multiplier from the token contract; null when never read. */
export const toMultiplier = (stock: StockOnChain): Multiplier | null =>
  stock.multiplier === null
    ? null
    : {
        current: stock.multiplier,
        pending: stock.pendingMultiplier,
        effectiveTs: stock.multiplierEffectiveTs,
      }

/** Builds the inputs from the stock's token and latest quotes (methodology §3). */
export const buildStockInputs = (input: {
  readonly stock: Stock
  readonly quotes: readonly Quote[]
  readonly session: MarketSession
  readonly policy: Policy
  readonly now: UnixSeconds
}): StockInputs => {
  const { stock, quotes, session, policy, now } = input
  const multiplier = toMultiplier(stock)
  const oracleSession = session !== 'closed'
  return {
    address: stock.address,
    symbol: stock.symbol,
    reading: selectStockReference({ quotes, multiplier, oracleSession, policy, now }),
    session,
    halted: isTradingHalted(quotes, { now, policy }),
    oraclePaused: stock.oraclePaused === true,
    multiplierPending: multiplier !== null && pendingMultiplier(multiplier, now) !== null,
  }
}

/** Reasons to distrust prices of this stock, whatever the pool. */
export const stockStatusReasons = (stock: StockInputs): readonly StatusReason[] => {
  const { reading } = stock
  const reasons: StatusReason[] = []
  if (reading.reference === null) reasons.push('quote_missing')
  else if (!reading.reference.independent) reasons.push('quote_old')
  if (stock.session === 'closed') reasons.push('market_closed')
  if (stock.halted === true) reasons.push('trading_halt')
  if (stock.oraclePaused) reasons.push('oracle_paused')
  if (stock.multiplierPending) reasons.push('multiplier_pending')
  // A rejected source matters only if no other one was fresh.
  if (reading.clockAhead && !reading.reference?.fresh) reasons.push('clock_ahead')
  if (reading.conflict) reasons.push('reference_conflict')
  return reasons
}
