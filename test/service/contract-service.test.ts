import { expect, test } from 'vitest'
import type { SourceView } from '../../src/domain/status/source-state.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { HealthView, StatusView } from '../../src/domain/views/service.ts'
import { createApi, eventually, readBesideAllPools } from './api.ts'
import { misfits } from './shape.ts'
import { healthShape, statusShape } from './shapes.ts'
import { baseUrl } from './shared.ts'

const api = createApi(baseUrl)
const readHealth = () => api.read<HealthView>('/api/v1/health')
const readStatus = () => api.read<StatusView>('/api/v1/status')

const sourceNames = ['quotes', 'pools', 'swaps', 'screener']
/** Of quotes, pools, swaps and the screener, in seconds (docs/api.md). */
const maxAges = [45, 30, 30, 120]

const checkSources = (sources: readonly SourceView[], ts: number): void => {
  expect(sources.map(({ source }) => source)).toEqual(sourceNames)
  for (const [index, row] of sources.entries()) {
    const { state, lastAttemptTs, lastSuccessTs, lastError, ageSeconds } = row
    if (lastSuccessTs === null) expect(ageSeconds).toBeNull()
    else expect(ageSeconds).toBe(ts - lastSuccessTs)
    if (state !== 'ok') continue
    expect(lastError).toBeNull()
    expect(lastAttemptTs).toBe(lastSuccessTs)
    expect(ageSeconds).toBeLessThanOrEqual(maxAges[index] ?? 0)
  }
}

test('health has exactly its fields and the four sources of the status', async () => {
  const health = await readHealth()
  expect(misfits(healthShape, health, 'health')).toEqual([])
  checkSources(health.sources, health.ts)
  expect(Math.abs(health.ts - Date.now() / 1000)).toBeLessThan(60)
})

test('the pool counts of health are those of the list', async () => {
  const { all, value: health } = await readBesideAllPools(api, readHealth)
  const count = (name: string, value: unknown) =>
    all.filter((row) => row[name as keyof typeof row] === value).length
  expect(health.pools).toEqual({
    total: all.length,
    active: count('active', true),
    hot: count('hot', true),
    v3: count('version', 'v3'),
    v4: count('version', 'v4'),
    meme: count('kind', 'meme'),
    canonical: count('kind', 'canonical'),
  })
  const { total, meme, canonical } = health.pools
  expect(total - meme - canonical).toBe(count('kind', 'stock-stock'))
})

test('the ETH price matches the pools that hold it', async () => {
  const { all, value: health } = await readBesideAllPools(api, readHealth)
  const ether = all.filter((row) => row.otherSymbol === 'ETH' || row.otherSymbol === 'WETH')
  const prices = ether.filter((row) => row.sqrtPriceX96 !== null).map((row) => row.otherPriceUsd)
  expect(new Set(prices)).toEqual(new Set([health.ethUsd]))
})

test('status has exactly its fields and the documented policy', async () => {
  const status = await readStatus()
  expect(misfits(statusShape, status, 'status')).toEqual([])
  checkSources(status.sources, status.ts)
  const { headBlock, indexedBlock, indexedTs, lagBlocks, lagSeconds, backfill } = status.chain
  expect(lagBlocks).toBe((headBlock ?? 0) - (indexedBlock ?? 0))
  expect(lagSeconds).toBe(status.ts - (indexedTs ?? 0))
  // One endpoint only: nothing is cross-checked (docs/methodology.md §7).
  expect(status.chain.verified).toBe(false)
  expect(backfill.phase).toBe('done')
  expect(backfill.done).toBeLessThanOrEqual(backfill.total)
})

test('the factories have pools, and the index lacks none of them', async () => {
  const { chain, ts } = await eventually(readStatus, (status) => status.chain.coverage !== null)
  const { checked = 0, missing, checkedTs = 0 } = chain.coverage ?? {}
  expect(missing).toBe(0)
  expect(checkedTs).toBeLessThanOrEqual(ts)
  const pools = await api.readAll<PoolView>('/api/v1/pools?version=v3&kind=canonical')
  expect(checked).toBeGreaterThan(0)
  // The sandbox opens more pools after the audit.
  expect(checked).toBeLessThanOrEqual(pools.length)
})

test('creation logs of every venue report the pools that the index has', async () => {
  const isChecked = ({ coverage }: StatusView) =>
    coverage.every(({ checkedBlock }) => checkedBlock !== null)
  const { coverage } = await eventually(readStatus, isChecked)
  expect(coverage.map(({ venue }) => venue)).toContain('Uniswap v4')
  for (const { venue, pools, expected } of coverage) {
    expect(expected, venue).toBeGreaterThan(0)
    expect(pools, venue).toBe(expected)
  }
})

test('shows no block before it has its confirmations', async () => {
  const { chain, policy } = await readStatus()
  expect(chain.lagBlocks).toBeGreaterThanOrEqual(policy.confirmations)
})

test('blocks, swaps, quotes and enrichment advance', async () => {
  const readMarks = async () => {
    const { all } = await readBesideAllPools(api, readStatus)
    const quotes = (await api.readAll<{ quoteTs: number | null }>('/api/v1/stocks')).map(
      ({ quoteTs }) => quoteTs ?? 0,
    )
    return {
      block: all[0]?.asOfBlock ?? 0,
      swapTs: Math.max(...all.map(({ lastSwapTs }) => lastSwapTs ?? 0)),
      enrichedTs: Math.max(...all.map(({ enrichedTs }) => enrichedTs ?? 0)),
      quoteTs: Math.max(...quotes),
    }
  }
  const first = await readMarks()
  const names = Object.keys(first) as (keyof typeof first)[]
  await eventually(readMarks, (later) => names.every((name) => later[name] > first[name]))
})

test('the index lists every endpoint with its parameters', async () => {
  type Endpoint = { method: string; path: string; summary: string; parameters: { name: string }[] }
  const index = await api.read<{ endpoints: Endpoint[]; sandbox: boolean; notice: string }>(
    '/api/v1',
  )
  expect(Object.keys(index)).toEqual([
    ...['service', 'version', 'network', 'sandbox', 'notice', 'explorerUrl', 'endpoints'],
  ])
  expect(index).toMatchObject({ service: 'stockpools', version: 'v1', network: 'sandbox' })
  expect(index.sandbox).toBe(true)
  expect(index.notice).toContain('simulated')
  const listed = index.endpoints.map(({ path, parameters }) => [
    path,
    parameters.map((p) => p.name),
  ])
  const flags = ['version', 'venue', 'active', 'hot', 'comparable']
  const filters = [...flags, 'minLiquidityUsd', 'minDepthUsd', 'sort', 'order']
  expect(Object.fromEntries(listed)).toMatchObject({
    '/api/v1': [],
    '/api/v1/health': [],
    '/api/v1/status': [],
    '/api/v1/pools': ['symbol', 'kind', 'q', 'limit', 'offset', ...filters],
    '/api/v1/pools/:id': ['id', 'range', 'asOfBlock', 'asOfTs'],
    '/api/v1/stocks': ['q', 'limit', 'offset'],
    '/api/v1/stocks/:symbol': ['symbol', 'range'],
    '/healthz': [],
    '/readyz': [],
  })
})

test('the probes report live and ready', async () => {
  for (const path of ['/healthz', '/readyz']) expect(await api.read(path)).toEqual({ ok: true })
})
