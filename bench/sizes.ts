import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Outcome } from '../src/domain/outcome.ts'
import type { Store } from '../src/ports/store.ts'
import { createPostgresStore } from '../src/store/postgres/postgres-store.ts'
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { queryAt, startPostgres } from '../test/setup/postgres.ts'
import type { BackupReport } from './sizes/backup-process.ts'
import { fillForSizes } from './sizes/fill.ts'
import type { ModelReport } from './sizes/model-process.ts'
import { type Measured, projectStorage } from './sizes/plan.ts'

/**
 * Measures the size of a store:
 * `npm run bench:sizes -- [--swaps 1000000] [--pools 2000] [--days 7]`.
 * Every measured figure of docs/scaling.md comes from here.
 */

const { values } = parseArgs({
  options: {
    swaps: { type: 'string', default: '1000000' },
    pools: { type: 'string', default: '2000' },
    days: { type: 'string', default: '7' },
    /** Prints the plan from an earlier measurement. */
    from: { type: 'string' },
    json: { type: 'string', default: fileURLToPath(new URL('./out/sizes.json', import.meta.url)) },
  },
})
const params = {
  swaps: Number(values.swaps),
  pools: Number(values.pools),
  days: Number(values.days),
  ticksPerPool: 20,
}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const unwrap = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.fault)
  return outcome.value
}

type TableSize = { readonly table: string; readonly rows: number; readonly bytes: number }

/** Table sizes by pages, indexes included. */
const sizesOfSqlite = (path: string): readonly TableSize[] => {
  const db = new DatabaseSync(path, { readOnly: true })
  const sizes = db
    .prepare(
      `SELECT tbl_name AS name, SUM(pgsize) AS bytes FROM dbstat
       JOIN sqlite_schema ON sqlite_schema.name = dbstat.name GROUP BY tbl_name`,
    )
    .all()
    .map(({ name, bytes }) => ({
      table: String(name),
      bytes: Number(bytes),
      rows: Number(db.prepare(`SELECT COUNT(*) AS rows FROM ${name}`).get()?.rows),
    }))
  db.close()
  return sizes
}

const folder = mkdtempSync(join(tmpdir(), 'stockpools-sizes-'))
const path = join(folder, 'store.db')

/** Seconds to fill and close the store. */
const measureFill = async (what: string, store: Store): Promise<number> => {
  const startedMs = performance.now()
  await fillForSizes(store, params, (done) => {
    if (done % 200_000 === 0) say(`${what}: ${done} swaps written`)
  })
  await store.close()
  const seconds = (performance.now() - startedMs) / 1000
  say(`${what}: filled in ${seconds.toFixed(1)} s`)
  return seconds
}

const measureSqlite = async () => {
  const seconds = await measureFill('SQLite', unwrap(createSqliteStore({ path })))
  return { seconds, bytes: statSync(path).size, tables: sizesOfSqlite(path) }
}

/** Sizes of each table with its partitions and indexes. */
const sizesText = `
  WITH RECURSIVE parts AS (
    SELECT oid AS root, oid FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace = current_schema()::regnamespace
    UNION ALL
    SELECT root, inhrelid FROM parts JOIN pg_inherits ON inhparent = parts.oid
  )
  SELECT root::regclass::text AS name, SUM(pg_total_relation_size(oid))::float8 AS bytes
  FROM parts GROUP BY root`

const measurePostgres = async () => {
  const server = await startPostgres()
  try {
    const url = await server.createDatabase()
    const seconds = await measureFill(
      'PostgreSQL',
      unwrap(await createPostgresStore({ url, leaseGeneration: null })),
    )
    await queryAt(url, 'VACUUM ANALYZE')
    // A fill of a minute outruns the autovacuum, which lets seven days reuse what blocks leave.
    await queryAt(url, 'VACUUM FULL blocks')
    const tables: TableSize[] = []
    for (const { name, bytes } of await queryAt(url, sizesText)) {
      const [count] = await queryAt(url, `SELECT COUNT(*)::float8 AS rows FROM ${name}`)
      tables.push({ table: String(name), bytes: Number(bytes), rows: Number(count?.rows) })
    }
    const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
    const file = join(folder, 'of-postgres')
    const out = await runBackup('backup', file, '--store', url)
    const empty = await server.createDatabase()
    const into = await runBackup('restore', file, '--store', empty)
    return { seconds, bytes, tables, out, into }
  } finally {
    await server.dispose()
  }
}

const reportOf = async <T>(script: string, args: readonly string[]): Promise<T> => {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args)
  const [report] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`${script} ended without a report`)
    }),
  ])) as [T]
  return report
}

