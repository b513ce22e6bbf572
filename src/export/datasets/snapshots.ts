import type { RawAmounts } from '../../domain/pool/pool-state.ts'
import type { StoredPool } from '../../ports/store-batches.ts'
import { type Column, flag, int32, int64, label, type Row, text, timestamp } from '../columns.ts'
import { nothingShared, type SnapshotContext, type SnapshotDataset } from '../dataset.ts'
import { contractOf, projectOf, stockOf } from '../pool-facts.ts'

const asOf: readonly Column[] = [label('blockchain'), int64('as_of_block'), timestamp('as_of_time')]

const poolColumns: readonly Column[] = [
  ...asOf,
  label('project'),
  label('version'),
  text('pool_id'),
  label('project_contract_address'),
  text('token0_address'),
  text('token1_address'),
  text('token0_symbol', 'null'),
  text('token1_symbol', 'null'),
  int32('token0_decimals', 'null'),
  int32('token1_decimals', 'null'),
  label('stock_symbol', 'null'),
  label('stock_address', 'null'),
  flag('stock_is_token0', 'null'),
  int32('fee'),
  int32('tick_spacing'),
  label('hooks', 'null'),
  int64('created_block'),
  timestamp('created_time'),
  text('sqrt_price_x96', 'null'),
  int32('tick', 'null'),
  text('liquidity'),
  text('reserve0_raw', 'null'),
  text('reserve1_raw', 'null'),
  label('reserve_fault', 'null'),
  timestamp('last_swap_time', 'null'),
  int64('last_swap_block', 'null'),
  label('protocol'),
  label('venue_address'),
]

const reservesOf = (reserves: RawAmounts | null) => [
  reserves?.amount0.toString() ?? null,
  reserves?.amount1.toString() ?? null,
]

const asOfValues = ({ facts, at }: SnapshotContext): Row => [facts.network, at.block, at.ts]

const poolRow = (pool: StoredPool, context: SnapshotContext): Row => {
  const own = context.facts.poolOf(pool.number)
  const { token0, token1, stockIsToken0 } = own
  const stock = stockOf(own)
  return [
    ...asOfValues(context),
    ...[...projectOf(pool), pool.id, contractOf(pool)],
    ...[token0.address, token1.address, token0.symbol, token1.symbol],
    ...[token0.decimals, token1.decimals],
    ...[stock?.symbol ?? null, stock?.address ?? null, stockIsToken0],
    ...[pool.key.fee, pool.key.tickSpacing, pool.key.hooks],
    ...[pool.createdBlock, pool.createdTs],
    ...[pool.price?.sqrtPriceX96.toString() ?? null, pool.price?.tick ?? null],
    pool.liquidity.toString(),
    ...reservesOf(pool.reserves),
    ...[pool.mapFault, pool.lastSwapTs, pool.lastSwapBlock],
    ...[pool.protocol, pool.venue],
  ]
}

export const poolsDataset: SnapshotDataset = {
  kind: 'snapshot',
  columns: poolColumns,
  addRows: async (snapshot, context, { isWantedPool }) => {
    for await (const page of snapshot.pools()) {
      for (const pool of page) {
        if (isWantedPool(pool.number)) context.add(poolRow(pool, context), nothingShared)
      }
    }
  },
}

const stockColumns: readonly Column[] = [
  ...asOf,
  text('address'),
  text('symbol'),
  text('name'),
  label('issuer', 'null'),
  int32('decimals'),
  text('feed', 'null'),
  label('verdict'),
  text('multiplier', 'null'),
  text('pending_multiplier', 'null'),
  timestamp('multiplier_effective_time', 'null'),
  flag('oracle_paused', 'null'),
  timestamp('read_time', 'null'),
]

export const stocksDataset: SnapshotDataset = {
  kind: 'snapshot',
  columns: stockColumns,
  addRows: async (_snapshot, context, { isWantedToken }) => {
    for (const stock of context.facts.stocks) {
      if (!isWantedToken(stock.address)) continue
      const { multiplier, pendingMultiplier } = stock
      context.add(
        [
          ...asOfValues(context),
          ...[stock.address, stock.symbol, stock.name, stock.issuer, stock.decimals],
          ...[stock.feed, stock.verdict],
          ...[multiplier?.toString() ?? null, pendingMultiplier?.toString() ?? null],
          ...[stock.multiplierEffectiveTs, stock.oraclePaused, stock.readTs],
        ],
        nothingShared,
      )
    }
  },
}
