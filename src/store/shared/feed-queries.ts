import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { PlacedChange } from '../../domain/pool/stored-rows.ts'
import { bigint, integer } from './codec.ts'
import { blockBefore, type EngineText } from './engine-text.ts'
import { type ListColumns, table } from './table.ts'
import { swaps, ticks, tokens } from './tables.ts'

/* What the events of some blocks and the reserves after each are made of, read for all pools. */

/** Columns of `liquidity_changes`. */
export const poolChanges = table<PlacedChange & { readonly pool: PoolNumber }>(
  'liquidity_changes',
  {
    pool: integer,
    block: integer,
    logIndex: integer,
    tickLower: integer,
    tickUpper: integer,
    liquidityDelta: bigint,
  },
)

/** `pricedList`: a change and the price before it. */
export const buildFeedQueries = (list: ListColumns, engine: EngineText, pricedList: string) => ({
  liquidityOfBlocks: `SELECT ${pricedList} FROM liquidity_changes
    WHERE block >= ? AND block <= ? ORDER BY block, log_index LIMIT ?`,
  ticksOfEach: engine.eachPool(
    (pool) => `SELECT ${list(ticks.forms)} FROM ticks WHERE pool = ${pool} ORDER BY tick`,
  ),
  changesOfEach: engine.eachPool(
    (pool) => `SELECT ${list(poolChanges.forms)} FROM liquidity_changes
      WHERE pool = ${pool} AND block >= ? ORDER BY block, log_index LIMIT ?`,
  ),
  firstSwapOfEach: engine.eachPool(
    (pool) => `SELECT ${list(swaps.forms)} FROM swaps
      WHERE pool = ${pool} AND block >= ? ORDER BY block, log_index LIMIT 1`,
  ),
  firstWithoutTrader: `SELECT block, ts FROM swaps
    WHERE trader IS NULL AND ts >= ? AND block > ${blockBefore(engine.timed)} AND block <= ?
    ORDER BY ${engine.chainOrder.join(', ')} LIMIT 1`,
  token: `SELECT ${list(tokens.forms)} FROM tokens WHERE address = ?`,
})
