import type { Quote } from '../price/quote.ts'
import { type ReferenceResult, selectStockReference } from '../price/reference-price.ts'
import { isTradingHalted } from '../price/trading-halt.ts'
import { wrappedReference } from '../price/wrapped-reference.ts'
import type { StatusReason } from '../status/data-status.ts'
import {
  isWithin,
  multiplierMaxAgeSeconds,
  multiplierUsableMaxAgeSeconds,
  type Policy,
} from '../status/freshness.ts'
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
  /** The contract was read too long ago, or never. */
  readonly multiplierOld: boolean
}

/** Whether what the contract said is young enough to be used at all (methodology §3). */
export const isStockReadUsable = ({ readTs }: StockOnChain, now: UnixSeconds): boolean =>
  isWithin(readTs, { now, maxSeconds: multiplierUsableMaxAgeSeconds })

/** The multiplier from the token contract; null when it was not read within a day. */
export const toMultiplier = (stock: StockOnChain, now: UnixSeconds): Multiplier | null =>
  stock.multiplier === null || !isStockReadUsable(stock, now)
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
  const multiplier = toMultiplier(stock, now)
  const oracleSession = session !== 'closed'
  return {
    address: stock.address,
    symbol: stock.symbol,
    reading: selectStockReference({ quotes, multiplier, oracleSession, policy, now }),
    session,
    halted: isTradingHalted(quotes, { now, policy }),
    oraclePaused: stock.oraclePaused === true && isStockReadUsable(stock, now),
    multiplierPending: multiplier !== null && pendingMultiplier(multiplier, now) !== null,
    multiplierOld: !isWithin(stock.readTs, { now, maxSeconds: multiplierMaxAgeSeconds }),
  }
}

/** The inputs of a wrapper: what is said of its asset, at the wrapper's own price. */
export const wrapStockInputs = (
  stock: Stock,
  { asset, now }: { readonly asset: StockInputs; readonly now: UnixSeconds },
): StockInputs => {
  const isOld = !isWithin(stock.readTs, { now, maxSeconds: multiplierMaxAgeSeconds })
  return {
    ...asset,
    address: stock.address,
    symbol: stock.symbol,
    reading: wrappedReference(asset.reading, toMultiplier(stock, now)?.current ?? null),
    multiplierOld: asset.multiplierOld || isOld,
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
  if (stock.multiplierOld) reasons.push('multiplier_old')
  // A rejected source matters only if no other one was fresh.
  if (reading.clockAhead && !reading.reference?.fresh) reasons.push('clock_ahead')
  if (reading.unconfirmed !== null) reasons.push('quote_unconfirmed')
  if (reading.conflict) reasons.push('reference_conflict')
  return reasons
}
