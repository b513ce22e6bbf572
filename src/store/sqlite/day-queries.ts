import type { DaySpan, DayTable } from '../../ports/store-days.ts'
import { type DayDialect, dayQuery } from '../shared/day-reads.ts'
import { blockBehind, blockUntil } from './swap-queries.ts'

const dialect: DayDialect = {
  select: ({ name, kind, nullable }) => {
    if (kind !== 'bytes' && kind !== 'bigint') return name
    return nullable ? `iif(${name} IS NULL, NULL, hex(${name}))` : `hex(${name})`
  },
  swapOrder: 'block, log_index',
  boundSwaps: ({ fromTs, toTs }) =>
    ` AND block > ${blockUntil(String(fromTs - 1))} AND block < ${blockBehind(String(toTs - 1))}`,
}

/** Reads the rows of a span. */
export const sqliteDayQuery = (table: DayTable, span: DaySpan): string =>
  dayQuery(table, span, dialect)
