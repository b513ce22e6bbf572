import { microPerUsd } from '../../domain/pool/stored-rows.ts'
import { candleInOther, type Ohlc } from '../../domain/series/candle-series.ts'
import { type Column, double, int32, label, type Shared, shared, timestamp } from '../columns.ts'
import type { DayDataset } from '../dataset.ts'
import { type FileFacts, type PoolFacts, stockOf } from '../pool-facts.ts'
import { numberOf, numberOrNull } from './cells.ts'

const columns: readonly Column[] = [
  shared(label('blockchain')),
  shared(label('pool_id')),
  shared(label('stock_symbol', 'null')),
  shared(label('stock_address', 'null')),
  shared(label('other_symbol', 'null')),
  shared(label('other_address')),
  int32('width_seconds'),
  timestamp('time'),
  double('open', 'null'),
  double('high', 'null'),
  double('low', 'null'),
  double('close', 'null'),
  double('volume_usd', 'null'),
  int32('swaps'),
  int32('unpriced_swaps'),
  int32('estimated_swaps'),
  int32('implausible_swaps'),
  double('stock_reserve', 'null'),
  double('other_reserve', 'null'),
]

type Pool = PoolFacts & { readonly shared: Shared; readonly isFirst: boolean }

const createPools = ({ network, poolOf }: FileFacts) => {
  const pools: Pool[] = []
  return (number: number): Pool => {
    const known = pools[number]
    if (known !== undefined) return known
    const facts = poolOf(number)
    const isFirst = facts.stockIsToken0 ?? true
    const stock = stockOf(facts)
    const other = isFirst ? facts.token1 : facts.token0
    const values = [
      ...[network, facts.pool.id],
      ...[stock?.symbol ?? null, stock?.address ?? null],
      ...[other.symbol, other.address],
    ]
    const pool = { ...facts, shared: values, isFirst }
    pools[number] = pool
    return pool
  }
}

const noPrices: Ohlc = { open: null, high: null, low: null, close: null }

const pricesOf = (raw: Ohlc, { token0, token1, isFirst }: Pool): Ohlc => {
  if (token0.decimals === null || token1.decimals === null) return noPrices
  return candleInOther(raw, {
    stockIsToken0: isFirst,
    decimals0: token0.decimals,
    decimals1: token1.decimals,
  })
}

const wholeOf = (raw: number | null, decimals: number | null): number | null =>
  raw === null || decimals === null ? null : raw / 10 ** decimals

/** Places of the table's columns in a row. */
const at = {
  pool: 0,
  width: 1,
  ts: 2,
  open: 3,
  high: 4,
  low: 5,
  close: 6,
  usdMicro: 7,
  swaps: 8,
  unpriced: 9,
  estimated: 10,
  implausible: 11,
  reserve0: 12,
  reserve1: 13,
} as const

const createRows: DayDataset['createRows'] = (facts, { add }) => {
  const poolOf = createPools(facts)
  return (row) => {
    const pool = poolOf(numberOf(row[at.pool]))
    const raw = {
      open: numberOf(row[at.open]),
      high: numberOf(row[at.high]),
      low: numberOf(row[at.low]),
      close: numberOf(row[at.close]),
    }
    const { open, high, low, close } = pricesOf(raw, pool)
    const unpriced = numberOf(row[at.unpriced])
    const reserves = [
      wholeOf(numberOrNull(row[at.reserve0]), pool.token0.decimals),
      wholeOf(numberOrNull(row[at.reserve1]), pool.token1.decimals),
    ]
    const [stockReserve = null, otherReserve = null] = pool.isFirst ? reserves : reserves.reverse()
    add(
      [
        ...[numberOf(row[at.width]), numberOf(row[at.ts])],
        ...[open, high, low, close],
        unpriced > 0 ? null : numberOf(row[at.usdMicro]) / microPerUsd,
        ...[numberOf(row[at.swaps]), unpriced],
        ...[numberOf(row[at.estimated]), numberOf(row[at.implausible])],
        ...[stockReserve, otherReserve],
      ],
      pool.shared,
    )
  }
}

export const candlesDataset: DayDataset = {
  kind: 'days',
  columns,
  table: 'candles',
  blockAt: null,
  createRows,
}
