import { expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { createApi, eventually, type Page, readBesideAllPools, someOffsets } from './api.ts'
import { readManifest } from './numbers/chain.ts'
import { misfits, misfitsOfRows } from './shape.ts'
import { documentedPoolShape, hookFlagNames, pageShape, poolShape } from './shapes.ts'
import { baseUrl, sandboxDir } from './shared.ts'

const api = createApi(baseUrl)
const path = '/api/v1/pools'
const readAllPools = () => api.readAll<PoolView>(path)

/** Between the moment that the sandbox writes down for a launch, and the block that holds it. */
const launchSeconds = 120

const zeroAddress = `0x${'0'.repeat(40)}`

test('returns the first 25 rows by default', async () => {
  const page = await api.read<Page<PoolView>>(path)
  expect(misfits(pageShape, page, 'page')).toEqual([])
  expect(page).toMatchObject({ limit: 25, offset: 0 })
  expect(page.items).toHaveLength(25)
  expect(page.total).toBeGreaterThanOrEqual(40)
})

test('every row has exactly the documented fields, those of the interface first', async () => {
  const rows = await readAllPools()
  expect(misfitsOfRows(poolShape, rows, 'pools')).toEqual([])
  const documented = Object.keys(documentedPoolShape)
  for (const row of rows) expect(Object.keys(row).slice(0, documented.length)).toEqual(documented)
})

test('all rows of one response are of one block', async () => {
  for (let times = 0; times < 20; times++) {
    const { items } = await api.read<Page<PoolView>>(`${path}?limit=50`)
    const [block] = items.map((row) => row.asOfBlock)
    expect(items.map((row) => row.asOfBlock)).toEqual(items.map(() => block))
    const stateTs = items.filter((row) => row.stateTs !== null).map((row) => row.stateTs)
    expect(new Set(stateTs).size).toBe(1)
  }
})

test('ids, tokens and hooks are consistent', async () => {
  for (const row of await readAllPools()) {
    const { id, version, token0, token1, stockIsToken0, stockAddress, otherAddress, hooks } = row
    expect(id).toHaveLength(version === 'v3' ? 42 : 66)
    expect(token0 < token1, id).toBe(true)
    expect([stockAddress, otherAddress]).toEqual(
      stockIsToken0 ? [token0, token1] : [token1, token0],
    )
    if (version === 'v3') expect([hooks, row.hookFlags]).toEqual([null, null])
    if (token0 === zeroAddress) expect([version, row.otherSymbol]).toEqual(['v4', 'ETH'])
    expect(row.feeDynamic).toBe(row.fee === 0x80_0000)
    if (row.kind === 'stock-stock') expect(stockIsToken0).toBe(true)
    if (hooks === null) continue
    const bits = Number(BigInt(hooks) & 0x3fffn)
    const flags = hookFlagNames.map((name, place) => [name, (bits & (1 << (13 - place))) !== 0])
    expect(row.hookFlags).toEqual(Object.fromEntries(flags))
  }
})

test('unknown values are null in all of their fields', async () => {
  for (const row of await readAllPools()) {
    const { id, sqrtPriceX96, tick, liquidity, stateTs, dataStatus, lastSwapTs } = row
    const isRead = dataStatus !== 'unavailable'
    const state = [sqrtPriceX96, tick, liquidity, stateTs]
    expect(
      state.map((value) => value !== null),
      id,
    ).toEqual([isRead, isRead, isRead, isRead])
    expect(row.lastSwapBlock === null).toBe(lastSwapTs === null)
    const isLogged = !row.feeDynamic || row.hooks !== null
    expect(row.lastSwapFee === null).toBe(lastSwapTs === null || !isLogged)
    expect(row.enrichedTs === null).toBe(row.reserveSource === null)
    if (row.reserveSource === null)
      expect([row.stockReserve, row.otherReserve]).toEqual([null, null])
    if (!isRead) expect([row.stockPriceInOther, row.liquidityUsd]).toEqual([null, null])
    if (row.stockReserve === null) expect(row.liquidityUsd).toBeNull()
    // Nothing is worth nothing, at whatever price.
    if (row.stockPriceUsd === null) expect(row.liquidityUsd ?? 0).toBe(0)
    if (row.kind === 'meme') expect([row.premiumBps, row.driftBps]).toEqual([null, null])
    expect(row.premiumBps === null || row.driftBps === null).toBe(true)
  }
})

test('flags and statuses match their definitions', async () => {
  const partial = ['quote_old', 'quote_missing', 'reserve_old', 'reserve_missing']
  for (const row of await readAllPools()) {
    const { id, active, hot, comparable, statusReasons, dataStatus, premiumBps } = row
    expect(new Set(statusReasons).size).toBe(statusReasons.length)
    if (hot) expect(active, id).toBe(true)
    if (active) expect(BigInt(row.liquidity ?? 0) > 0n, id).toBe(true)
    if (dataStatus === 'fresh')
      expect(statusReasons.filter((code) => partial.includes(code))).toEqual([])
    if (dataStatus === 'partial') expect(statusReasons).not.toEqual([])
    if (row.stateTs !== null)
      expect(statusReasons.includes('state_old')).toBe(dataStatus === 'stale')
    expect(row.vol1hUsd ?? 0).toBeLessThanOrEqual((row.vol24hUsd ?? Infinity) + 1e-6)
    expect(row.estimatedSwaps24h).toBeLessThanOrEqual(row.swaps24h)
    if (!comparable) continue
    expect(row).toMatchObject({ active: true, dataStatus: 'fresh', reserveSource: 'ticks' })
    expect(row.kind).not.toBe('meme')
    expect(statusReasons).not.toContain('market_closed')
    expect(Math.abs(premiumBps ?? Number.NaN)).toBeLessThanOrEqual(5000)
  }
})

test('pools that always trade are fresh unless they have a reason of their own', async () => {
  await eventually(
    readAllPools,
    (rows) => rows.filter((row) => row.dataStatus === 'fresh').length >= 30,
  )
})

test('lists exactly the pools of stocks, each with its kind', async () => {
  const before = readManifest(sandboxDir)
  const listed = await readAllPools()
  // A pool is on the chain a moment before the sandbox has written it down.
  const known = await eventually(
    () => new Map(readManifest(sandboxDir).pools.map((pool) => [pool.id, pool])),
    (pools) => listed.every(({ id }) => pools.has(id)),
  )
  const isOurs = (kind: string) => ['canonical', 'meme', 'stock-stock'].includes(kind)
  for (const row of listed) {
    const pool = known.get(row.id)
    expect(pool, row.id).toMatchObject({
      kind: row.kind,
      version: row.version,
      token0: row.token0,
      token1: row.token1,
      // Logs of the pool may have changed both in Algebra.
      ...(row.protocol === 'algebra-integral'
        ? {}
        : { fee: row.fee, tickSpacing: row.tickSpacing }),
      hooks: row.hooks,
    })
  }
  // A pool that was just launched waits for its block and its confirmations.
  const indexedTs = Math.max(...listed.map(({ stateTs }) => stateTs ?? 0))
  const youngTs = indexedTs - launchSeconds
  const due = before.pools.filter((pool) => isOurs(pool.kind) && (pool.createdTs ?? 0) < youngTs)
  const ids = new Set(listed.map((row) => row.id))
  expect(due.filter((pool) => !ids.has(pool.id))).toEqual([])
})

test.each([1, 7, 25, 50])('pages of %i contain every pool once, in order', async (limit) => {
  // Page by page: on a slow machine there is no time for all of them between two blocks.
  for (const offset of someOffsets((await readAllPools()).length, limit)) {
    const { all, value } = await readBesideAllPools(api, () =>
      api.read<Page<PoolView>>(`${path}?limit=${limit}&offset=${offset}`),
    )
    const ids = all.map((row) => row.id)
    expect(value.items.map((row) => row.id)).toEqual(ids.slice(offset, offset + limit))
    expect(value.total).toBe(ids.length)
  }
})

test('returns an empty page with the total beyond the last pool', async () => {
  const { all, value } = await readBesideAllPools(api, () =>
    api.read<Page<PoolView>>(`${path}?limit=3&offset=1000000`),
  )
  expect(value).toEqual({ items: [], total: all.length, limit: 3, offset: 1_000_000 })
})

test('shows cleaned texts of contracts', async () => {
  const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\ufffd]/u
  const { text } = await api.ask(`${path}?limit=50`)
  expect(text).not.toMatch(hidden)
  expect(text).not.toMatch(/0x[0-9a-f]*[A-F]|NaN|Infinity/)
  const symbols = (await readAllPools()).map((row) => row.otherSymbol ?? '')
  for (const symbol of symbols) expect([...symbol].length).toBeLessThanOrEqual(32)
  const hostile = symbols.filter((symbol) => symbol.includes('<script>'))
  expect(hostile).toEqual(['<script>alert(1)</script>GDSU'])
})
