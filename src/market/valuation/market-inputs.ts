import {
  noReference,
  type Reference,
  type ReferenceReading,
  trustedReferenceOf,
} from '../../domain/price/reference-price.ts'
import type { Policy } from '../../domain/status/freshness.ts'
import { type MarketSession, sessionAt } from '../../domain/stock/market-session.ts'
import type { TrustedToken } from '../../domain/token/trusted-token.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { type StockFacts, stockFactsOf } from '../../domain/valuation/stock-inputs.ts'
import type { Moment, PoolFacts } from '../../domain/valuation/value-pool.ts'
import type { Model } from '../model/model.ts'
import { type ListedPool, otherOf, stockOf, toStoredPool } from '../model/model-pool.ts'

/** What all pools share at one moment: the clock, the index's head, and every token's reference. */
export type MomentFacts = {
  readonly moment: Moment
  readonly session: MarketSession
  readonly stocks: ReadonlyMap<Address, StockFacts>
  readonly trusted: ReadonlyMap<Address, ReferenceReading>
}

const isSameReference = (a: Reference | null, b: Reference | null): boolean =>
  a?.usd === b?.usd &&
  a?.source === b?.source &&
  a?.fresh === b?.fresh &&
  a?.independent === b?.independent

/** Leaves the publisher's time out: what follows from it is `fresh`, and no pool shows it. */
const isSameReading = (a: ReferenceReading, b: ReferenceReading): boolean =>
  isSameReference(a.reference, b.reference) &&
  isSameReference(a.lastOutside, b.lastOutside) &&
  a.conflict === b.conflict &&
  a.clockAhead === b.clockAhead

const isSameStock = (a: StockFacts, b: StockFacts): boolean =>
  isSameReading(a.reading, b.reading) &&
  a.symbol === b.symbol &&
  a.session === b.session &&
  a.halted === b.halted &&
  a.oraclePaused === b.oraclePaused &&
  a.multiplierPending === b.multiplierPending

/** What is of before where it says the same, so that "unchanged" is seen by identity. */
const keepEqual = <T>(
  before: ReadonlyMap<Address, T> | undefined,
  next: ReadonlyMap<Address, T>,
  isSame: (a: T, b: T) => boolean,
): ReadonlyMap<Address, T> => {
  if (before === undefined) return next
  const kept = new Map<Address, T>()
  let isNews = before.size !== next.size
  for (const [address, value] of next) {
    const old = before.get(address)
    const isKept = old !== undefined && isSame(old, value)
    kept.set(address, isKept ? old : value)
    isNews ||= !isKept
  }
  return isNews ? kept : before
}

export type FactsContext = {
  readonly trusted: readonly TrustedToken[]
  readonly policy: Policy
  readonly now: UnixSeconds
}

/** The facts of a model at one moment. `before` makes unchanged ones the same objects as then. */
export const momentFactsOf = (
  model: Model,
  { trusted, policy, now }: FactsContext,
  before: MomentFacts | null,
): MomentFacts => {
  const { indexed, enrichedTs } = model.header
  const asOf = { block: indexed?.block ?? 0, ts: indexed?.ts ?? 0 }
  const session = sessionAt(now)
  const quotesOf = (address: Address) => model.quotes.get(address) ?? []
  const stocks = new Map<Address, StockFacts>()
  for (const stock of model.stocks.values()) {
    const quotes = quotesOf(stock.address)
    stocks.set(stock.address, stockFactsOf({ stock, quotes, session, policy, now }))
  }
  const readings = new Map<Address, ReferenceReading>()
  for (const { address } of trusted) {
    readings.set(address, trustedReferenceOf({ quotes: quotesOf(address), policy, now }))
  }
  return {
    moment: { now, asOf, enrichedTs, policy },
    session,
    stocks: keepEqual(before?.stocks, stocks, isSameStock),
    trusted: keepEqual(before?.trusted, readings, isSameReading),
  }
}

/** The parts of a pool's facts that are not its own; compared by identity. */
export type SharedFacts = Pick<PoolFacts, 'stock' | 'other' | 'otherStock'>

const factsOfStock = (address: Address, facts: MomentFacts): StockFacts => {
  const stock = facts.stocks.get(address)
  if (stock === undefined) throw new Error(`a listed pool's stock ${address} is not known`)
  return stock
}

const trustedOf = (address: Address, facts: MomentFacts): ReferenceReading =>
  facts.trusted.get(address) ?? noReference

const factsOfMemes = new WeakMap<StockFacts, SharedFacts>()

/** Most pools are of this kind: those of a stock share theirs. */
const memeFactsOf = (stock: StockFacts): SharedFacts => {
  const facts = factsOfMemes.get(stock) ?? { stock, other: null, otherStock: null }
  factsOfMemes.set(stock, facts)
  return facts
}

export const sharedFactsOf = (pool: ListedPool, facts: MomentFacts): SharedFacts => {
  const { kind } = pool.classification
  const stock = factsOfStock(stockOf(pool).address, facts)
  const otherAddress = otherOf(pool).address
  if (kind === 'meme') return memeFactsOf(stock)
  if (kind === 'canonical') {
    return { stock, other: trustedOf(otherAddress, facts), otherStock: null }
  }
  const otherStock = factsOfStock(otherAddress, facts)
  return { stock, other: otherStock.reading, otherStock }
}

export const isSameShared = (a: SharedFacts, b: SharedFacts): boolean =>
  a.stock === b.stock && a.other === b.other && a.otherStock === b.otherStock

export const poolFactsOf = (pool: ListedPool, shared: SharedFacts): PoolFacts => ({
  pool: toStoredPool(pool),
  sides: pool.classification,
  decimals0: pool.token0.decimals,
  decimals1: pool.token1.decimals,
  otherSymbol: otherOf(pool).symbol,
  volume: pool.volume,
  fallback: pool.hearsay.fallback,
  stock: shared.stock,
  other: shared.other,
  otherStock: shared.otherStock,
})
