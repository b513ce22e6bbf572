import type { QuotePublisher } from '../price/quote.ts'
import type { DataStatus, StatusReason } from '../status/data-status.ts'
import type { MarketSession } from '../stock/market-session.ts'
import type { Address, PoolId, UnixSeconds } from '../units.ts'
import type { PoolView } from './pool.ts'

export type StockPoolCounts = {
  readonly total: number
  readonly active: number
  readonly canonical: number
  readonly meme: number
  readonly stockStock: number
}

export type StockView = {
  readonly symbol: string
  readonly name: string
  readonly address: Address
  readonly decimals: number
  readonly issuer: string | null
  /** Shares per token as decimal text with 18 places; null when never read. */
  readonly multiplier: string | null
  readonly pendingMultiplier: string | null
  readonly multiplierEffectiveTs: UnixSeconds | null
  /** US dollars per share. */
  readonly quoteUsd: number | null
  readonly quoteBid: number | null
  readonly quoteAsk: number | null
  readonly quoteTs: UnixSeconds | null
  readonly quoteSource: QuotePublisher | null
  /** US dollars per token: quoteUsd times the multiplier. */
  readonly tokenUsd: number | null
  /** Chainlink's answer, US dollars per token. */
  readonly oracleUsd: number | null
  readonly oracleTs: UnixSeconds | null
  readonly marketSession: MarketSession
  readonly tradingHalt: boolean | null
  readonly oraclePaused: boolean | null
  /** The best canonical pool's price, US dollars per token. */
  readonly poolPriceUsd: number | null
  readonly bestPoolId: PoolId | null
  readonly premiumBps: number | null
  readonly driftBps: number | null
  readonly pools: StockPoolCounts
  readonly liquidityUsd: number | null
  readonly vol24hUsd: number | null
  /** Of the pools whose traders are known (methodology §5), as is the share. */
  readonly vol24hFilteredUsd: number | null
  readonly washShare24h: number | null
  readonly dataStatus: DataStatus
  readonly statusReasons: readonly StatusReason[]
}

export type StockSeriesRow = {
  readonly ts: UnixSeconds
  /** US dollars per token. */
  readonly referenceUsd: number | null
  readonly poolPriceUsd: number | null
  readonly premiumBps: number | null
  readonly closed: boolean
}

export type StockDetailView = {
  readonly stock: StockView
  readonly series: readonly StockSeriesRow[]
  readonly pools: readonly PoolView[]
}
