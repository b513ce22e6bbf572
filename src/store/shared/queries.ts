import { usdMicroMax } from '../../domain/pool/stored-rows.ts'
import type { VolumeSum } from '../../ports/store-batches.ts'
import { hex, integer } from './codec.ts'
import { poolColumns, poolIdentities } from './pool-table.ts'
import { type Column, column, columnList, type Row } from './table.ts'
import {
  blocks,
  bootstrapTable,
  candles,
  liquidityChanges,
  quotes,
  referencePoints,
  reserves,
  sources,
  stocks,
  swaps,
  tickMapCursors,
  ticks,
  tokens,
} from './tables.ts'

/**
 * One swap may claim nearly 2^53 of them, so that a few are more than a number holds, and some
 * more than the engines' integers do: the halves are summed up apart.
 */
const lowerHalf = 2 ** 27

export const usdMicroSum = `COALESCE(SUM(usd_micro / ${lowerHalf}), 0),
      COALESCE(SUM(usd_micro % ${lowerHalf}), 0)`

/** In the order that `volumeSums` reads, after the pool. */
export const sumsOfSwaps = `${usdMicroSum},
      COUNT(*), COUNT(*) - COUNT(usd_micro), SUM(estimated)`

const usdMicroOf = (higher: number, lower: number): bigint => {
  const whole = higher * lowerHalf + lower
  if (whole < usdMicroMax) return BigInt(whole)
  return BigInt(higher) * BigInt(lowerHalf) + BigInt(lower)
}

const sumOf = (row: Row): VolumeSum => ({
  pool: integer.fromColumn(row[0]),
  usdMicro: usdMicroOf(integer.fromColumn(row[1]), integer.fromColumn(row[2])),
  swaps: integer.fromColumn(row[3]),
  unpriced: integer.fromColumn(row[4]),
  estimated: integer.fromColumn(row[5]),
})

const integers = (count: number) => Array.from({ length: count }, () => ({ ...integer.form }))

export const volumeSums = { forms: integers(6), fromRow: sumOf }

/** A candle's sum ends at `usdMicroMax`: then its swaps may have come to more. */
type HourlySum = { readonly sum: VolumeSum; readonly isCut: boolean }

export const hourlySums = {
  forms: integers(7),
  fromRow: (row: Row): HourlySum => ({
    sum: sumOf(row),
    isCut: integer.fromColumn(row[6]) >= usdMicroMax,
  }),
}

/** What a query asks of a table for these columns, in their order. */
export type ListColumns = (columns: readonly Column[]) => string

/**
 * The hand-written queries. Two lean on block times never falling: what is older than a block
 * is in no later block, so an index on the one bounds a range of the other.
 */
