import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { answeredPaths, answersOf } from '../../test/support/backup/answers.ts'
import {
  backupToText,
  postgresLocation,
  restoreText,
  type StoreLocation,
  sqliteLocation,
  sqliteLocationAt,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'

/*
 * Files and stores that earlier versions wrote with their own command, named after the commit: that
 * of the first backup, and the last before the fees of a pool and the origins of events.
 *
 *   earlier store ── its own backup ── restore ── backup
 *         └───────── migration ───────────────── backup, the same file
 */

const server = await startPostgres()
afterAll(server.dispose)

const folder = new URL('../../test/support/backup/earlier/', import.meta.url)
const unpacked = (name: string) => gunzipSync(readFileSync(new URL(name, folder)))
const commits = ['65cc73d', 'a7bc790']

const homes: Readonly<Record<string, () => Promise<StoreLocation>>> = {
  SQLite: async () => sqliteLocation(temporaryFolder(onTestFinished)),
  PostgreSQL: async () => postgresLocation(await server.createDatabase()),
}
const cases = commits.flatMap((commit) => Object.keys(homes).map((home) => [commit, home] as const))

const newHome = (kind: string): Promise<StoreLocation> => {
  const create = homes[kind]
  if (create === undefined) throw new Error(`no store is called ${kind}`)
  return create()
}

/** The store itself, migrated by this version. */
const migrated = async (commit: string): Promise<StoreLocation> => {
  const path = join(temporaryFolder(onTestFinished), 'earlier.db')
  writeFileSync(path, unpacked(`${commit}.db.gz`))
  const home = sqliteLocationAt(path)
  await unwrap(await home.openStore()).close()
  return home
}

type Heading = { tables: { name: string; columns: string[]; rows: number }[] }

/** The values of each row by table and column, without kinds. */
const rowsOf = (text: string): ReadonlyMap<string, readonly Record<string, unknown>[]> => {
  const [first = '', ...rest] = text.split('\n')
  const { tables }: Heading = JSON.parse(first)
  return new Map(
    tables.map(({ name, columns, rows }) => [
      name,
      rest.splice(0, rows).map((line) => {
        const values = JSON.parse(line)
        return Object.fromEntries(columns.map((text, at) => [text.split(' ')[0], values[at]]))
      }),
    ]),
  )
}

test.each(cases)(
  'a backup of %s is restored into %s with all that it has',
  async (commit, kind) => {
    const home = await newHome(kind)
    const file = unpacked(`${commit}.gz`).toString('utf8')
    expect(file).not.toContain('tx_index')
    expect(await restoreText(home, [file])).toMatchObject({ ok: true })
    const restored = rowsOf(await backupToText(home))
    let compared = 0
    for (const [name, rows] of rowsOf(file)) {
      expect(restored.get(name)).toMatchObject(rows)
      compared += rows.length
    }
    expect(compared).toBeGreaterThan(40)
    expect(restored.get('swaps')?.[0]).toMatchObject({ tx_index: null, trader: null })
    const change = restored.get('liquidity_changes')?.[0]
    expect(change).toMatchObject({ tx_index: null, owner: null, sender: null, salt: null })
    const pool = restored.get('pools')?.[0]
    expect(pool).toMatchObject({ lp_fee: null, protocol_fee: null, fees_block: null })
  },
)

test.each(cases)('a backup of %s in %s is what a migration makes', async (commit, kind) => {
  const home = await newHome(kind)
  unwrap(await restoreText(home, [unpacked(`${commit}.gz`)]))
  const earlier = await migrated(commit)
  expect(await backupToText(home)).toBe(await backupToText(earlier))
  const answers = await answersOf(home)
  expect(answers.map((answer) => answer.split(' ')[1])).toEqual(answeredPaths.map(() => '200'))
  expect(await answersOf(earlier)).toEqual(answers)
})

/** Changes lines of a file and corrects its checksum. */
const forged = (text: string, change: (heading: Heading, rows: string[]) => void): string => {
  const [first = '', ...rest] = text.split('\n').slice(0, -2)
  const heading: Heading = JSON.parse(first)
  change(heading, rest)
  const body = [JSON.stringify(heading), ...rest].map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${JSON.stringify({ rows: rest.length, sha256 })}\n`
}

const columnsOf = (heading: Heading, name: string): string[] =>
  heading.tables.find((table) => table.name === name)?.columns ?? []

test.each(Object.keys(homes))(
  'the last replacement of an earlier file is kept in %s',
  async (kind) => {
    const home = await newHome(kind)
    const file = forged(unpacked('a7bc790.gz').toString('utf8'), (heading, rows) => {
      const at = columnsOf(heading, 'header').findIndex((text) =>
        text.startsWith('replacement_epoch'),
      )
      const header = JSON.parse(rows[0] ?? '')
      header.splice(at, 3, 1, 2, 1_795_392_002)
      rows[0] = JSON.stringify(header)
    })
    unwrap(await restoreText(home, [file]))
    const rows = rowsOf(await backupToText(home)).get('replacements')
    expect(rows).toEqual([{ epoch: 1, block: 2, ts: 1_795_392_002 }])
  },
)

test.each(Object.keys(homes))(
  '%s knows that an earlier file has no swaps before its oldest',
  async (kind) => {
    const hour = 1_795_392_000 - 7200
    const file = forged(unpacked('a7bc790.gz').toString('utf8'), (heading, rows) => {
      const at = heading.tables.findIndex(({ name }) => name === 'candles')
      const before = heading.tables.slice(0, at).reduce((sum, table) => sum + table.rows, 0)
      const columns = columnsOf(heading, 'candles').map((text) => text.split(' ')[0])
      const candle = JSON.parse(rows[before] ?? '')
      const values: Record<string, number> = { pool: 1, width: 3600, ts: hour, swaps: 3 }
      rows.splice(
        before,
        0,
        JSON.stringify(
          candle.map((value: unknown, at: number) => values[columns[at] ?? ''] ?? value),
        ),
      )
      const table = heading.tables[at]
      if (table !== undefined) table.rows += 1
    })
    const home = await newHome(kind)
    unwrap(await restoreText(home, [file]))
    const restored = rowsOf(await backupToText(home))
    const oldest = Math.min(...(restored.get('swaps') ?? []).map(({ ts }) => Number(ts)))
    expect(restored.get('header')?.[0]).toMatchObject({ swaps_kept_since: oldest })
  },
)

test.each<readonly [string, (text: string) => string, string]>([
  ['cut off', (text) => text.slice(0, -40), 'ends too early'],
  ['cut in its middle', (text) => text.slice(0, text.length / 2), 'ends too early'],
  ['changed', (text) => text.replace('"robinhood",', '"robinhoof",'), 'was changed'],
  [
    'without a column that every version writes',
    (text) => forged(text, (heading) => columnsOf(heading, 'swaps').splice(9, 1)),
    'lacks "swaps.tick integer", which every version writes',
  ],
  [
    'with a column that no version writes',
    (text) => forged(text, (heading) => columnsOf(heading, 'swaps').push('tip integer')),
    'holds "swaps.tip integer", which this version does not know (a newer one wrote it?)',
  ],
  [
    'with rows of this version',
    (text) =>
      forged(text, (heading) => columnsOf(heading, 'swaps').push('tx_index integer or null')),
    'swaps): must have',
  ],
])('an earlier file %s is refused, and the store stays empty', async (_what, change, fault) => {
  const home = await newHome('SQLite')
  const outcome = await restoreText(home, [change(unpacked('65cc73d.gz').toString('utf8'))])
  expect(outcome.ok ? '' : outcome.fault).toContain(fault)
  expect(await restoreText(home, [unpacked('65cc73d.gz')])).toMatchObject({ ok: true })
})
