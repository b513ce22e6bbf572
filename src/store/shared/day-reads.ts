import { candleWidths } from '../../domain/pool/stored-rows.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../../domain/time.ts'
import type { DaySnapshot, DaySpan, DayTable } from '../../ports/store-days.ts'
import { integer, orNull } from './codec.ts'
import type { Queries } from './queries.ts'
import type { Session, Shape } from './session.ts'
import type { Column } from './table.ts'
import { blocks, candles, liquidityChanges, referencePoints, swaps } from './tables.ts'

/** How a store words what differs. */
export type DayDialect = {
  /** A column as `DayRow` has it. */
  readonly select: (column: Column) => string
  readonly swapOrder: string
  /** A further condition that bounds the swaps of a time, where an index needs it. */
  readonly boundSwaps: (span: DaySpan) => string
}

/** A store has candles of many days: by pool, the rows of a few are found by the key. */
const candlesByPool = '(SELECT number FROM pools) AS owners CROSS JOIN candles'

/** What liquidity providers earned is in no file: its columns would be read for nothing. */
const exported = ({ name }: Column): boolean => name !== 'lp_fee' && name !== 'fee_yield'

const tables = {
  swaps: { forms: swaps.forms.filter(exported), from: 'swaps', order: null },
  liquidity_changes: {
    forms: liquidityChanges.forms,
    from: 'liquidity_changes',
    order: 'block, log_index',
  },
  candles: { forms: candles.forms, from: candlesByPool, order: 'number, width, ts' },
  reference_points: {
    forms: referencePoints.forms,
    from: 'reference_points',
    order: 'address, width, ts',
  },
} as const

/** Numbers only, so that they are part of the text. */
const spanCondition = (table: DayTable, { fromTs, toTs, pools }: DaySpan): string => {
  const join = table === 'candles' ? 'candles.pool = owners.number AND ' : ''
  const time = `${join}ts >= ${fromTs} AND ts < ${toTs}`
  // By an expression: rows are read in the order of time, not by pool.
  return pools === null || table === 'reference_points'
    ? time
    : `${time} AND +pool IN (${pools.length === 0 ? 'NULL' : pools.join(', ')})`
}

export const dayQuery = (
  table: DayTable,
  span: DaySpan,
  { select, swapOrder, boundSwaps }: DayDialect,
): string => {
  const { forms, from, order } = tables[table]
  const bounds = {
    swaps: boundSwaps(span),
    // The key has the width before the time: without it, every candle of a pool would be read.
    candles: ` AND width IN (${candleWidths.join(', ')})`,
    liquidity_changes: '',
    reference_points: '',
  }
  return `SELECT ${forms.map(select).join(', ')} FROM ${from}
    WHERE ${spanCondition(table, span)}${bounds[table]} ORDER BY ${order ?? swapOrder}`
}

const numbers: Shape<number | null> = {
  forms: [integer.form],
  fromRow: ([value]) => orNull(integer).fromColumn(value ?? null),
}

/** By an index: a store has the rows of many days. A pool's first candle is that of a day. */
export const firstTsQueries = ({
  oldestSwap,
}: Pick<Queries, 'oldestSwap'>): Readonly<Record<DayTable, string>> => ({
  swaps: oldestSwap,
  liquidity_changes: 'SELECT ts FROM liquidity_changes ORDER BY block, log_index LIMIT 1',
  candles: `SELECT MIN((SELECT MIN(ts) FROM candles
      WHERE pool = number AND width = ${secondsPerDay})) FROM pools`,
  reference_points: 'SELECT MIN(ts) FROM reference_points',
})

/** The reads of a snapshot that are the same in all stores. */
export const createDayReads = (
  session: Session,
  firstTs: Readonly<Record<DayTable, string>>,
): Pick<DaySnapshot, 'countSwaps' | 'hasMinutesOf' | 'firstTs' | 'blockHash'> => {
  const readNumber = async (sql: string): Promise<number | null> => session.first(numbers, sql)
  return {
    countSwaps: async (span, candles) =>
      (await readNumber(`SELECT CAST(SUM(swaps) AS BIGINT) FROM ${candlesByPool}
        WHERE width = ${candles === 'days' ? secondsPerDay : secondsPerMinute}
          AND ${spanCondition('candles', span)}`)) ?? 0,
    hasMinutesOf: async ({ fromTs }) => {
      const first = await readNumber(
        `SELECT MIN(ts) FROM reference_points WHERE width = ${secondsPerMinute}`,
      )
      if (first === null || first < fromTs) return first !== null
      const before = `SELECT 1 FROM reference_points WHERE width = ${secondsPerHour}
        AND ts <= ${first - secondsPerHour}`
      return (await readNumber(`${before} LIMIT 1`)) === null
    },
    firstTs: (table) => readNumber(firstTs[table]),
    blockHash: async (block) => {
      const sql = `SELECT ${blocks.columns.join(', ')} FROM blocks WHERE block = ${block}`
      return (await session.first(blocks, sql))?.hash ?? null
    },
  }
}
