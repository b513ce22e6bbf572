import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../test/setup/processes.ts'
import { addressOf } from '../../test/store-contract/fixtures.ts'
import { sqliteLocation, temporaryFolder, unwrap } from '../../test/support/backup/homes.ts'
import {
  fillDays,
  stockPool,
  stockPoolV4,
  swapsOfDay,
  swapsPerDay,
} from '../../test/support/export/filled-store.ts'
import { runExport } from '../../test/support/export/run-export.ts'
import { exportFormats } from '../domain/history/exported-file.ts'
import { openSqliteDays } from '../store/sqlite/day-store.ts'

const exportedFolder = async (): Promise<string> => {
  const folder = temporaryFolder(onTestFinished)
  const location = sqliteLocation(folder)
  const store = unwrap(await location.openStore())
  await fillDays(store)
  await store.close()
  const days = unwrap(openSqliteDays(location.url.slice('sqlite:'.length)))
  const out = join(folder, 'out')
  for (const format of exportFormats) unwrap(await runExport(days, out, { format }))
  await days.close()
  return out
}

const openDuckDb = async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson()
}

test('DuckDB reads what the store has', async () => {
  const out = await exportedFolder()
  const query = await openDuckDb()
  const all = [0, 1, 2].flatMap(swapsOfDay)
  const micro = all.reduce(
    (sum, { usdMicro, amount0 }) => sum + (amount0 === 0n ? 0 : (usdMicro ?? 0)),
    0,
  )
  const bought = all.reduce((sum, { amount0, amount1 }) => {
    const [low, high] = amount0 < amount1 ? [amount0, amount1] : [amount1, amount0]
    return sum + (low < 0n ? -low : high)
  }, 0n)
  const [sums] = await query(`
    SELECT COUNT(*) AS rows, COUNT(DISTINCT (tx_hash, evt_index)) AS places,
      ROUND(SUM(amount_usd) * 1e6) AS micro,
      CAST(SUM(CAST(token_bought_amount_raw AS HUGEINT)) AS VARCHAR) AS bought,
      COUNT(DISTINCT block_date) AS days, MIN(block_time) AS first
    FROM read_parquet('${out}/swaps/*.parquet')`)
  expect(sums).toMatchObject({
    rows: String(3 * swapsPerDay),
    places: String(3 * swapsPerDay),
    micro,
    bought: bought.toString(),
    days: '3',
    first: '2026-11-23 00:00:01',
  })
})

test('DuckDB finds the same rows in all formats', async () => {
  const out = await exportedFolder()
  const query = await openDuckDb()
  const parquetFiles = `read_parquet('${out}/swaps/*.parquet')`
  const described = await query(`DESCRIBE SELECT * FROM ${parquetFiles}`)
  // Left to itself, DuckDB takes short hexadecimal texts for numbers.
  const types = described.map((column) => `'${column.column_name}': '${column.column_type}'`)
  const sources = [
    parquetFiles,
    `read_csv('${out}/swaps/*.csv', types = {${types.join(', ')}})`,
    `read_json('${out}/swaps/*.ndjson', format = 'newline_delimited',
      columns = {${types.join(', ')}})`,
  ]
  const [parquet, ...others] = await Promise.all(
    sources.map((source) => query(`SELECT * FROM ${source} ORDER BY block_number, evt_index`)),
  )
  expect(parquet).toHaveLength(3 * swapsPerDay)
  for (const rows of others) expect(rows).toEqual(parquet)
})

test('a reader finds the row groups of a time by their bounds', async () => {
  const query = await openDuckDb()
  const out = await exportedFolder()
  const bounds = await query(`
    SELECT stats_min_value AS low, stats_max_value AS high, compression
    FROM parquet_metadata('${out}/swaps/2026-11-24.parquet')
    WHERE path_in_schema = 'block_number'`)
  const blocks = swapsOfDay(1).map(({ block }) => block)
  expect(bounds).toEqual([
    { low: String(blocks[0]), high: String(blocks.at(-1)), compression: 'ZSTD' },
  ])
})

test('examples/read-parquet.ts answers from the files of all days', async () => {
  const out = await exportedFolder()
  const script = fileURLToPath(new URL('../../examples/read-parquet.ts', import.meta.url))
  const { code, stdout, stderr } = await startProcess(process.execPath, [script, out, 'AAPL']).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [days = [], hours = [], traders = [], path = []] = stdout
    .split('\n\n')
    .map((table) => table.split('\n').map((line) => line.split(/ {2,}/)))
  const wanted = [0, 1, 2].flatMap((day) =>
    [stockPool, stockPoolV4].map((pool) => {
      const swaps = swapsOfDay(day).filter((swap) => swap.pool === pool && !swap.implausible)
      const priced = swaps.filter(({ usdMicro, amount0 }) => usdMicro !== null && amount0 !== 0n)
      const micro = priced.reduce((sum, { usdMicro }) => sum + (usdMicro ?? 0), 0)
      const usd = Number((micro / 1e6).toFixed(2))
      return `2026-11-${23 + day} ${swaps.length} ${usd} ${swaps.length - priced.length}`
    }),
  )
  const found = days.slice(2).map(([day, , ...numbers]) => [day, ...numbers].join(' '))
  expect(found.toSorted()).toEqual(wanted.toSorted())
  expect(hours[1]).toEqual(['hour', 'swaps', 'vwap'])
  expect(hours).toHaveLength(2 + 24)
  expect(traders.slice(2).map(([trader]) => trader)).toContain(addressOf(7001))
  expect(path[1]).toEqual(['time', 'open', 'high', 'low', 'close'])
  for (const [, open, high, low, close] of path.slice(2)) {
    expect(Number(low)).toBeLessThanOrEqual(Math.min(Number(open), Number(close)))
    expect(Number(high)).toBeGreaterThanOrEqual(Math.max(Number(open), Number(close)))
  }
})
