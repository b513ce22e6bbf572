import { secondsPerDay } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import { text } from '../shared/codec.ts'
import type { Session, Shape } from '../shared/session.ts'
import type { PostgresSession } from './session.ts'

/** The tables with a partition per UTC day, each with the template of new partitions. */
const templates = {
  swaps: 'swaps_shape',
  candles_minutes: 'candles_minutes',
  reference_points_minutes: 'reference_points_minutes',
} as const

export type DailyTable = keyof typeof templates

export type Partitions = {
  /** Creates the missing partitions for rows of these times. */
  readonly ensure: (
    tx: PostgresSession,
    table: DailyTable,
    times: readonly UnixSeconds[],
  ) => Promise<void>
  /** The days that end at or before a time, oldest first. */
  readonly daysBefore: (
    session: Session,
    table: DailyTable,
    ts: UnixSeconds,
  ) => Promise<readonly number[]>
  /** Makes the next `ensure` read the partitions again. */
  readonly clearCache: () => void
}

const dayOf = (ts: UnixSeconds): number => Math.floor(ts / secondsPerDay)

export const partitionName = (table: DailyTable, day: number): string => `${table}_day_${day}`

const childrenQuery = `SELECT child.relname FROM pg_inherits
  JOIN pg_class AS child ON child.oid = inhrelid
  JOIN pg_class AS parent ON parent.oid = inhparent
  WHERE parent.relname = ? AND parent.relnamespace = current_schema()::regnamespace`

const childNames: Shape<string> = {
  forms: [text.form],
  fromRow: ([name]) => text.fromColumn(name),
}

const daysOf = async (session: Session, table: DailyTable): Promise<readonly number[]> => {
  const names = await session.all(childNames, childrenQuery, [table])
  const prefix = partitionName(table, 0).slice(0, -1)
  return names
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isSafeInteger)
    .toSorted((one, other) => one - other)
}

/** Attached after its creation, which does not lock the other partitions. */
const create = async ({ exec }: PostgresSession, table: DailyTable, day: number): Promise<void> => {
  const name = partitionName(table, day)
  await exec(`CREATE TABLE ${name} (LIKE ${templates[table]} INCLUDING ALL)`)
  await exec(`ALTER TABLE ${table} ATTACH PARTITION ${name}
    FOR VALUES FROM (${day * secondsPerDay}) TO (${(day + 1) * secondsPerDay})`)
}

/** Caches the existing partitions; a failed write clears the cache. */
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
      // Not cached before the commit: the next write reads the partitions again.
      for (const day of days) if (!known[table].has(day)) await create(tx, table, day)
    },
    daysBefore: async (session, table, ts) =>
      (await daysOf(session, table)).filter((day) => (day + 1) * secondsPerDay <= ts),
    clearCache: () => {
      for (const days of Object.values(known)) days.clear()
    },
  }
}

/** For a server without partitions. */
export const noPartitions: Partitions = {
  ensure: async () => {},
  daysBefore: async () => [],
  clearCache: () => {},
}
