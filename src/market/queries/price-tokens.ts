import type { TrustedToken } from '../../domain/token/trusted-token.ts'
import type { Address } from '../../domain/units.ts'
import {
  type PricedPool,
  priceMeme,
  priceQuoteToken,
  priceStock,
  priceUnknownToken,
} from '../../domain/valuation/price-token.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { StockView } from '../../domain/views/stock.ts'
import type { TokenPriceView } from '../../domain/views/token-price.ts'
import { getByNumber } from '../model/chunked-table.ts'
import { otherTokenOf } from '../model/model-pool.ts'
import { findRows, type PoolRow } from '../valuation/pool-rows.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'

/** Pools of a meme that are looked at, the deepest first: hooks may spoil some of them. */
const memePoolsMax = 8

const toStockPool = (view: PoolView): PricedPool => ({
  id: view.id,
  usd: view.stockPriceUsd,
  depthUsd: view.depthUsd,
  ts: view.stateTs,
  reasons: view.statusReasons,
})

/** As old as the stock's reference, which turns the pool's price into dollars. */
const toMemePool = (view: PoolView, { shared }: PoolRow): PricedPool => {
  const quotedTs = shared.stock.reading.reference?.publishedTs ?? null
  const ts = view.stateTs === null || quotedTs === null ? null : Math.min(view.stateTs, quotedTs)
  return { ...toStockPool(view), usd: view.otherPriceUsd, ts }
}

const compareDepth = (a: PoolRow, b: PoolRow): number =>
  (b.depthUsd ?? -1) - (a.depthUsd ?? -1) || (a.pool.id < b.pool.id ? -1 : 1)

const isSpoiled = ({ statusReasons }: PoolView): boolean =>
  statusReasons.includes('hook_unreviewed') || statusReasons.includes('fee_excessive')

/** The prices of tokens in one valued market, each computed once (docs/methodology.md §13). */
export const priceTokens = (
  { model, inputs, rows, viewOf, stocks }: ValuedMarket,
  trusted: readonly TrustedToken[],
  addresses: readonly Address[],
): readonly TokenPriceView[] => {
  const { now } = inputs.context
  const listed = new Map(stocks().map((stock) => [stock.address, stock]))
  const symbols = new Map(trusted.map(({ address, symbol }) => [address, symbol]))

  const bestPoolOf = ({ bestPoolId }: StockView): PricedPool | null => {
    const number = bestPoolId === null ? undefined : model.numberOf(bestPoolId)
    const row = number === undefined ? undefined : getByNumber(rows, number)
    return row === undefined ? null : toStockPool(viewOf(row))
  }

  const priceOfMeme = (address: Address): TokenPriceView | null => {
    const own = findRows(rows, model.numbersWith(address)).toSorted(compareDepth)
    const [first] = own
    if (first === undefined) return null
    const { symbol } = otherTokenOf(first.pool)
    const usable = own.filter(({ active }) => active).slice(0, memePoolsMax)
    const found = usable.find((row) => !isSpoiled(viewOf(row))) ?? usable[0]
    const pool = found === undefined ? null : toMemePool(viewOf(found), found)
    return priceMeme({ address, symbol, session: inputs.session }, pool, now)
  }

  const priceOf = (address: Address): TokenPriceView => {
    const stock = listed.get(address)
    const stockInputs = inputs.stocks.get(address)
    if (stock !== undefined && stockInputs !== undefined) {
      const isVerified = model.stocks.get(address)?.verdict === 'verified'
      return priceStock({ ...stockInputs, isVerified }, bestPoolOf(stock), now)
    }
    const reading = inputs.trusted.get(address)
    if (reading !== undefined) {
      return priceQuoteToken({ address, symbol: symbols.get(address) ?? '' }, reading, now)
    }
    return priceOfMeme(address) ?? priceUnknownToken(address)
  }

  const prices = new Map([...new Set(addresses)].map((address) => [address, priceOf(address)]))
  return addresses.map((address) => prices.get(address) ?? priceUnknownToken(address))
}