const runBackup = async (...args: readonly string[]) => {
  const report = await reportOf<BackupReport>('./sizes/backup-process.ts', args)
  say(`${args[0]}: ${report.seconds.toFixed(1)} s, at most ${report.rssMaxMb.toFixed(0)} MB`)
  return report
}

const measureBackup = async (name: string) => {
  const file = join(folder, name)
  const copy = `${file}.db`
  const out = await runBackup('backup', file, '--store', `sqlite:${path}`)
  const into = await runBackup('restore', file, '--store', `sqlite:${copy}`)
  const sizes = { bytes: statSync(file).size, storeBytes: statSync(copy).size }
  rmSync(copy)
  return { file: name, ...sizes, out, into }
}

const fewPools = 1_000
const manyPools = 46_000

const measureModel = async () => {
  const heapOf = async (pools: number) =>
    (await reportOf<ModelReport>('./sizes/model-process.ts', [String(pools)])).heapMb
  const [few, many] = [await heapOf(fewPools), await heapOf(manyPools)]
  const bytesPerPool = ((many - few) * 1e6) / (manyPools - fewPools)
  say(`read model: ${few.toFixed(0)} MB for ${fewPools} pools, ${many.toFixed(0)} for ${manyPools}`)
  return { few, many, bytesPerPool }
}

const mb = (bytes: number): string => (bytes / 1e6).toFixed(1)

const row = (cells: readonly (string | number)[]) =>
  cells
    .map((cell, at) => String(cell)[at === 0 ? 'padEnd' : 'padStart'](at === 0 ? 24 : 14))
    .join('')

const tableOf = (tables: readonly TableSize[]): string =>
  tables
    .filter(({ rows }) => rows >= 100)
    .map(
      ({ table, rows, bytes }) => `${row([table, rows, mb(bytes), (bytes / rows).toFixed(0)])}\n`,
    )
    .join('')

type Figures = {
  readonly sqlite: { readonly tables: readonly TableSize[] }
  readonly postgres: { readonly tables: readonly TableSize[] }
  readonly model: { readonly bytesPerPool: number }
}

const measuredOf = (figures: Figures, store: 'sqlite' | 'postgres'): Measured => {
  const bytesOf = (name: string): number => {
    const found = figures[store].tables.find(({ table }) => table === name)
    return found === undefined ? 0 : found.bytes / found.rows
  }
  const bytes = { swap: bytesOf('swaps'), block: bytesOf('blocks'), candle: bytesOf('candles') }
  return { bytes, modelBytesPerPool: figures.model.bytesPerPool }
}

const planTable = (figures: Figures): string => {
  const head = row(['plan', 'swaps/day', 'logs/s', 'Mbit/s', 'kept GB', 'GB/year', 'model GB'])
  const lines = (['sqlite', 'postgres'] as const).flatMap((store) =>
    [1, 10, 1_000].map((scale) => {
      const plan = projectStorage(scale, measuredOf(figures, store))
      const { swapsPerDay, chainLogsPerSecond, rpcMegabitPerSecond } = plan
      const cells = [swapsPerDay, chainLogsPerSecond].map((value) => value.toFixed(0))
      const rest = [rpcMegabitPerSecond, plan.keptGb, plan.perYearGb, plan.modelGb]
      return row([`${store} x ${scale}`, ...cells, ...rest.map((value) => value.toFixed(1))])
    }),
  )
  return `${[head, ...lines].join('\n')}\n`
}

const measure = async (): Promise<void> => {
  const sqlite = await measureSqlite()
  const backups = [await measureBackup('backup'), await measureBackup('backup.gz')]
  const postgres = await measurePostgres()
  const model = await measureModel()
  const figures = { params, sqlite, postgres, backups, model }
  process.stdout.write(`${row(['table', 'rows', 'MB', 'bytes a row'])}\n`)
  process.stdout.write(`${tableOf(sqlite.tables)}${row(['all of SQLite', '', mb(sqlite.bytes)])}\n`)
  process.stdout.write(`${tableOf(postgres.tables)}`)
  process.stdout.write(`${row(['all of PostgreSQL', '', mb(postgres.bytes)])}\n`)
  for (const { file, bytes } of backups) process.stdout.write(`${row([file, '', mb(bytes)])}\n`)
  process.stdout.write(`${row(['read model, a pool', '', '', model.bytesPerPool.toFixed(0)])}\n`)
  process.stdout.write(planTable(figures))
  mkdirSync(join(values.json, '..'), { recursive: true })
  writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)
}

try {
  if (values.from === undefined) await measure()
  else process.stdout.write(planTable(JSON.parse(readFileSync(values.from, 'utf8'))))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
