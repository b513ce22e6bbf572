import { usdMicroMax } from '../../domain/pool/stored-rows.ts'
import type { VolumeSum } from '../../ports/store-batches.ts'
import { integer } from './codec.ts'
import { blockBefore, blockFrom, type EngineText } from './engine-text.ts'
import { buildHistoryQueries } from './history-queries.ts'
import { poolColumns, poolIdentities } from './pool-table.ts'
import { columnList, type ListColumns, type Row } from './table.ts'
import {
  blocks,
  bootstrapTable,
  candles,
  liquidityChanges,
  quotes,
  referencePoints,
  reserves,
  searches,
  sources,
  stocks,
  swaps,
  swapTransactions,
  tickMapCursors,
  ticks,
  tokens,
} from './tables.ts'

/**
 * One swap may have nearly 2^53 micro-dollars, so that sums exceed a number and even the engines'
 * integers. The upper and lower halves are summed separately.
 */
const lowerHalf = 2 ** 27

const halvesOf = (column: string): string => `COALESCE(SUM(${column} / ${lowerHalf}), 0),
      COALESCE(SUM(${column} % ${lowerHalf}), 0)`

/** In the order that `volumeSums` reads, after the pool. */
export const sumsOfSwaps = `${halvesOf('usd_micro')},
      COUNT(*), COUNT(*) - COUNT(usd_micro), SUM(estimated), SUM(implausible),
      ${halvesOf('fee_yield')}, COUNT(fee_yield)`

/** The same of candles, and the largest of their sums. */
const sumsOfCandles = `${halvesOf('usd_micro')},
      SUM(swaps), SUM(unpriced), SUM(estimated), SUM(implausible),
      ${halvesOf('fee_yield')}, SUM(yielded),
      MAX(CASE WHEN usd_micro > fee_yield THEN usd_micro ELSE fee_yield END)`

const joinHalves = (higher: number, lower: number): bigint => {
  const whole = higher * lowerHalf + lower
  if (whole < usdMicroMax) return BigInt(whole)
  return BigInt(higher) * BigInt(lowerHalf) + BigInt(lower)
}

const toVolumeSum = (row: Row): VolumeSum => ({
  pool: integer.fromColumn(row[0]),
  usdMicro: joinHalves(integer.fromColumn(row[1]), integer.fromColumn(row[2])),
  swaps: integer.fromColumn(row[3]),
  unpriced: integer.fromColumn(row[4]),
  estimated: integer.fromColumn(row[5]),
  implausible: integer.fromColumn(row[6]),
  feeYield: joinHalves(integer.fromColumn(row[7]), integer.fromColumn(row[8])),
  yielded: integer.fromColumn(row[9]),
})

const integers = (count: number) => Array.from({ length: count }, () => ({ ...integer.form }))

export const volumeSums = { forms: integers(10), fromRow: toVolumeSum }

/** `isCut`: a candle's sum reached `usdMicroMax`, so that the swaps may sum to more. */
type CandleSum = { readonly sum: VolumeSum; readonly isCut: boolean }

export const candleSums = {
  forms: integers(11),
  fromRow: (row: Row): CandleSum => ({
    sum: toVolumeSum(row),
    isCut: integer.fromColumn(row[10]) >= usdMicroMax,
  }),
}

const buildVolumeQueries = ({ timed }: EngineText) => ({
  volume: `SELECT pool, ${sumsOfSwaps} FROM swaps
    WHERE ts > ? AND ts <= ? AND block > ? GROUP BY pool ORDER BY pool`,
  volumeOfPool: `SELECT pool, ${sumsOfSwaps} FROM swaps
    WHERE pool = ? AND ts >= ? AND ts < ? AND block > ${blockBefore(timed)}
      AND block < ${blockFrom(timed)} AND block <= ?
    GROUP BY pool`,
  minuteVolume: `SELECT pool, ${sumsOfCandles}
    FROM candles WHERE pool = ? AND width = 60 AND ts >= ? AND ts < ? AND swaps > 0 GROUP BY pool`,
  // By pool first: the index holds a pool's hours side by side.
  hourlyVolume: `SELECT number, ${sumsOfCandles}
    FROM pools CROSS JOIN candles
    WHERE pool = number AND width = 3600 AND ts >= ? AND ts < ? AND swaps > 0
    GROUP BY number ORDER BY number`,
})

/**
 * The queries of snapshots. Three rely on block times never decreasing: an index by time then
 * bounds a range of blocks.
 */
