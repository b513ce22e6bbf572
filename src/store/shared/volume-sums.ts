import { usdMicroMax } from '../../domain/pool/stored-rows.ts'
import type { VolumeSum } from '../../ports/store-batches.ts'
import { integer } from './codec.ts'
import type { Row } from './table.ts'

/** Not kept: what swaps of one pool sum up to. */

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
