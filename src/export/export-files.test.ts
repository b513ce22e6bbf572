import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf, day, identityOf } from '../../test/store-contract/fixtures.ts'
import { sqliteLocation, temporaryFolder, unwrap } from '../../test/support/backup/homes.ts'
import {
  changesOfDay,
  fillDays,
  stockPool,
  stockPoolV4,
  swapsOfDay,
  swapsPerDay,
} from '../../test/support/export/filled-store.ts'
import {
  readCsv,
  readManifestOf,
  readNdjson,
  readParquet,
  runExport,
  toCsvRow,
  toJsonRow,
} from '../../test/support/export/run-export.ts'
import { lockFile } from '../cli/compose/file-lock.ts'
import { exportDatasets, exportFormats } from '../domain/history/exported-file.ts'
import { known } from '../domain/reading.ts'
import { toSwapView } from '../domain/valuation/value-swap.ts'
import { openSqliteDays } from '../store/sqlite/day-store.ts'

const names = ['2026-11-23', '2026-11-24', '2026-11-25']

const openFilled = async () => {
  const folder = temporaryFolder(onTestFinished)
  const location = sqliteLocation(folder)
  const store = unwrap(await location.openStore())
  await fillDays(store)
  const days = unwrap(openSqliteDays(location.url.slice('sqlite:'.length)))
  onTestFinished(async () => {
    await days.close()
    await store.close()
  })
  return { store, days, out: join(folder, 'out') }
}

test('every finished day is a file with the swaps of the store', async () => {
  const { days, out } = await openFilled()
  const done = unwrap(await runExport(days, out))
  expect(done.written.map(({ day: name, rows }) => [name, rows])).toEqual(
    names.map((name) => [name, swapsPerDay]),
  )
  const rows = await readParquet(join(out, 'swaps/2026-11-24.parquet'))
  const stored = swapsOfDay(1)
  expect(rows.map(({ tx_hash, evt_index }) => [tx_hash, evt_index])).toEqual(
    stored.map(({ txHash, logIndex }) => [txHash, logIndex]),
  )
  expect(rows.map((row) => row.sqrt_price_x96)).toEqual(
    stored.map(({ sqrtPriceX96 }) => sqrtPriceX96.toString()),
  )
  expect(new Set(rows.map(({ tx_hash, evt_index }) => `${tx_hash} ${evt_index}`)).size).toBe(
    swapsPerDay,
  )
})

test('a row of a swap says what the API says', async () => {
  const { days, out } = await openFilled()
  unwrap(await runExport(days, out, { range: { fromTs: day, toTs: day } }))
  const rows = await readParquet(join(out, 'swaps/2026-11-23.parquet'))
  const pairs = swapsOfDay(0).map((swap, at) => ({ swap, row: rows[at] ?? {} }))
  const inV3 = pairs.filter(({ swap }) => swap.pool === stockPool)
  for (const { swap, row } of inV3) {
    const view = toSwapView(swap, {
      classification: { kind: 'meme', stockIsToken0: true },
      decimals0: known(18),
      decimals1: known(6),
      fee: 3000,
    })
    const isBuy = view.side === 'buy'
    expect(row).toMatchObject({
      blockchain: 'robinhood',
      project: 'uniswap',
      version: '3',
      block_number: BigInt(view.block),
      block_time: new Date(view.ts * 1000),
      side: view.side,
      [isBuy ? 'token_bought_amount' : 'token_sold_amount']: view.stockAmount,
      [isBuy ? 'token_sold_amount' : 'token_bought_amount']: view.otherAmount,
      token_bought_symbol: isBuy ? 'AAPL' : 'USD "G", €',
      token_pair: 'AAPL-USD "G", €',
      stock_symbol: 'AAPL',
      stock_address: addressOf(102),
      sender: view.sender,
      fee: view.fee,
      tick: view.tick,
      implausible: view.implausible,
      pool_id: identityOf(stockPool).id,
      project_contract_address: identityOf(stockPool).id,
    })
    expect(row.price_in_other ?? null).toBe(view.priceInOther)
    expect(row.amount_usd ?? null).toBe(view.amountUsd)
    expect(row.taker ?? null).toBe(view.recipient)
    expect(row.tx_from ?? null).toBe(swap.trader)
    expect(row.tx_index ?? null).toBe(swap.txIndex)
    expect(row.maker ?? null).toBeNull()
  }
  const v4 = pairs.find(({ swap }) => swap.pool === stockPoolV4)?.row
  expect(v4).toMatchObject({
    ...{ version: '4', project: 'uniswap', protocol: 'uniswap-v4', venue_address: addressOf(7) },
    maker: identityOf(stockPoolV4).id,
    project_contract_address: addressOf(7),
    stock_symbol: 'AAPL',
  })
  const others = pairs.filter(({ row }) => (row.stock_symbol ?? null) === null)
  expect(others).toHaveLength(swapsPerDay / 3)
  expect(others.every(({ row }) => (row.side ?? null) === null)).toBe(true)
})