export const buildQueries = (list: ListColumns, engine: EngineText) => ({
  ...buildHistoryQueries(list, engine),
  ...buildVolumeQueries(engine),
  poolsChangedAfter: `SELECT ${list(poolColumns)} FROM pools
    WHERE revision > ? ORDER BY revision, number`,
  tokensChangedAfter: `SELECT ${list(tokens.forms)} FROM tokens
    WHERE revision > ? ORDER BY revision, address`,
  poolsBetween: `SELECT ${list(poolColumns)} FROM pools
    WHERE number >= ? AND number <= ? ORDER BY number`,
  poolsById: `SELECT ${list(poolColumns)} FROM pools WHERE id >= ? AND id <= ? ORDER BY id`,
  tokensOfPools: `SELECT ${list(tokens.forms)} FROM tokens WHERE address IN (
    SELECT token0 FROM pools WHERE number >= ? AND number <= ?
    UNION SELECT token1 FROM pools WHERE number >= ? AND number <= ?)`,
  ticksOfPool: `SELECT ${list(ticks.forms)} FROM ticks WHERE pool = ? ORDER BY tick`,
  stocksChangedAfter: `SELECT ${list(stocks.forms)} FROM stocks
    WHERE revision > ? ORDER BY revision, address`,
  quotes: `SELECT ${list(quotes.forms)} FROM quotes ORDER BY address, source`,
  reserves: `SELECT ${list(reserves.forms)} FROM reserves ORDER BY pool, source`,
  sources: `SELECT ${list(sources.forms)} FROM sources ORDER BY source`,
  searched: `SELECT ${list(searches.forms)} FROM searched ORDER BY address`,
  // From the last one before a time on.
  candles: `SELECT ${list(candles.forms)} FROM candles
    WHERE pool = ? AND width = ? AND ts >= COALESCE((SELECT ts FROM candles AS earlier
        WHERE pool = ? AND width = ? AND ts < ? ORDER BY ts DESC LIMIT 1), ?)
      AND ts <= ? ORDER BY ts`,
  candleBefore: `SELECT ${list(candles.forms)} FROM candles
    WHERE pool = ? AND width = ? AND ts < ? ORDER BY ts DESC LIMIT 1`,
  swaps: `SELECT ${list(swaps.forms)} FROM swaps
    WHERE pool = ? AND ts >= ? AND block > ${blockBefore(engine.timed)} AND block <= ?
    ORDER BY block DESC, log_index DESC LIMIT ?`,
  references: `SELECT ${list(referencePoints.forms)} FROM reference_points
    WHERE address = ? AND width = ? AND ts >= COALESCE((SELECT ts FROM reference_points AS earlier
        WHERE address = ? AND width = ? AND ts < ? ORDER BY ts DESC LIMIT 1), ?)
      AND ts <= ? ORDER BY ts`,
  referenceBefore: `SELECT ${list(referencePoints.forms)} FROM reference_points
    WHERE address = ? AND width = ? AND ts < ? ORDER BY ts DESC LIMIT 1`,
  tokenPage: `SELECT ${list(tokens.forms)} FROM tokens WHERE address > ? ORDER BY address LIMIT ?`,
  poolPage: `SELECT ${list(poolColumns)} FROM pools WHERE number > ? ORDER BY number LIMIT ?`,
  tickPage: `SELECT ${list(ticks.forms)} FROM ticks
    WHERE (pool, tick) > (?, ?) ORDER BY pool, tick LIMIT ?`,
})

export type Queries = ReturnType<typeof buildQueries>

/** Selects the columns as PostgreSQL stores them. */
export const queries = buildQueries((columns) => columns.map(({ name }) => name).join(', '), {
  timed: 'TRUE',
  hex: (column) => `encode(${column}, 'hex')`,
  join: (text, mark) => `string_agg(${text}, '${mark}')`,
  // By time first, of which there is an index, and which never decreases.
  chainOrder: ['ts', 'block', 'log_index'],
  placeOf: (text, part) => `strpos(${text}, ${part})`,
  eachPool: (select) => `SELECT found.* FROM
    (SELECT value::INTEGER AS number FROM json_array_elements_text(?::JSON)) AS asked
    CROSS JOIN LATERAL (${select('asked.number')}) AS found`,
})

/**
 * Block times never decrease, so the times of the stored blocks around a range bound it: the swaps
 * of PostgreSQL have an index by time and none by block.
 */
