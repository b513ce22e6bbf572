import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { Hex } from 'viem'
import type { TickRow } from './replay.ts'

type Column = SQLOutputValue | undefined
type Row = Readonly<Record<string, SQLOutputValue>>

/** Bytes as text. */
const hexOf = (column: Column): Hex => `0x${Buffer.from(column as Uint8Array).toString('hex')}`
const hexOrNull = (column: Column): Hex | null => (column === null ? null : hexOf(column))

/** Big-endian two's complement. */
const bigintOf = (column: Column): bigint => {
  const hex = hexOf(column)
  return BigInt.asIntN((hex.length - 2) * 4, BigInt(hex))
}
const bigintOrNull = (column: Column): bigint | null => (column === null ? null : bigintOf(column))
const numberOrNull = (column: Column): number | null => (column === null ? null : Number(column))

const poolOf = (row: Row) => ({
  number: Number(row.number),
  id: hexOf(row.id),
  sqrtPriceX96: bigintOrNull(row.sqrt_price_x96),
  tick: numberOrNull(row.tick),
  liquidity: bigintOf(row.liquidity),
  reserve0: bigintOrNull(row.reserve0),
  reserve1: bigintOrNull(row.reserve1),
  depth0: bigintOrNull(row.depth0),
  depth1: bigintOrNull(row.depth1),
  mapFault: row.map_fault,
  lastHotTs: numberOrNull(row.last_hot_ts),
})
export type StoredPool = ReturnType<typeof poolOf>

const swapOf = (row: Row) => ({
  pool: hexOf(row.id),
  block: Number(row.block),
  logIndex: Number(row.log_index),
  ts: Number(row.ts),
  txHash: hexOf(row.tx_hash),
  amount0: bigintOf(row.amount0),
  amount1: bigintOf(row.amount1),
  sqrtPriceX96: bigintOf(row.sqrt_price_x96),
  liquidity: bigintOf(row.liquidity),
  tick: Number(row.tick),
  fee: numberOrNull(row.fee),
  sender: hexOf(row.sender),
  recipient: hexOrNull(row.recipient),
  usdMicro: numberOrNull(row.usd_micro),
  estimated: row.estimated === 1,
  implausible: row.implausible === 1,
})
export type StoredSwap = ReturnType<typeof swapOf>

const pointOf = (row: Row) => ({
  address: hexOf(row.address),
  ts: Number(row.ts),
  usd: Number(row.usd),
  source: String(row.source),
})
export type StoredPoint = ReturnType<typeof pointOf>

/**
 * Since when the service reads live quotes: for earlier times it has only the feeds' answers on the
 * chain.
 */
export const liveFromTsOf = (minutes: readonly StoredPoint[]): number =>
  minutes.find(({ source }) => source !== 'chainlink')?.ts ?? Number.POSITIVE_INFINITY

export type StoredState = {
  readonly block: number
  readonly ts: number
  readonly writerStartedTs: number
  readonly pools: ReadonlyMap<Hex, StoredPool>
  /** Ascending, by pool. */
  readonly ticks: ReadonlyMap<Hex, readonly TickRow[]>
  /** By token that was read; null where its contract does not report them. */
  readonly decimals: ReadonlyMap<Hex, number | null>
}

/** The service's database beside it, for reading; its bytes are read by our own code. */
export const openStored = (sandboxDir: string) => {
  const db = new DatabaseSync(join(sandboxDir, '../sandbox.db'), {
    readOnly: true,
    timeout: 60_000,
  })
  const rows = (sql: string, ...values: (string | number)[]): readonly Row[] =>
    db.prepare(sql).all(...values) as readonly Row[]

  const ticksOf = (ids: ReadonlyMap<number, Hex>): ReadonlyMap<Hex, readonly TickRow[]> => {
    const byPool = new Map<Hex, TickRow[]>([...ids.values()].map((id) => [id, []]))
    for (const row of rows('SELECT * FROM ticks ORDER BY pool, tick')) {
      const ticks = byPool.get(ids.get(Number(row.pool)) ?? '0x')
      const [gross, net] = [bigintOf(row.gross), bigintOf(row.net)]
      ticks?.push({ tick: Number(row.tick), gross, net })
    }
    return byPool
  }

  return {
    close: () => db.close(),
    /** Everything as of one block. */
    state: (): StoredState => {
      db.exec('BEGIN')
      const [header] = rows('SELECT * FROM header')
      const pools = rows('SELECT * FROM pools').map(poolOf)
      const ticks = ticksOf(new Map(pools.map(({ number, id }) => [number, id])))
      const tokens = rows('SELECT address, decimals FROM tokens')
      db.exec('COMMIT')
      return {
        block: Number(header?.indexed_block),
        ts: Number(header?.indexed_ts),
        writerStartedTs: Number(header?.writer_started_ts),
        pools: new Map(pools.map((pool) => [pool.id, pool])),
        ticks,
        decimals: new Map(tokens.map((row) => [hexOf(row.address), numberOrNull(row.decimals)])),
      }
    },
    /** Swaps up to the block, in chain order. */
    swaps: (to: number): readonly StoredSwap[] =>
      rows(
        `SELECT swaps.*, pools.id FROM swaps JOIN pools ON pools.number = swaps.pool
         WHERE block <= ? ORDER BY block, log_index`,
        to,
      ).map(swapOf),
    /** Of swaps up to the block, in chain order. */
    traders: (to: number) =>
      rows('SELECT tx_hash, trader FROM swaps WHERE block <= ? ORDER BY block, log_index', to).map(
        ({ tx_hash, trader }) => ({ txHash: hexOf(tx_hash), trader: hexOrNull(trader) }),
      ),
    /** Reference prices at the close of buckets this wide, in seconds. */
    references: (width: number): readonly StoredPoint[] =>
      rows('SELECT * FROM reference_points WHERE width = ? ORDER BY ts', width).map(pointOf),
  }
}

export type Stored = ReturnType<typeof openStored>