test('all formats have the same rows of every dataset', async () => {
  const { days, out } = await openFilled()
  for (const dataset of exportDatasets) {
    for (const format of exportFormats) unwrap(await runExport(days, out, { dataset, format }))
    const [name = ''] = readdirSync(join(out, dataset)).filter((file) => file.endsWith('.parquet'))
    const path = join(out, dataset, name.replace('.parquet', ''))
    const rows = (await readParquet(`${path}.parquet`)).map(toJsonRow)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows).toEqual(readNdjson(`${path}.ndjson`))
    expect(readCsv(`${path}.csv`)).toEqual(rows.map(toCsvRow))
  }
  const { files } = readManifestOf(out)
  expect(files).toHaveLength(4 * 9 + 2 * 3)
  for (const file of files) {
    expect(readFileSync(join(out, file.path))).toHaveLength(file.bytes)
  }
})

test('the manifest has the blocks of a file, with their hashes while they are kept', async () => {
  const { store, days, out } = await openFilled()
  unwrap(await runExport(days, out, { range: { fromTs: day + 172_800, toTs: null } }))
  await store.prune({ swapsBeforeTs: day + 172_800, minuteRowsBeforeTs: day })
  unwrap(
    await runExport(days, out, { format: 'csv', range: { fromTs: day + 172_800, toTs: null } }),
  )
  const [kept, pruned] = readManifestOf(out).files
  const [first, last] = [swapsOfDay(2)[0], swapsOfDay(2).at(-1)]
  expect(kept?.fromBlock).toMatchObject({ number: first?.block })
  expect(kept?.toBlock).toEqual({
    number: last?.block,
    hash: `0x${((last?.block ?? 0) * 16).toString(16).padStart(64, '0')}`,
  })
  expect(pruned?.rows).toBe(swapsPerDay)
})

test('changes of liquidity have their positions', async () => {
  const { days, out } = await openFilled()
  unwrap(await runExport(days, out, { dataset: 'liquidity' }))
  const rows = await readParquet(join(out, 'liquidity/2026-11-23.parquet'))
  expect(rows.map((row) => row.liquidity_delta)).toEqual(
    changesOfDay(0).map(({ liquidityDelta }) => liquidityDelta.toString()),
  )
  expect(rows.map((row) => row.salt ?? null)).toEqual(changesOfDay(0).map(({ salt }) => salt))
  expect(rows.map((row) => row.owner ?? null)).toEqual(changesOfDay(0).map(({ owner }) => owner))
})

test('a second export writes only what is missing or not as it was', async () => {
  const { days, out } = await openFilled()
  unwrap(await runExport(days, out))
  const before = readManifestOf(out)
  expect(unwrap(await runExport(days, out))).toEqual({ written: [], kept: 3 })
  rmSync(join(out, 'swaps/2026-11-24.parquet'))
  writeFileSync(join(out, 'swaps/.2026-11-24.parquet.partial'), 'half of a killed export')
  const again = unwrap(await runExport(days, out))
  expect([again.written.map(({ day: name }) => name), again.kept]).toEqual([['2026-11-24'], 2])
  expect(readdirSync(join(out, 'swaps'))).toEqual(names.map((name) => `${name}.parquet`))
  const path = join(out, 'swaps/2026-11-25.parquet')
  const bytes = readFileSync(path)
  bytes[100] = (bytes[100] ?? 0) ^ 1
  writeFileSync(path, bytes)
  expect(unwrap(await runExport(days, out)).kept).toBe(3)
  expect(unwrap(await runExport(days, out, { check: 'content' })).kept).toBe(2)
  const sums = ({ files }: typeof before) =>
    files.map(({ path: name, sha256 }) => [name, sha256]).sort()
  expect(sums(readManifestOf(out))).toEqual(sums(before))
})

