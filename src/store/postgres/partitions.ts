import { secondsPerDay } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import { text } from '../shared/codec.ts'
import type { Session, Shape } from '../shared/session.ts'
import type { PostgresSession } from './session.ts'

/** The tables that have a partition per UTC day, each with what a new one is made like. */
const shapes = {
  swaps: 'swaps_shape',
  candles_minutes: 'candles_minutes',
  reference_points_minutes: 'reference_points_minutes',
} as const

export type DailyTable = keyof typeof shapes

export type Partitions = {
  /** Makes those that rows of these times need and that are not there. */
  readonly ensure: (
    tx: PostgresSession,
    table: DailyTable,
    times: readonly UnixSeconds[],
  ) => Promise<void>
  /** The days of which all lies before a time, oldest first. */
  readonly daysBefore: (
    session: Session,
    table: DailyTable,
    ts: UnixSeconds,
  ) => Promise<readonly number[]>
  /** Looks anew at what there is. */
  readonly clearCache: () => void
}

const dayOf = (ts: UnixSeconds): number => Math.floor(ts / secondsPerDay)

export const partitionName = (table: DailyTable, day: number): string => `${table}_day_${day}`

const childrenText = `SELECT child.relname FROM pg_inherits
  JOIN pg_class AS child ON child.oid = inhrelid
  JOIN pg_class AS parent ON parent.oid = inhparent
  WHERE parent.relname = ? AND parent.relnamespace = current_schema()::regnamespace`

const childNames: Shape<string> = {
  forms: [text.form],
  fromRow: ([name]) => text.fromColumn(name),
}

const daysOf = async (session: Session, table: DailyTable): Promise<readonly number[]> => {
  const names = await session.all(childNames, childrenText, [table])
  const prefix = partitionName(table, 0).slice(0, -1)
  return names
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isSafeInteger)
    .toSorted((one, other) => one - other)
}

/** Attached when it is whole: that locks out nobody who reads or writes the others. */
const create = async ({ exec }: PostgresSession, table: DailyTable, day: number): Promise<void> => {
  const name = partitionName(table, day)
  await exec(`CREATE TABLE ${name} (LIKE ${shapes[table]} INCLUDING ALL)`)
  await exec(`ALTER TABLE ${table} ATTACH PARTITION ${name}
    FOR VALUES FROM (${day * secondsPerDay}) TO (${(day + 1) * secondsPerDay})`)
}

/** Knows what was there when it looked; a write that fails makes it look again. */
export const createPartitions = (): Partitions => {
  const known: Record<DailyTable, Set<number>> = {
    swaps: new Set(),
    candles_minutes: new Set(),
    reference_points_minutes: new Set(),
  }
  return {
    ensure: async (tx, table, times) => {
      const days = new Set(times.map(dayOf))
      if ([...days].every((day) => known[table].has(day))) return
      known[table] = new Set(await daysOf(tx, table))
      // Not known before they are committed: the next write looks once more.
      for (const day of days) if (!known[table].has(day)) await create(tx, table, day)
    },
    daysBefore: async (session, table, ts) =>
      (await daysOf(session, table)).filter((day) => (day + 1) * secondsPerDay <= ts),
    clearCache: () => {
      for (const days of Object.values(known)) days.clear()
    },
  }
}

/** Of a server without them. */
export const noPartitions: Partitions = {
  ensure: async () => {},
  daysBefore: async () => [],
  clearCache: () => {},
}