export const buildQueries = (list: ListColumns) => ({
  poolsChangedAfter: `SELECT ${list(poolColumns)} FROM pools
    WHERE revision > ? ORDER BY revision, number`,
  tokensChangedAfter: `SELECT ${list(tokens.forms)} FROM tokens
    WHERE revision > ? ORDER BY revision, address`,
  stocksChangedAfter: `SELECT ${list(stocks.forms)} FROM stocks
    WHERE revision > ? ORDER BY revision, address`,
  quotes: `SELECT ${list(quotes.forms)} FROM quotes ORDER BY address, source`,
  reserves: `SELECT ${list(reserves.forms)} FROM reserves ORDER BY pool, source`,
  sources: `SELECT ${list(sources.forms)} FROM sources ORDER BY source`,
  searched: `SELECT ${list([column('address', hex)])} FROM searched ORDER BY address`,
  volume: `SELECT pool, ${sumsOfSwaps} FROM swaps
    WHERE ts > ? AND ts <= ? AND block > ? GROUP BY pool ORDER BY pool`,
  volumeOfPool: `SELECT pool, ${sumsOfSwaps} FROM swaps
    WHERE pool = ? AND ts >= ? AND ts < ? AND block >
      COALESCE((SELECT block FROM swaps WHERE ts < ? ORDER BY ts DESC LIMIT 1), -1)
    GROUP BY pool`,
  // From pool to pool: a few of its hours stand side by side, among all that were ever kept.
  hourlyVolume: `SELECT number, ${usdMicroSum},
      SUM(swaps), SUM(unpriced), SUM(estimated), MAX(usd_micro)
    FROM pools CROSS JOIN candles
    WHERE pool = number AND width = 3600 AND ts >= ? AND ts < ? AND swaps > 0
    GROUP BY number ORDER BY number`,
  candles: `SELECT ${list(candles.forms)} FROM candles
    WHERE pool = ? AND width = ? AND ts >= ? AND ts <= ? ORDER BY ts`,
  candleBefore: `SELECT ${list(candles.forms)} FROM candles
    WHERE pool = ? AND width = ? AND ts < ? ORDER BY ts DESC LIMIT 1`,
  swaps: `SELECT ${list(swaps.forms)} FROM swaps
    WHERE pool = ? AND ts >= ? AND block >
      COALESCE((SELECT block FROM swaps WHERE ts < ? ORDER BY ts DESC LIMIT 1), -1)
    ORDER BY block DESC, log_index DESC LIMIT ?`,
  references: `SELECT ${list(referencePoints.forms)} FROM reference_points
    WHERE address = ? AND width = ? AND ts >= ? AND ts <= ? ORDER BY ts`,
  referenceBefore: `SELECT ${list(referencePoints.forms)} FROM reference_points
    WHERE address = ? AND width = ? AND ts < ? ORDER BY ts DESC LIMIT 1`,
  /** Every token, every pool and every tick of every pool, page by page. */
  tokenPage: `SELECT ${list(tokens.forms)} FROM tokens WHERE address > ? ORDER BY address LIMIT ?`,
  poolPage: `SELECT ${list(poolColumns)} FROM pools WHERE number > ? ORDER BY number LIMIT ?`,
  tickPage: `SELECT ${list(ticks.forms)} FROM ticks
    WHERE (pool, tick) > (?, ?) ORDER BY pool, tick LIMIT ?`,
})

export type Queries = ReturnType<typeof buildQueries>

/** With every column as it stands. */
export const queries = buildQueries((columns) => columns.map(({ name }) => name).join(', '))

/**
 * Block times never fall: blocks of a range are between the times of the kept blocks around it,
 * and an index by time finds what has none by block.
 */
export const branchQueries = {
  anchor: `SELECT ${columnList(blocks)} FROM blocks WHERE block <= ? ORDER BY block DESC LIMIT 1`,
  anchorFrom: `SELECT ${columnList(blocks)} FROM blocks WHERE block >= ? ORDER BY block LIMIT 1`,
  blocks: `SELECT ${columnList(blocks)} FROM blocks WHERE block >= ? AND block <= ? ORDER BY block`,
  pools: `SELECT ${columnList(poolIdentities)} FROM pools
    WHERE created_block >= ? AND created_block <= ? ORDER BY created_block, number`,
  swaps: `SELECT ${columnList(swaps)} FROM swaps
    WHERE ts >= ? AND ts <= ? AND block >= ? AND block <= ?`,
  liquidity: `SELECT ${columnList(liquidityChanges)} FROM liquidity_changes
    WHERE block >= ? AND block <= ? ORDER BY block, log_index`,
  // A pool that was given a price above the ancestor and nothing else has a candle there too.
  touchedCandles: 'SELECT pool FROM candles WHERE width = 60 AND ts >= ?',
  touchedLiquidity: 'SELECT pool FROM liquidity_changes WHERE block > ?',
  lastSwap: `SELECT ${columnList(swaps)} FROM swaps
    WHERE pool = ? AND block <= ? ORDER BY block DESC, log_index DESC LIMIT 1`,
  changes: `SELECT ${columnList(liquidityChanges)} FROM liquidity_changes
    WHERE pool = ? ORDER BY block, log_index`,
} as const

/** What a branch leaves behind, by the time and the number of its ancestor or by its pools. */
export const removalQueries = {
  // The index by time, because there is none by block; times never fall.
  swaps: 'DELETE FROM swaps WHERE ts >= ? AND block > ?',
  liquidity: 'DELETE FROM liquidity_changes WHERE block > ?',
  blocks: 'DELETE FROM blocks WHERE block > ?',
  candles: 'DELETE FROM candles WHERE pool = ? AND width = ? AND ts >= ?',
  createdTicks: `DELETE FROM ticks WHERE pool IN
    (SELECT number FROM pools WHERE created_block > ?)`,
  createdCandles: `DELETE FROM candles WHERE pool IN
    (SELECT number FROM pools WHERE created_block > ?)`,
  createdReserves: `DELETE FROM reserves WHERE pool IN
    (SELECT number FROM pools WHERE created_block > ?)`,
  pools: 'DELETE FROM pools WHERE created_block > ?',
} as const

