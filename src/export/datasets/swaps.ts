import { paidFeeOf } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import { amountToApprox } from '../../domain/math/pool-price.ts'
import { feeOfKey } from '../../domain/pool/pool-fees.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { microPerUsd } from '../../domain/pool/stored-rows.ts'
import { civilDate, type DayNumber } from '../../domain/stock/new-york-time.ts'
import { secondsPerDay } from '../../domain/time.ts'
import {
  type Column,
  date,
  double,
  flag,
  hex,
  hexLabel,
  int32,
  int64,
  label,
  magnitude,
  type Shared,
  shared,
  timestamp,
} from '../columns.ts'
import type { DayDataset } from '../dataset.ts'
import { approxOfDigits } from '../digits.ts'
import { contractOf, type FileFacts, type PoolFacts, projectOf, stockOf } from '../pool-facts.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from './cells.ts'

/*
 * The first 24 columns are those of `dex.trades` in Dune's Spellbook, in its order and meaning
 * (github.com/duneanalytics/spellbook, dbt_subprojects/dex/models/trades/_schema.yml and
 * macros/models/_project/uniswap_compatible_trades.sql).
 */
const columns: readonly Column[] = [
  shared(label('blockchain')),
  shared(label('project')),
  shared(label('version')),
  date('block_month'),
  date('block_date'),
  timestamp('block_time'),
  int64('block_number'),
  shared(label('token_bought_symbol', 'null')),
  shared(label('token_sold_symbol', 'null')),
  shared(label('token_pair', 'null')),
  double('token_bought_amount', 'null'),
  double('token_sold_amount', 'null'),
  magnitude('token_bought_amount_raw'),
  magnitude('token_sold_amount_raw'),
  double('amount_usd', 'null'),
  shared(label('token_bought_address')),
  shared(label('token_sold_address')),
  hexLabel('taker', 'null'),
  shared(label('maker', 'null')),
  shared(label('project_contract_address')),
  hex('tx_hash'),
  hexLabel('tx_from', 'null'),
  shared(label('tx_to', 'null')),
  int32('evt_index'),
  int32('tx_index', 'null'),
  shared(label('pool_id')),
  shared(label('stock_symbol', 'null')),
  shared(label('stock_address', 'null')),
  shared(label('side', 'null')),
  double('price_in_other', 'null'),
  double('price_usd', 'null'),
  magnitude('sqrt_price_x96'),
  magnitude('liquidity'),
  int32('tick'),
  int32('fee', 'null'),
  hexLabel('sender'),
  flag('amount_usd_estimated'),
  flag('implausible'),
  shared(label('protocol')),
  shared(label('venue_address')),
]

/** Both symbols in alphabetical order. */
const pairOf = (one: string | null, other: string | null): string | null => {
  if (one === null || other === null) return null
  return one.toLowerCase() > other.toLowerCase() ? `${other}-${one}` : `${one}-${other}`
}

/** Of swaps in one direction of a pool. */
const sharedOf = (network: string, facts: PoolFacts, buysToken0: boolean): Shared => {
  const { pool, token0, token1, stockIsToken0 } = facts
  const [bought, sold] = buysToken0 ? [token0, token1] : [token1, token0]
  const stock = stockOf(facts)
  return [
    network,
    ...projectOf(pool),
    bought.symbol,
    sold.symbol,
    pairOf(bought.symbol, sold.symbol),
    bought.address,
    sold.address,
    // In v4 the pool's id stands for who sold; v3 has no name for it.
    pool.version === 'v4' ? pool.id : null,
    contractOf(pool),
    null,
    pool.id,
    stock?.symbol ?? null,
    stock?.address ?? null,
    stockIsToken0 === null ? null : stockIsToken0 === buysToken0 ? 'buy' : 'sell',
    pool.protocol,
    pool.venue,
  ]
}

/** Swaps that buy one of the pool's tokens. */
type Way = {
  readonly shared: Shared
  readonly boughtDecimals: number | null
  readonly soldDecimals: number | null
  /** Null: the pool holds no stock. */
  readonly buysStock: boolean | null
}

type Pool = {
  readonly fee: number
  /** True also where neither is: then token0 decides the direction. */
  readonly stockIsToken0: boolean
  /** By what the trader buys. */
  readonly token0: Way
  readonly token1: Way
}

const wayOf = (network: string, facts: PoolFacts, buysToken0: boolean): Way => {
  const { token0, token1, stockIsToken0 } = facts
  return {
    shared: sharedOf(network, facts, buysToken0),
    boughtDecimals: (buysToken0 ? token0 : token1).decimals,
    soldDecimals: (buysToken0 ? token1 : token0).decimals,
    buysStock: stockIsToken0 === null ? null : stockIsToken0 === buysToken0,
  }
}

