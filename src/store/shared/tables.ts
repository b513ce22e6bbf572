import type { BlockRef } from '../../domain/chain/block-ref.ts'
import {
  type Candle,
  type CandleWidth,
  candleWidths,
  type PlacedChange,
  type ReferencePoint,
  type StoredLiquidityChange,
  type StoredSwap,
  type StoredTick,
  type TradedSum,
} from '../../domain/pool/stored-rows.ts'
import { type Quote, quoteExpiryReasons, quoteSourceIds } from '../../domain/price/quote.ts'
import { known, type Reading, unknown } from '../../domain/reading.ts'
import { type PoolSearch, searchKinds } from '../../domain/status/pool-search.ts'
import { type SourceRecord, sourceIds } from '../../domain/status/source-state.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type {
  BootstrapState,
  ExternalReserve,
  StoredToken,
  SwapTransaction,
  TickMapCursor,
} from '../../ports/store-batches.ts'
import {
  bigint,
  type Codec,
  flag,
  hex,
  integer,
  oneOf,
  orNull,
  real,
  text,
  usdMicro,
  word,
} from './codec.ts'
import { type Table, table } from './table.ts'

const priceSource = oneOf(quoteSourceIds)

const candleWidth: Codec<CandleWidth> = {
  form: { ...integer.form, only: candleWidths },
  toColumn: integer.toColumn,
  fromColumn: (column) => {
    const width = candleWidths.find((known) => known === column)
    if (width === undefined) throw new TypeError(`store: no candle is ${String(column)} s wide`)
    return width
  },
}

export const blocks = table<BlockRef>('blocks', { block: integer, hash: hex, ts: integer })

export const swaps = table<StoredSwap>('swaps', {
  pool: integer,
  block: integer,
  logIndex: integer,
  ts: integer,
  txHash: hex,
  amount0: bigint,
  amount1: bigint,
  sqrtPriceX96: bigint,
  liquidity: bigint,
  tick: integer,
  fee: orNull(integer),
  sender: hex,
  recipient: orNull(hex),
  usdMicro: orNull(usdMicro),
  estimated: flag,
  implausible: flag,
  txIndex: orNull(integer),
  trader: orNull(hex),
  lpFee: orNull(integer),
  feeYield: orNull(integer),
})

/** Some columns of `swaps`. */
export const swapTransactions = table<SwapTransaction>('swaps', {
  pool: integer,
  block: integer,
  logIndex: integer,
  ts: integer,
  txHash: hex,
  trader: orNull(hex),
})

export const liquidityChanges = table<StoredLiquidityChange>('liquidity_changes', {
  pool: integer,
  block: integer,
  logIndex: integer,
  ts: integer,
  txHash: hex,
  tickLower: integer,
  tickUpper: integer,
  liquidityDelta: bigint,
  txIndex: orNull(integer),
  owner: orNull(hex),
  sender: orNull(hex),
  salt: orNull(word),
})

/** Columns of `liquidity_changes`. */
export const placedChanges = table<PlacedChange>('liquidity_changes', {
  block: integer,
  logIndex: integer,
  tickLower: integer,
  tickUpper: integer,
  liquidityDelta: bigint,
})

export const ticks = table<StoredTick>('ticks', {
  pool: integer,
  tick: integer,
  net: bigint,
  gross: bigint,
})

export const candles = table<Candle>('candles', {
  pool: integer,
  width: candleWidth,
  ts: integer,
  open: real,
  high: real,
  low: real,
  close: real,
  usdMicro,
  swaps: integer,
  unpriced: integer,
  estimated: integer,
  implausible: integer,
  reserve0: orNull(real),
  reserve1: orNull(real),
  feeYield: usdMicro,
  yielded: integer,
})

/** Columns of `candles`, in the order of their query. */
export const tradedSums = table<TradedSum>('candles', {
  pool: integer,
  ts: integer,
  usdMicro,
  swaps: integer,
  unpriced: integer,
})

export const referencePoints = table<ReferencePoint>('reference_points', {
  address: hex,
  width: candleWidth,
  ts: integer,
  usd: real,
  source: priceSource,
})

