import { known, type Reading, unknown } from '../../domain/reading.ts'
import type { StoredToken } from '../../ports/store-batches.ts'
import { hex, integer, orNull, text } from './codec.ts'
import { type Table, table } from './table.ts'

const rows = table('tokens', {
  address: hex,
  symbol: orNull(text),
  symbolFault: orNull(text),
  name: orNull(text),
  nameFault: orNull(text),
  decimals: orNull(integer),
  decimalsFault: orNull(text),
})

const knownOf = <T>(reading: Reading<T>): T | null => (reading.known ? reading.value : null)

const faultOf = <T>(reading: Reading<T>): string | null => (reading.known ? null : reading.reason)

const readingOf = <T>(value: T | null, fault: string | null): Reading<T> => {
  if (value !== null) return known(value)
  if (fault !== null) return unknown(fault)
  throw new TypeError('store: a fact of a token has neither a value nor a fault')
}

/** A contract tells a byte. */
const decimalsKnown = Array.from({ length: 256 }, (_, decimals) => known(decimals))

/** Of one number one reading, however many tokens have it. */
const decimalsOf = (decimals: number | null, fault: string | null): Reading<number> =>
  decimalsKnown[decimals ?? -1] ?? readingOf(decimals, fault)

/** A token's row holds each fact's value or, beside it, the reason why it is unknown. */
export const tokens: Table<StoredToken> = {
  name: rows.name,
  columns: rows.columns,
  forms: rows.forms,
  toRow: ({ address, symbol, name, decimals }) =>
    rows.toRow({
      address,
      symbol: knownOf(symbol),
      symbolFault: faultOf(symbol),
      name: knownOf(name),
      nameFault: faultOf(name),
      decimals: knownOf(decimals),
      decimalsFault: faultOf(decimals),
    }),
  fromRow: (columns) => {
    const row = rows.fromRow(columns)
    return {
      address: row.address,
      symbol: readingOf(row.symbol, row.symbolFault),
      name: readingOf(row.name, row.nameFault),
      decimals: decimalsOf(row.decimals, row.decimalsFault),
    }
  },
}