test('a day is left out until its last block is finalized', async () => {
  const { store, days, out } = await openFilled()
  unwrap(await runExport(days, out))
  expect(existsSync(join(out, 'swaps/2026-11-26.parquet'))).toBe(false)
  const toTs = day + 10 * 86_400
  expect(unwrap(await runExport(days, out, { range: { fromTs: toTs, toTs } }))).toEqual({
    written: [],
    kept: 0,
  })
  const header = await store.snapshot((snapshot) => snapshot.header())
  expect(header?.finalizedCursor?.ts).toBe(day + 3 * 86_400 + 1000)
})

test('a filter has a directory of its own', async () => {
  const { days, out } = await openFilled()
  const pool = identityOf(stockPoolV4).id
  const [ofStock, ofPool] = [
    { symbol: 'AAPL', pool: null },
    { symbol: null, pool },
  ]
  unwrap(await runExport(days, join(out, 'stock'), { filter: ofStock }))
  unwrap(await runExport(days, join(out, 'pool'), { filter: ofPool }))
  const stockRows = await readParquet(join(out, 'stock/swaps/2026-11-23.parquet'))
  expect(stockRows).toHaveLength((swapsPerDay / 3) * 2)
  const poolRows = await readParquet(join(out, 'pool/swaps/2026-11-23.parquet'))
  expect(new Set(poolRows.map(({ pool_id }) => pool_id))).toEqual(new Set([pool]))
  expect(await runExport(days, join(out, 'stock'))).toEqual({
    ok: false,
    fault:
      `${join(out, 'stock')} holds files with --symbol AAPL, ` +
      'expected a directory of its own for no filter',
  })
  const unknown = { filter: { symbol: 'TSLA', pool: null } }
  expect(await runExport(days, join(out, 'tesla'), unknown)).toMatchObject({
    fault: '--symbol: the store has no verified stock TSLA',
  })
  const gone = { filter: { symbol: null, pool: addressOf(1) } }
  expect(await runExport(days, join(out, 'gone'), gone)).toMatchObject({
    fault: `--pool: the store has no pool ${addressOf(1)}`,
  })
})

test('days that retention has deleted, in whole or in part, are not written', async () => {
  const { store, days, out } = await openFilled()
  await store.prune({ swapsBeforeTs: day + 90_000, minuteRowsBeforeTs: day + 90_000 })
  const skipped: string[] = []
  const done = unwrap(await runExport(days, out, {}, { skipped }))
  expect(skipped).toEqual(['2026-11-24'])
  expect(done.written.map(({ day: name }) => name)).toEqual(['2026-11-25'])
  const asked = await runExport(days, join(out, 'asked'), { range: { fromTs: day, toTs: null } })
  expect(asked).toEqual({
    ok: false,
    fault: 'the store no longer has all swaps of 2026-11-23: expected a later --from',
  })
  expect(readdirSync(join(out, 'asked/swaps'))).toEqual([])
  const candles = unwrap(await runExport(days, join(out, 'candles'), { dataset: 'candles' }, {}))
  expect(candles.written.map(({ day: name }) => name)).toEqual(['2026-11-25'])
  const points = await runExport(days, join(out, 'points'), { dataset: 'references' })
  expect(points).toMatchObject({ ok: true })
})

test('two exports do not write into one directory', async () => {
  const { days, out } = await openFilled()
  unwrap(await runExport(days, out))
  const release = unwrap(lockFile(join(out, '.lock')))
  expect(await runExport(days, out)).toEqual({
    ok: false,
    fault: `${out} is in use by process ${process.pid}: stop that one first`,
  })
  release()
  expect(await runExport(days, out)).toMatchObject({ ok: true })
})

test('a stopped export leaves whole files only', async () => {
  const { days, out } = await openFilled()
  expect(await runExport(days, out, {}, { signal: AbortSignal.abort() })).toMatchObject({
    fault: 'the export was stopped; the next one continues with the days that are missing',
  })
  expect(readdirSync(join(out, 'swaps'))).toEqual([])
})

test('a directory that cannot be used is named', async () => {
  const { days, out } = await openFilled()
  writeFileSync(out, 'a file')
  expect(await runExport(days, out)).toEqual({
    ok: false,
    fault: `${out} cannot be used: a file is in the place of a folder`,
  })
  rmSync(out)
  unwrap(await runExport(days, out))
  writeFileSync(join(out, 'manifest.json'), '{')
  expect(await runExport(days, out)).toMatchObject({
    fault: `${join(out, 'manifest.json')} is not valid JSON`,
  })
})