export const branchQueries = {
  blockAtOrBelow: `SELECT ${columnList(blocks)} FROM blocks
    WHERE block <= ? ORDER BY block DESC LIMIT 1`,
  blockAtOrAbove: `SELECT ${columnList(blocks)} FROM blocks
    WHERE block >= ? ORDER BY block LIMIT 1`,
  blocks: `SELECT ${columnList(blocks)} FROM blocks WHERE block >= ? AND block <= ? ORDER BY block`,
  pools: `SELECT ${columnList(poolIdentities)} FROM pools
    WHERE created_block >= ? AND created_block <= ? ORDER BY created_block, number`,
  swaps: `SELECT ${columnList(swaps)} FROM swaps
    WHERE ts >= ? AND ts <= ? AND block >= ? AND block <= ?`,
  liquidity: `SELECT ${columnList(liquidityChanges)} FROM liquidity_changes
    WHERE block >= ? AND block <= ? ORDER BY block, log_index`,
  // Initialize events are not stored, but a pool priced above the ancestor has a candle there.
  changedCandles: 'SELECT pool FROM candles WHERE width = 60 AND ts >= ?',
  changedLiquidity: 'SELECT pool FROM liquidity_changes WHERE block > ?',
  lastSwap: `SELECT ${columnList(swaps)} FROM swaps
    WHERE pool = ? AND block <= ? ORDER BY block DESC, log_index DESC LIMIT 1`,
  changes: `SELECT ${columnList(liquidityChanges)} FROM liquidity_changes
    WHERE pool = ? ORDER BY block, log_index`,
} as const

/** Deletes a branch, by the ancestor's time and number or by pool. */
export const removalQueries = {
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
  replacements: 'DELETE FROM replacements WHERE epoch <= ?',
} as const

/** Oldest first by an index, so that a chunk reads no more rows than it deletes. */
export const pruneQueries = {
  swaps: `DELETE FROM swaps WHERE (pool, block, log_index) IN
    (SELECT pool, block, log_index FROM swaps WHERE ts < ? ORDER BY ts LIMIT ?)`,
  // The cursor's block stays, however old it is: it fences writes.
  blocks: `DELETE FROM blocks WHERE ts < ? AND block < (SELECT indexed_block FROM header)
    AND block IN (SELECT block FROM blocks ORDER BY block LIMIT ?)`,
  candles: `DELETE FROM candles WHERE (pool, width, ts) IN
    (SELECT pool, width, ts FROM candles WHERE width = 60 AND ts < ? ORDER BY ts LIMIT ?)`,
  references: `DELETE FROM reference_points WHERE (address, width, ts) IN
    (SELECT address, width, ts FROM reference_points
      WHERE width = 60 AND ts < ? ORDER BY ts LIMIT ?)`,
} as const

/** Swaps before one, in the descending order that the store's index has. */
export const swapTransactionsQuery = (order: string): string => `
  SELECT ${columnList(swapTransactions)} FROM swaps
  WHERE ts <= ? AND (block, log_index) < (?, ?) ORDER BY ${order} LIMIT ?`

export const bootstrapQueries = {
  state: `SELECT ${columnList(bootstrapTable)} FROM first_reading WHERE id = 1`,
  tickMapCursors: `SELECT ${columnList(tickMapCursors)} FROM first_maps ORDER BY pool`,
} as const

/** Changes after a block, newest first. */
export const liquidityAfterQuery = `SELECT ${columnList(liquidityChanges)} FROM liquidity_changes
  WHERE block > ? ORDER BY block DESC, log_index DESC`

/**
 * Merges as `mergeCandles` of the domain (tested in test/store-contract/candle-merge.ts); the
 * stored half is the earlier one. A later half without swaps gives close and reserves only.
 */
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
    implausible = candles.implausible + excluded.implausible,
    fee_yield = CASE WHEN candles.fee_yield + excluded.fee_yield > ${usdMicroMax}
      THEN ${usdMicroMax} ELSE candles.fee_yield + excluded.fee_yield END,
    yielded = candles.yielded + excluded.yielded,
    reserve0 = excluded.reserve0,
    reserve1 = excluded.reserve1`

/** The same with the stored half as the later one. */
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
    estimated = candles.estimated + excluded.estimated,
    implausible = candles.implausible + excluded.implausible,
    fee_yield = CASE WHEN candles.fee_yield + excluded.fee_yield > ${usdMicroMax}
      THEN ${usdMicroMax} ELSE candles.fee_yield + excluded.fee_yield END,
    yielded = candles.yielded + excluded.yielded`

/** Keeps points of a higher rank. An equal point counts as no change. */
export const referenceUpsert = `
  ON CONFLICT (address, width, ts) DO UPDATE SET
    usd = excluded.usd, source = excluded.source, rank = excluded.rank
  WHERE excluded.rank >= reference_points.rank AND
    (excluded.usd <> reference_points.usd OR excluded.source <> reference_points.source)`
