import { blockBefore, blockFrom, type EngineText } from './engine-text.ts'
import { buildFeedQueries } from './feed-queries.ts'
import { priceBefore } from './past-shapes.ts'
import { buildPoolGroupQueries } from './pool-group-queries.ts'
import { replacements } from './replacement-table.ts'
import { buildSwapSearches, inOrder, withinPage } from './swap-search.ts'
import type { ListColumns } from './table.ts'
import { blocks, candles, liquidityChanges, placedChanges, swaps } from './tables.ts'

/** A change of liquidity and the price before it, all read at once: one by one they take long. */
const pricedList = (list: ListColumns): string => `${list(liquidityChanges.forms)}, (
      SELECT ${list([priceBefore])} FROM swaps WHERE swaps.pool = liquidity_changes.pool
        AND (swaps.block, swaps.log_index) < (liquidity_changes.block, liquidity_changes.log_index)
        AND swaps.ts <= liquidity_changes.ts
      ORDER BY swaps.block DESC, swaps.log_index DESC LIMIT 1)`

const amountsText = ({
  timed,
  hex,
  join,
}: EngineText): string => `SELECT ts - ts % ?, COUNT(*), ${join(hex('amount'), ',')} FROM (
      SELECT ts, CASE WHEN ? = 0 THEN amount0 ELSE amount1 END AS amount FROM swaps
      WHERE pool = ? AND ts >= ? AND ts < ?
        AND block > ${blockBefore(timed)}
        AND block < ${blockFrom(timed)}
      ORDER BY block, log_index LIMIT ?) AS traded
    GROUP BY 1 ORDER BY 1`

/** The queries of past rows. Block times never decrease, so that times bound a range of blocks. */
export const buildHistoryQueries = (list: ListColumns, engine: EngineText) => ({
  ...buildPoolGroupQueries(engine),
  ...buildFeedQueries(list, engine, pricedList(list)),
  tradedCandles: `SELECT ${list(candles.forms)} FROM candles
    WHERE pool = ? AND width = ? AND ts >= ? AND ts <= ? AND swaps > 0 ORDER BY ts LIMIT ?`,
  newestTradedCandles: `SELECT ${list(candles.forms)} FROM candles
    WHERE pool = ? AND width = ? AND ts >= ? AND ts <= ? AND swaps > 0 ORDER BY ts DESC LIMIT ?`,
  tradedAmounts: amountsText(engine),
  poolSwapPage: `SELECT ${list(swaps.forms)} FROM swaps
    WHERE pool = ? AND ${withinPage} ORDER BY block, log_index LIMIT ?`,
  newestPoolSwapPage: `SELECT ${list(swaps.forms)} FROM swaps
    WHERE pool = ? AND ${withinPage} ORDER BY block DESC, log_index DESC LIMIT ?`,
  ...buildSwapSearches(list, engine),
  swapPage: `SELECT ${list(swaps.forms)} FROM swaps
    WHERE ${withinPage} ORDER BY ${inOrder(engine.chainOrder, 'ASC')} LIMIT ?`,
  newestSwapPage: `SELECT ${list(swaps.forms)} FROM swaps
    WHERE ${withinPage} ORDER BY ${inOrder(engine.chainOrder, 'DESC')} LIMIT ?`,
  liquidityPage: `SELECT ${pricedList(list)} FROM liquidity_changes
    WHERE pool = ? AND ${withinPage} ORDER BY block, log_index LIMIT ?`,
  newestLiquidityPage: `SELECT ${pricedList(list)} FROM liquidity_changes
    WHERE pool = ? AND ${withinPage} ORDER BY block DESC, log_index DESC LIMIT ?`,
  oldestSwap: 'SELECT ts FROM swaps ORDER BY ts LIMIT 1',
  swapBlockBefore: `SELECT block FROM swaps
    WHERE ${engine.timed} AND ts < ? ORDER BY ts DESC LIMIT 1`,
  swapBlockBehind: `SELECT block FROM swaps WHERE ${engine.timed} AND ts > ? ORDER BY ts LIMIT 1`,
  changedPools: `SELECT block, pool FROM liquidity_changes
    WHERE block > ? AND block <= ? ORDER BY block LIMIT ?`,
  createdPools: `SELECT created_block, number FROM pools
    WHERE created_block > ? AND created_block <= ? ORDER BY created_block LIMIT ?`,
  block: `SELECT ${list(blocks.forms)} FROM blocks WHERE block = ?`,
  replacementsAfter: `SELECT ${list(replacements.forms)} FROM replacements
    WHERE epoch > ? ORDER BY epoch`,
  liquidityChanges: `SELECT ${list(placedChanges.forms)} FROM liquidity_changes
    WHERE pool = ? AND (block, log_index) > (?, ?) ORDER BY block, log_index LIMIT ?`,
  timedBlock: 'SELECT block, ts FROM blocks WHERE block <= ? ORDER BY block DESC LIMIT 1',
  timedBlockAfter: 'SELECT block, ts FROM blocks WHERE block > ? ORDER BY block LIMIT 1',
  timedChange: `SELECT block, ts FROM liquidity_changes
    WHERE block <= ? ORDER BY block DESC LIMIT 1`,
  timedChangeAfter: `SELECT block, ts FROM liquidity_changes
    WHERE block > ? ORDER BY block LIMIT 1`,
  blockUntil: `SELECT block, ts FROM blocks
    WHERE block >= ? AND block <= ? AND ts <= ? ORDER BY block DESC LIMIT 1`,
  changeUntil: `SELECT block, ts FROM liquidity_changes
    WHERE block >= ? AND block <= ? AND ts <= ? ORDER BY block DESC LIMIT 1`,
  timedSwap: `SELECT block, ts FROM swaps
    WHERE ts >= ? AND ts <= ? AND block <= ? ORDER BY ts DESC, block DESC LIMIT 1`,
})
