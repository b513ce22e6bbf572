import { filledPoolId } from '../live/fill-market.ts'

/*
 * Swaps of three days in 2,000 pools by Zipf's law, written by SQL: four million rows take minutes
 * through the store. Both engines get the same rows.
 */

export const pools = 2000
export const blocksPerSecond = 3
export const spanSeconds = 3 * 86_400
export const spanBlocks = spanSeconds * blocksPerSecond
const logsPerBlock = 1000
const senders = 5000
/** One swap in so many is large. */
const rareEvery = 50_000
export const usualUsd = 2
export const rareUsd = 10_000

/** Every twentieth pool is against a trusted token: these trade most. */
const trustedEvery = 20
/** The pool of a place in the order of trade. */
export const busyPool = (place: number): number =>
  1 + ((trustedEvery * (place + 1) - 1 + Math.floor((place * trustedEvery) / pools)) % pools)
export const busiestPoolId = filledPoolId(busyPool(0))

/** What the engines write differently. */
type Dialect = {
  /** A common table expression `counted` of the numbers `n` from 0 on. */
  readonly counted: string
  /** A literal of bytes. */
  readonly bytes: (digits: string) => string
  /** A number as so many bytes, before zeros up to the width. */
  readonly numbered: (expression: string, bytes: number, width: number) => string
}

const sqlite = (swaps: number): Dialect => ({
  counted: `RECURSIVE counted (n) AS (
    SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n + 1 < ${swaps})`,
  bytes: (digits) => `x'${digits}'`,
  numbered: (expression, bytes, width) =>
    `unhex(printf('%0${bytes * 2}x', ${expression}) || '${'00'.repeat(width - bytes)}')`,
})

const postgres = (swaps: number): Dialect => ({
  counted: `counted (n) AS (SELECT generate_series(0, ${swaps}::bigint - 1))`,
  bytes: (digits) => `'\\x${digits}'::bytea`,
  numbered: (expression, bytes, width) =>
    `decode(rpad(lpad(to_hex(${expression}), ${bytes * 2}, '0'), ${width * 2}, '0'), 'hex')`,
})

const dialects = { sqlite, postgres } as const
export type Engine = keyof typeof dialects

/** The last swap is one block before the end of the span. */
const swapsText = (
  { counted, bytes, numbered }: Dialect,
  { swaps, fromTs }: { readonly swaps: number; readonly fromTs: number },
): string => `
  INSERT INTO swaps (pool, block, log_index, ts, tx_hash, tx_index, amount0, amount1,
    sqrt_price_x96, liquidity, tick, fee, sender, recipient, trader, usd_micro, estimated)
  WITH ${counted}, chances AS (
    SELECT n, n * ${spanBlocks} / ${swaps} AS block,
      CAST((n * 2654435761) % 4294967296 * 48271 % 2147483647 AS DOUBLE PRECISION) / 2147483647
        AS chance
    FROM counted
  ), places AS (
    SELECT n, block, CAST(FLOOR(EXP(chance * ${Math.log(pools + 1)})) AS INTEGER) - 1 AS place
    FROM chances
  )
  SELECT 1 + (${trustedEvery} * (place + 1) - 1 + place * ${trustedEvery} / ${pools}) % ${pools},
    block, n % ${logsPerBlock}, ${fromTs} + block / ${blocksPerSecond},
    ${numbered('n', 8, 32)}, n % 50,
    CASE n % 2 WHEN 0 THEN ${bytes('0de0b6b3a7640000')} ELSE ${bytes('f21f494c589c0000')} END,
    CASE n % 2 WHEN 1 THEN ${bytes('0de0b6b3a7640000')} ELSE ${bytes('f21f494c589c0000')} END,
    ${bytes('01000000000000000000000000')}, ${bytes('0de0b6b3a7640000')}, 0, 3000,
    ${numbered(`n % ${senders}`, 8, 20)}, NULL, ${numbered(`n % ${senders}`, 8, 20)},
    CASE n % ${rareEvery} WHEN 0 THEN ${rareUsd}000000 ELSE ${usualUsd}000000 END, 0
  FROM places ORDER BY n`

const widerCandles = (width: number, of: number): string => `
  INSERT INTO candles (pool, width, ts, open, high, low, close, usd_micro, swaps, unpriced,
    estimated)
  SELECT pool, ${width}, ts - ts % ${width}, 1, 1, 1, 1, SUM(usd_micro), SUM(swaps), 0, 0
  FROM candles WHERE width = ${of} GROUP BY pool, ts - ts % ${width}`

const minuteCandles = `
  INSERT INTO candles (pool, width, ts, open, high, low, close, usd_micro, swaps, unpriced,
    estimated)
  SELECT pool, 60, ts - ts % 60, 1, 1, 1, 1, SUM(usd_micro), COUNT(*), 0, 0
  FROM swaps GROUP BY pool, ts - ts % 60`

/** Statements that fill the empty tables of swaps and candles. */
export const pastSwaps = (
  engine: Engine,
  size: { readonly swaps: number; readonly fromTs: number },
): readonly string[] => [
  swapsText(dialects[engine](size.swaps), size),
  minuteCandles,
  widerCandles(3600, 60),
  widerCandles(86_400, 3600),
]