const createPools = ({ network, poolOf }: FileFacts) => {
  const pools: Pool[] = []
  return (number: PoolNumber): Pool => {
    const known = pools[number]
    if (known !== undefined) return known
    const facts = poolOf(number)
    const pool = {
      fee: feeOfKey({ protocol: facts.pool.protocol, fee: facts.pool.key.fee }),
      stockIsToken0: facts.stockIsToken0 ?? true,
      token0: wayOf(network, facts, true),
      token1: wayOf(network, facts, false),
    }
    pools[number] = pool
    return pool
  }
}

/** The trader sells what the pool receives; with an amount of 0 the other side decides. */
const sells = (raw: number, otherRaw: number): boolean => raw > 0 || (raw === 0 && otherRaw < 0)

const wholeOf = (raw: number, decimals: number | null): number | null =>
  decimals === null ? null : Math.abs(amountToApprox(raw, decimals))

const quotient = (dividend: number | null, divisor: number | null): number | null => {
  if (dividend === null || divisor === null || divisor === 0) return null
  const value = dividend / divisor
  return Number.isFinite(value) ? value : null
}

/** The first day of its month, as days since 1970-01-01. */
const monthOf = (day: DayNumber): DayNumber => day - (civilDate(day).day - 1)

/** Places of the table's columns in a row. */
const at = {
  pool: 0,
  block: 1,
  logIndex: 2,
  ts: 3,
  txHash: 4,
  amount0: 5,
  amount1: 6,
  sqrtPriceX96: 7,
  liquidity: 8,
  tick: 9,
  fee: 10,
  sender: 11,
  recipient: 12,
  usdMicro: 13,
  estimated: 14,
  implausible: 15,
  txIndex: 16,
  trader: 17,
} as const

/** The way of a swap, from the amounts of the pool's side. */
const wayOfSwap = (amount0: number, amount1: number, { stockIsToken0, token0, token1 }: Pool) => {
  const sellsToken0 = stockIsToken0 ? sells(amount0, amount1) : !sells(amount1, amount0)
  return sellsToken0 ? token1 : token0
}

const createRows: DayDataset['createRows'] = (facts, { dayTs, add }) => {
  const poolOf = createPools(facts)
  const day = dayTs / secondsPerDay
  const month = monthOf(day)
  return (row) => {
    const pool = poolOf(numberOf(row[at.pool]))
    const [raw0, raw1] = [textOf(row[at.amount0]), textOf(row[at.amount1])]
    const [amount0, amount1] = [approxOfDigits(raw0), approxOfDigits(raw1)]
    const way = wayOfSwap(amount0, amount1, pool)
    const buysToken0 = way === pool.token0
    const boughtAmount = wholeOf(buysToken0 ? amount0 : amount1, way.boughtDecimals)
    const soldAmount = wholeOf(buysToken0 ? amount1 : amount0, way.soldDecimals)
    const usdMicro = numberOrNull(row[at.usdMicro])
    // A swap of zero amounts has no value (methodology §5).
    const usd =
      usdMicro === null || (amount0 === 0 && amount1 === 0) ? null : usdMicro / microPerUsd
    const { buysStock } = way
    const stockAmount = buysStock ? boughtAmount : soldAmount
    const otherAmount = buysStock ? soldAmount : boughtAmount
    add(
      [
        month,
        day,
        numberOf(row[at.ts]),
        numberOf(row[at.block]),
        boughtAmount,
        soldAmount,
        buysToken0 ? raw0 : raw1,
        buysToken0 ? raw1 : raw0,
        usd,
        textOrNull(row[at.recipient]),
        textOf(row[at.txHash]),
        textOrNull(row[at.trader]),
        numberOf(row[at.logIndex]),
        numberOrNull(row[at.txIndex]),
        buysStock === null ? null : quotient(otherAmount, stockAmount),
        buysStock === null ? null : quotient(usd, stockAmount),
        textOf(row[at.sqrtPriceX96]),
        textOf(row[at.liquidity]),
        numberOf(row[at.tick]),
        paidFeeOf(numberOrNull(row[at.fee]), pool.fee),
        textOf(row[at.sender]),
        row[at.estimated] === 1,
        row[at.implausible] === 1,
      ],
      way.shared,
    )
  }
}

export const swapsDataset: DayDataset = {
  kind: 'days',
  columns,
  table: 'swaps',
  blockAt: at.block,
  createRows,
}