export const quotes = table<Quote>('quotes', {
  address: hex,
  source: priceSource,
  per: oneOf(['share', 'token']),
  bid: orNull(real),
  ask: orNull(real),
  last: orNull(real),
  publishedTs: integer,
  fetchedTs: integer,
  halted: flag,
  haltTs: orNull(integer),
  lapse: orNull(oneOf(quoteExpiryReasons)),
  acceptedUsd: orNull(real),
  acceptedTs: orNull(integer),
  jumpUsd: orNull(real),
  jumpTs: orNull(integer),
  jumpUpdates: orNull(integer),
  pools: orNull(integer),
})

export const reserves = table<ExternalReserve>('reserves', {
  pool: integer,
  source: oneOf(['balance', 'screener']),
  amount0: orNull(real),
  amount1: orNull(real),
  liquidityUsd: orNull(real),
  ts: integer,
})

export const stocks = table<Stock>('stocks', {
  address: hex,
  symbol: text,
  name: text,
  issuer: orNull(text),
  decimals: integer,
  feed: orNull(hex),
  verdict: oneOf(['verified', 'disproven', 'unknown']),
  multiplier: orNull(bigint),
  pendingMultiplier: orNull(bigint),
  multiplierEffectiveTs: orNull(integer),
  multiplierAlias: flag,
  oraclePaused: orNull(flag),
  readTs: orNull(integer),
  readFailed: flag,
})

export const searches = table<PoolSearch>('searched', {
  address: hex,
  kind: oneOf(searchKinds),
  fromBlock: integer,
  done: integer,
  total: integer,
})

export const sources = table<SourceRecord>('sources', {
  source: oneOf(sourceIds),
  enabled: flag,
  lastAttemptTs: orNull(integer),
  lastSuccessTs: orNull(integer),
  lastError: orNull(text),
  partial: flag,
  failures: integer,
})

const rows = table('tokens', {
  address: hex,
  symbol: orNull(text),
  symbolFault: orNull(text),
  name: orNull(text),
  nameFault: orNull(text),
  decimals: orNull(integer),
  decimalsFault: orNull(text),
})

const knownValue = <T>(reading: Reading<T>): T | null => (reading.known ? reading.value : null)

const unknownReason = <T>(reading: Reading<T>): string | null =>
  reading.known ? null : reading.reason

const toReading = <T>(value: T | null, fault: string | null): Reading<T> => {
  if (value !== null) return known(value)
  if (fault !== null) return unknown(fault)
  throw new TypeError('store: a token field has neither a value nor a fault')
}

/** One reading per number, shared by all tokens: `decimals()` returns a byte. */
const knownDecimals = Array.from({ length: 256 }, (_, decimals) => known(decimals))

const toDecimals = (decimals: number | null, fault: string | null): Reading<number> =>
  knownDecimals[decimals ?? -1] ?? toReading(decimals, fault)

/** A row holds each field's value or, in a second column, the reason why it is unknown. */
export const tokens: Table<StoredToken> = {
  name: rows.name,
  columns: rows.columns,
  forms: rows.forms,
  toRow: ({ address, symbol, name, decimals }) =>
    rows.toRow({
      address,
      symbol: knownValue(symbol),
      symbolFault: unknownReason(symbol),
      name: knownValue(name),
      nameFault: unknownReason(name),
      decimals: knownValue(decimals),
      decimalsFault: unknownReason(decimals),
    }),
  fromRow: (columns) => {
    const row = rows.fromRow(columns)
    return {
      address: row.address,
      symbol: toReading(row.symbol, row.symbolFault),
      name: toReading(row.name, row.nameFault),
      decimals: toDecimals(row.decimals, row.decimalsFault),
    }
  },
}

/** The one row of an unfinished bootstrap. */
export type BootstrapRow = {
  readonly steps: number
  readonly toBlock: number
  readonly toHash: BootstrapState['to']['hash']
  readonly toTs: number
  readonly foundTo: number
}

export const bootstrapTable = table<BootstrapRow>('first_reading', {
  steps: integer,
  toBlock: integer,
  toHash: hex,
  toTs: integer,
  foundTo: integer,
})

export const tickMapCursors = table<TickMapCursor>('first_maps', {
  pool: integer,
  mappedTo: integer,
})

export const toBootstrapState = ({ steps, toBlock, toHash, toTs, foundTo }: BootstrapRow) => ({
  steps,
  to: { block: toBlock, hash: toHash, ts: toTs },
  discoveredTo: foundTo,
})

export const bootstrapUpsert = `ON CONFLICT (id) DO UPDATE SET
  ${bootstrapTable.columns.map((name) => `${name} = excluded.${name}`).join(', ')}`