/** Oldest first by an index, so that a chunk never looks at more rows than it removes. */
export const pruneQueries = {
  swaps: `DELETE FROM swaps WHERE (pool, block, log_index) IN
    (SELECT pool, block, log_index FROM swaps WHERE ts < ? ORDER BY ts LIMIT ?)`,
  // The indexed block is the fence, however old it is.
  blocks: `DELETE FROM blocks WHERE ts < ? AND block < (SELECT indexed_block FROM header)
    AND block IN (SELECT block FROM blocks ORDER BY block LIMIT ?)`,
  candles: `DELETE FROM candles WHERE (pool, width, ts) IN
    (SELECT pool, width, ts FROM candles WHERE width = 60 AND ts < ? ORDER BY ts LIMIT ?)`,
  references: `DELETE FROM reference_points WHERE (address, width, ts) IN
    (SELECT address, width, ts FROM reference_points
      WHERE width = 60 AND ts < ? ORDER BY ts LIMIT ?)`,
} as const

export const bootstrapQueries = {
  standing: `SELECT ${columnList(bootstrapTable)} FROM first_reading WHERE id = 1`,
  maps: `SELECT ${columnList(tickMapCursors)} FROM first_maps ORDER BY pool`,
} as const

/** The kept changes after a block, newest first. */
export const liquidityAfterQuery = `SELECT ${columnList(liquidityChanges)} FROM liquidity_changes
  WHERE block > ? ORDER BY block DESC, log_index DESC`

/** What an insertion does where the key is there already; as `mergeCandles` of the domain does. */

/** The stored half is the earlier one; a half without a swap has no say but for the reserves. */
export const candleUpsert = `
  ON CONFLICT (pool, width, ts) DO UPDATE SET
    open = CASE WHEN candles.swaps = 0 AND excluded.swaps > 0
      THEN excluded.open ELSE candles.open END,
    high = CASE WHEN excluded.swaps = 0 THEN candles.high
      WHEN candles.swaps = 0 OR excluded.high > candles.high
      THEN excluded.high ELSE candles.high END,
    low = CASE WHEN excluded.swaps = 0 THEN candles.low
      WHEN candles.swaps = 0 OR excluded.low < candles.low
      THEN excluded.low ELSE candles.low END,
    close = excluded.close,
    usd_micro = CASE WHEN candles.usd_micro + excluded.usd_micro > ${usdMicroMax}
      THEN ${usdMicroMax} ELSE candles.usd_micro + excluded.usd_micro END,
    swaps = candles.swaps + excluded.swaps,
    unpriced = candles.unpriced + excluded.unpriced,
    estimated = candles.estimated + excluded.estimated,
    reserve0 = excluded.reserve0,
    reserve1 = excluded.reserve1`

/** The stored half is the later one: the same as `candleMerge` with the halves changed round. */
export const earlierCandleUpsert = `
  ON CONFLICT (pool, width, ts) DO UPDATE SET
    open = CASE WHEN excluded.swaps = 0 AND candles.swaps > 0
      THEN candles.open ELSE excluded.open END,
    high = CASE WHEN candles.swaps = 0 THEN excluded.high
      WHEN excluded.swaps = 0 OR candles.high > excluded.high
      THEN candles.high ELSE excluded.high END,
    low = CASE WHEN candles.swaps = 0 THEN excluded.low
      WHEN excluded.swaps = 0 OR candles.low < excluded.low
      THEN candles.low ELSE excluded.low END,
    usd_micro = CASE WHEN candles.usd_micro + excluded.usd_micro > ${usdMicroMax}
      THEN ${usdMicroMax} ELSE candles.usd_micro + excluded.usd_micro END,
    swaps = candles.swaps + excluded.swaps,
    unpriced = candles.unpriced + excluded.unpriced,
    estimated = candles.estimated + excluded.estimated`

/** A source of a higher rank is not replaced, and what would stay as it is counts as no change. */
export const referenceUpsert = `
  ON CONFLICT (address, width, ts) DO UPDATE SET
    usd = excluded.usd, source = excluded.source, rank = excluded.rank
  WHERE excluded.rank >= reference_points.rank AND
    (excluded.usd <> reference_points.usd OR excluded.source <> reference_points.source)`
