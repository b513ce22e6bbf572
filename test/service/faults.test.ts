import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourceView } from '../../src/domain/status/source-state.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { HealthView, StatusView } from '../../src/domain/views/service.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import type { Running } from '../setup/processes.ts'
import { type Api, createApi, eventually } from './api.ts'
import { clientOf, kill, launch, stop, writeNetworkFile } from './launch.ts'
import { readManifest } from './numbers/chain.ts'
import { baseUrl, sandboxDir } from './shared.ts'
import { createTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/*
 * One service beside the running one, on the same chain but over proxies that are cut and
 * reconnected:
 *
 *    service --- proxy --- chain
 *           \--- proxy --- issuer and screener
 *
 * The tests depend on their order.
 */

const directory = mkdtempSync(join(tmpdir(), 'stockpools-faults-'))
const { urls } = readManifest(sandboxDir)
const canary = 'c4n4ry'

let chainProxy: TcpProxy
let webProxy: TcpProxy
let network = ''
let running: Running
let api: Api

const store = 'sqlite:./index.db'
const common = () => ['--network', network, '--store', store]
const serving = ['--port', '0', '--rate-limit', '0']

beforeAll(async () => {
  chainProxy = await createTcpProxy(urls.rpc)
  webProxy = await createTcpProxy(urls.issuer)
  await Promise.all([chainProxy.cut(), webProxy.cut()])
  const viaProxy = (url: string): string => url.replace(new URL(urls.issuer).host, webProxy.host)
  const rpcUrl = new URL(chainProxy.url)
  Object.assign(rpcUrl, { username: 'user', password: canary, search: `?key=${canary}` })
  network = writeNetworkFile(directory, sandboxDir, (file) => ({
    ...file,
    rpcUrls: [rpcUrl.href],
    stocks: { ...file.stocks, registryUrl: viaProxy(file.stocks.registryUrl ?? '') },
    quoteSources: [{ kind: 'issuer', url: webProxy.url }, { kind: 'chainlink' }],
    screener: file.screener && { ...file.screener, url: viaProxy(file.screener.url) },
  }))
  running = launch(['start', ...common(), ...serving], { directory })
  api = await clientOf(running)
})

afterAll(async () => {
  if (running !== undefined) await kill(running)
  await Promise.all([chainProxy.cut(), webProxy.cut()])
  rmSync(directory, { recursive: true, force: true })
})

type Sources = Readonly<Record<SourceView['source'], SourceView>>

const readHealth = () => api.read<HealthView>('/api/v1/health')

const readSources = async (): Promise<Sources> => {
  const { sources, ok } = await readHealth()
  // Whatever its sources do, the service itself works all the time.
  expect(ok).toBe(true)
  return Object.fromEntries(sources.map((row) => [row.source, row])) as Sources
}

/** Of a source that is `ok` or `degraded` (docs/api.md). */
const swapsAgeSecondsMax = 30

const readStatus = () => api.read<StatusView>('/api/v1/status')
const readPools = () => api.readAll<PoolView>('/api/v1/pools')

const statesOf = (rows: Sources): string =>
  Object.values(rows)
    .map((row) => row.state)
    .join(' ')

test('serves the API without chain and quotes and reveals no secret', async () => {
  const rows = await eventually(readSources, ({ swaps, pools }) =>
    [swaps, pools].every((row) => row.lastError !== null),
  )
  for (const row of [rows.swaps, rows.pools]) {
    expect(['degraded', 'down']).toContain(row.state)
    expect([row.lastSuccessTs, row.ageSeconds]).toEqual([null, null])
    expect(row.lastAttemptTs).not.toBeNull()
    expect(row.lastError).toContain(`${chainProxy.host}: connection failed`)
    expect(row.lastError).not.toMatch(/http|key=|user/)
  }
  const { chain } = await readStatus()
  expect(chain).toMatchObject({ headBlock: null, indexedBlock: null, lagSeconds: null })
  expect(chain.backfill.phase).toBe('discover')
  expect(await api.read('/api/v1/pools')).toMatchObject({ items: [], total: 0 })
  for (const path of ['/healthz', '/readyz']) expect(await api.read(path)).toEqual({ ok: true })
})

test('starts indexing once the chain responds, still without the issuer', async () => {
  await chainProxy.reconnect()
  const rows = await eventually(
    readSources,
    ({ swaps, pools, quotes, screener }) =>
      [swaps, pools].every((row) => row.state === 'ok') &&
      quotes.state === 'degraded' &&
      // Down from its third failure on, which may be before the index has come to life.
      ['degraded', 'down'].includes(screener.state),
  )
  expect(rows.swaps.lastError).toBeNull()
  expect(rows.screener.lastError).toContain(webProxy.host)
  const pools = await eventually(readPools, (each) => each.length >= 40)
  expect(pools.filter((row) => row.sqrtPriceX96 !== null && row.stateTs === null)).toEqual([])
  for (const stock of await api.readAll<StockView>('/api/v1/stocks')) {
    expect(stock.dataStatus).not.toBe('fresh')
    expect(stock.quoteSource).not.toBe('issuer')
    expect([stock.quoteBid, stock.quoteAsk]).toEqual([null, null])
  }
})

test('is healthy once the issuer and the screener respond', async () => {
  await webProxy.reconnect()
  const rows = await eventually(readSources, (each) => statesOf(each) === 'ok ok ok ok')
  for (const row of Object.values(rows)) expect(row.lastError).toBeNull()
  await eventually(
    () => api.readAll<StockView>('/api/v1/stocks'),
    (stocks) => stocks.every((stock) => stock.dataStatus === 'fresh'),
  )
})

test('keeps the last data while the chain is unreachable and marks it stale', async () => {
  const before = await readStatus()
  await chainProxy.cut()
  const failing = await eventually(readSources, ({ swaps }) => swaps.lastError !== null)
  const { state, ageSeconds } = failing.swaps
  expect(state).toBe((ageSeconds ?? 0) > swapsAgeSecondsMax ? 'stale' : 'degraded')
  expect(failing.swaps.lastError).toContain(chainProxy.host)
  const [first, pools] = [await readStatus(), await readPools()]
  const later = await eventually(readStatus, ({ ts }) => ts >= first.ts + 2)
  expect(later.chain.indexedBlock).toBe(first.chain.indexedBlock)
  expect(later.chain.indexedBlock).toBeGreaterThanOrEqual(before.chain.indexedBlock ?? 0)
  const waited = later.ts - first.ts
  expect((later.chain.lagSeconds ?? 0) - (first.chain.lagSeconds ?? 0)).toBe(waited)
  expect((later.sources[2]?.ageSeconds ?? 0) - (first.sources[2]?.ageSeconds ?? 0)).toBe(waited)
  expect(pools.length).toBeGreaterThanOrEqual(40)
  expect(await readPools()).toHaveLength(pools.length)
})

test('resumes indexing at the cursor once the chain is back', async () => {
  const { chain } = await readStatus()
  await chainProxy.reconnect()
  await eventually(readSources, ({ swaps }) => swaps.state === 'ok' && swaps.lastError === null)
  await eventually(readStatus, (status) => {
    const { indexedBlock, lagSeconds } = status.chain
    return (indexedBlock ?? 0) > (chain.indexedBlock ?? 0) && (lagSeconds ?? Infinity) < 30
  })
})

test('shuts down in order', async () => {
  expect(await stop(running)).toBe(0)
})

test('never prints the key of its endpoint', async () => {
  const { stdout, stderr } = await running.ended
  expect(stdout + stderr).not.toContain(canary)
  expect(stdout).toContain(chainProxy.host)
  expect(stderr).toBe('')
})

/** What two indexes of one chain must agree on to the last digit. */
const chainFactsOf = (row: PoolView) => {
  const { id, kind, token0, token1, sqrtPriceX96, liquidity, tick, active, swaps24h } = row
  const { lastSwapTs, lastSwapBlock, lastSwapFee, stateTs, createdBlock } = row
  const isRead = row.reserveSource === 'ticks'
  const reserves = isRead ? [row.stockReserve, row.otherReserve] : null
  const state = { sqrtPriceX96, liquidity, tick, active, swaps24h, reserves }
  const swap = { lastSwapTs, lastSwapBlock, lastSwapFee }
  return { id, kind, token0, token1, stateTs, createdBlock, ...state, ...swap }
}

const byId = (a: PoolView, b: PoolView): number => (a.id < b.id ? -1 : 1)

/** Both lists as of the same block; the two services reach most blocks at about the same time. */
const readBoth = (first: Api, second: Api) =>
  eventually(
    async () => {
      const path = '/api/v1/pools'
      const lists = [first.readAll<PoolView>(path), second.readAll<PoolView>(path)]
      return (await Promise.all(lists)).map((rows) => rows.toSorted(byId))
    },
    (lists) => new Set(lists.flat().map((row) => row.asOfBlock)).size === 1,
    { waitMs: 0 },
  )

test('index and api as two processes give the answers of one process', async () => {
  const index = launch(['index', ...common()], { directory })
  running = launch(['api', ...common(), ...serving], { directory })
  try {
    api = await clientOf(running)
    await eventually(readSources, ({ swaps, pools }) => swaps.state + pools.state === 'okok')
    const [own = [], others = []] = await readBoth(api, createApi(baseUrl))
    expect(own.map(chainFactsOf)).toEqual(others.map(chainFactsOf))
  } finally {
    const codes = [await stop(index), await stop(running)]
    expect(codes).toEqual([0, 0])
  }
})

test('rejects its store for another chain', async () => {
  writeNetworkFile(directory, sandboxDir, (file) => ({ ...file, chainId: 4242 }))
  const { code, stderr } = await launch(['index', ...common()], { directory }).ended
  expect([code, stderr]).toEqual([
    1,
    'stockpools: the store holds another chain than this sandbox (4242)\n',
  ])
})
