import type { ReviewedHooks } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import type { Venues } from '../../domain/dex/venue.ts'
import {
  noReferencePrice,
  type ReferencePrice,
  type ReferenceResult,
  selectTrustedReference,
} from '../../domain/price/reference-price.ts'
import type { Policy } from '../../domain/status/freshness.ts'
import { type MarketSession, sessionAt } from '../../domain/stock/market-session.ts'
import type { StandardOf } from '../../domain/stock/stock-standard.ts'
import { isDollarToken, type TrustedToken } from '../../domain/token/trusted-token.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import type { PoolInputs, ValuationContext } from '../../domain/valuation/pool-inputs.ts'
import {
  buildStockInputs,
  type StockInputs,
  wrapStockInputs,
} from '../../domain/valuation/stock-inputs.ts'
import { type ListedPool, otherTokenOf, stockTokenOf, toStoredPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'

/** Inputs that all pools share at one time: the context and every token's reference price. */
export type MarketInputs = {
  readonly context: ValuationContext
  readonly session: MarketSession
  readonly stocks: ReadonlyMap<Address, StockInputs>
  readonly trusted: ReadonlyMap<Address, ReferenceResult>
}

const isSameReference = (a: ReferencePrice | null, b: ReferencePrice | null): boolean =>
  a?.usd === b?.usd &&
  a?.source === b?.source &&
  a?.fresh === b?.fresh &&
  a?.independent === b?.independent

/** Ignores the publication time: pools depend on it through `fresh` only. */
const isSameReading = (a: ReferenceResult, b: ReferenceResult): boolean =>
  isSameReference(a.reference, b.reference) &&
  isSameReference(a.lastExternal, b.lastExternal) &&
  a.conflict === b.conflict &&
  a.unconfirmed === b.unconfirmed &&
  a.clockAhead === b.clockAhead

const isSameStock = (a: StockInputs, b: StockInputs): boolean =>
  isSameReading(a.reading, b.reading) &&
  a.symbol === b.symbol &&
  a.session === b.session &&
  a.halted === b.halted &&
  a.oraclePaused === b.oraclePaused &&
  a.multiplierPending === b.multiplierPending &&
  a.multiplierOld === b.multiplierOld

/** Reuses equal previous values, so that identity shows what is unchanged. */
const keepEqual = <T>(
  before: ReadonlyMap<Address, T> | undefined,
  next: ReadonlyMap<Address, T>,
  isSame: (a: T, b: T) => boolean,
): ReadonlyMap<Address, T> => {
  if (before === undefined) return next
  const merged = new Map<Address, T>()
  let isChanged = before.size !== next.size
  for (const [address, value] of next) {
    const old = before.get(address)
    const isEqual = old !== undefined && isSame(old, value)
    merged.set(address, isEqual ? old : value)
    isChanged ||= !isEqual
  }
  return isChanged ? merged : before
}

export type InputsContext = {
  readonly trusted: readonly TrustedToken[]
  readonly policy: Policy
  readonly reviewedHooks: ReviewedHooks
  readonly venues: Venues
  readonly standardOf: StandardOf
  readonly now: UnixSeconds
}

/** Null while the asset of a wrapper is no stock. */
export const assetInputs = (
  asset: Address,
  given: { readonly model: ReadModel; readonly stocks: ReadonlyMap<Address, StockInputs> },
): StockInputs | null => {
  const verdict = given.model.stocks.get(asset)?.verdict ?? 'disproven'
  return verdict === 'disproven' ? null : (given.stocks.get(asset) ?? null)
}

/** Builds the inputs of a model at one time. Values equal to those of `before` keep identity. */
export const buildMarketInputs = (
  model: ReadModel,
  { trusted, policy, reviewedHooks, venues, standardOf, now }: InputsContext,
  before: MarketInputs | null,
): MarketInputs => {
  const { cursor, enrichedTs } = model.header
  const asOf = { block: cursor?.block ?? 0, ts: cursor?.ts ?? 0 }
  const session = sessionAt(now)
  const quotesOf = (address: Address) => model.quotes.get(address) ?? []
  const stocks = new Map<Address, StockInputs>()
  for (const stock of model.stocks.values()) {
    const quotes = quotesOf(stock.address)
    stocks.set(stock.address, buildStockInputs({ stock, quotes, session, policy, now }))
  }
  for (const stock of model.stocks.values()) {
    const { wraps } = standardOf(stock.address)
    if (wraps === null) continue
    const asset = assetInputs(wraps.asset, { model, stocks })
    const own = stocks.get(stock.address)
    if (asset !== null) stocks.set(stock.address, wrapStockInputs(stock, { asset, now }))
    else if (own !== undefined) stocks.set(stock.address, { ...own, reading: noReferencePrice })
  }
  const references = new Map<Address, ReferenceResult>()
  for (const token of trusted) {
    const quotes = quotesOf(token.address)
    const isDollar = isDollarToken(token)
    references.set(token.address, selectTrustedReference({ quotes, isDollar, policy, now }))
  }
  return {
    context: { now, asOf, enrichedTs, policy, reviewedHooks, venues, standardOf },
    session,
    stocks: keepEqual(before?.stocks, stocks, isSameStock),
    trusted: keepEqual(before?.trusted, references, isSameReading),
  }
}

/** A pool's inputs from its tokens; compared by identity. */
export type SharedInputs = Pick<PoolInputs, 'stock' | 'other' | 'otherStock'>

const stockInputsOf = (address: Address, inputs: MarketInputs): StockInputs => {
  const stock = inputs.stocks.get(address)
  if (stock === undefined)
    throw new Error(`no inputs of stock ${address}, which a listed pool holds`)
  return stock
}

const trustedOf = (address: Address, inputs: MarketInputs): ReferenceResult =>
  inputs.trusted.get(address) ?? noReferencePrice

const memeInputs = new WeakMap<StockInputs, SharedInputs>()

/** Most pools are meme pools: those of one stock share one object. */
const memeInputsOf = (stock: StockInputs): SharedInputs => {
  const inputs = memeInputs.get(stock) ?? { stock, other: null, otherStock: null }
  memeInputs.set(stock, inputs)
  return inputs
}

export const sharedInputsOf = (pool: ListedPool, inputs: MarketInputs): SharedInputs => {
  const { kind } = pool.classification
  const stock = stockInputsOf(stockTokenOf(pool).address, inputs)
  const otherAddress = otherTokenOf(pool).address
  if (kind === 'meme') return memeInputsOf(stock)
  if (kind === 'canonical') {
    return { stock, other: trustedOf(otherAddress, inputs), otherStock: null }
  }
  const otherStock = stockInputsOf(otherAddress, inputs)
  return { stock, other: otherStock.reading, otherStock }
}

export const isSameShared = (a: SharedInputs, b: SharedInputs): boolean =>
  a.stock === b.stock && a.other === b.other && a.otherStock === b.otherStock

export const toPoolInputs = (pool: ListedPool, shared: SharedInputs): PoolInputs => ({
  pool: toStoredPool(pool),
  classification: pool.classification,
  decimals0: pool.token0.decimals,
  decimals1: pool.token1.decimals,
  otherSymbol: otherTokenOf(pool).symbol,
  otherImitates: otherTokenOf(pool).imitates,
  volume: pool.volume,
  fallback: pool.external.fallback,
  stock: shared.stock,
  other: shared.other,
  otherStock: shared.otherStock,
})
