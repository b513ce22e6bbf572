import { magnitude, type TradedAmount } from '../../domain/history/trades.ts'
import type { PricedLiquidityChange } from '../../domain/pool/stored-rows.ts'
import type { BlockNumber } from '../../domain/units.ts'
import { bigint, integer, orNull, text } from './codec.ts'
import type { Shape } from './session.ts'
import { column } from './table.ts'
import { liquidityChanges } from './tables.ts'

/* Rows of queries of the past that are no rows of a table. */

export const blockNumbers: Shape<BlockNumber> = {
  forms: [integer.form],
  fromRow: ([block]) => integer.fromColumn(block),
}

/** The second column counts, the third holds the hex digits of the amounts, parted by commas. */
export const tradedAmounts: Shape<TradedAmount> = {
  forms: [{ ...integer.form }, { ...integer.form }, { ...text.form }],
  fromRow: (row) => ({
    ts: integer.fromColumn(row[0]),
    swaps: integer.fromColumn(row[1]),
    raw: text
      .fromColumn(row[2])
      .split(',')
      .reduce((sum, digits) => sum + magnitude(bigint.fromColumn(`0x${digits}`)), 0n),
  }),
}

/** Of a change, behind its columns. */
export const priceBefore = column('sqrtPriceX96', orNull(bigint))

export const pricedChanges: Shape<PricedLiquidityChange> = {
  forms: [...liquidityChanges.forms, priceBefore],
  fromRow: (row) => ({
    ...liquidityChanges.fromRow(row),
    sqrtPriceX96: orNull(bigint).fromColumn(row[liquidityChanges.forms.length]),
  }),
}
