import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolDetailView, PoolView } from '../../src/domain/view/pool-view.ts'
import type { HealthView, SourceView, StatusView } from '../../src/domain/view/service-view.ts'
import type { StockView } from '../../src/domain/view/stock-view.ts'
import { isAlive, type Running } from '../setup/processes.ts'
import { type Api, createApi, eventually } from './api.ts'
import { kill, launch, servingAt, stop } from './launch.ts'
import { readManifest } from './manifest.ts'

/*
 * A service with a sandbox of its own, so that its quotes, its screener and itself can be spoilt
 * without harm to anybody else. The tests are its chapters, in order.
 */

const directory = mkdtempSync(join(tmpdir(), 'stockpools-sandbox-'))
const sandboxDir = join(directory, 'data/sandbox')

let running: Running
let api: Api

const start = async (): Promise<void> => {
  running = launch(['start', '--port', '0', '--rate-limit', '0'], { directory })
  api = createApi(await servingAt(running))
}

beforeAll(start)

afterAll(async () => {
  if (running !== undefined) await stop(running)
  rmSync(directory, { recursive: true, force: true })
})

const setMode = async (what: 'quotes' | 'screener', mode: string): Promise<void> => {
  const { urls } = readManifest(sandboxDir)
  const body = JSON.stringify({ mode })
  const answer = await fetch(`${urls.control}/${what}`, { method: 'POST', body })
  expect(await answer.json()).toEqual({ mode })
}

const readSource = async (name: SourceView['source']): Promise<SourceView> => {
  const { sources } = await api.read<HealthView>('/api/v1/health')
  return sources.find(({ source }) => source === name) as SourceView
}

const readStocks = () => api.readAll<StockView>('/api/v1/stocks')
const readStatus = () => api.read<StatusView>('/api/v1/status')

const allOk = async (): Promise<boolean> => {
  const { sources } = await api.read<HealthView>('/api/v1/health')
  return sources.every(({ state }) => state === 'ok')
}

const wait = { timeout: 90_000 }

test('begins with every source well and every stock fresh', wait, async () => {
  await eventually(allOk, (isOk) => isOk)
  await eventually(readStocks, (stocks) => stocks.every((row) => row.dataStatus === 'fresh'))
})

describe('the issuer', () => {
  // Chainlink's feeds go on, so that the source as a whole has not failed.
  test.each(['down', 'partial', 'html'])('%s makes the quotes degraded', wait, async (mode) => {
    await setMode('quotes', mode)
    const row = await eventually(
      () => readSource('quotes'),
      ({ state }) => state !== 'ok',
    )
    expect(row.state).toBe('degraded')
    expect(row.ageSeconds).toBeLessThanOrEqual(45)
    await setMode('quotes', 'ok')
    await eventually(
      () => readSource('quotes'),
      ({ state }) => state === 'ok',
    )
  })

  test('whose clock is ahead is not believed', wait, async () => {
    await setMode('quotes', 'future')
    const stocks = await eventually(readStocks, (rows) =>
      rows.every((row) => row.dataStatus !== 'fresh'),
    )
    for (const row of stocks) {
      // In a session a fresh feed is as good, and nothing is wrong with it.
      const isFed = row.marketSession !== 'closed' && row.oracleUsd !== null
      expect(row.statusReasons.includes('clock_ahead')).toBe(!isFed)
      expect(row.dataStatus).toBe(isFed ? 'partial' : row.dataStatus)
      expect(row.premiumBps === null || isFed).toBe(true)
    }
    await setMode('quotes', 'ok')
    await eventually(readStocks, (rows) => rows.every((row) => row.dataStatus === 'fresh'))
  })

  test.each(['wide', 'one-sided'])('whose book is %s tells no price', wait, async (mode) => {
    await setMode('quotes', mode)
    const stocks = await eventually(readStocks, (rows) =>
      rows.every((row) => row.dataStatus !== 'fresh'),
    )
    for (const row of stocks.filter((each) => each.quoteSource === 'issuer')) {
      expect([row.quoteUsd, row.tokenUsd]).toEqual([null, null])
    }
    await setMode('quotes', 'ok')
    await eventually(readStocks, (rows) => rows.every((row) => row.dataStatus === 'fresh'))
  })
})

describe('killed and started again', () => {
  const genesisOf = () => readManifest(sandboxDir).genesisHash
  const pidOf = (): number => {
    const text = readFileSync(join(sandboxDir, 'sandbox.json'), 'utf8')
    return (JSON.parse(text) as { pid: number }).pid
  }

  const readBusiest = async (): Promise<PoolDetailView> => {
    const pools = await api.readAll<PoolView>('/api/v1/pools?sort=vol24h')
    return api.read<PoolDetailView>(`/api/v1/pools/${pools[0]?.id}?range=7d`)
  }

  test('it finds the same chain and goes on where it was', wait, async () => {
    const before = { genesis: genesisOf(), pid: pidOf(), status: await readStatus() }
    const busiest = await readBusiest()
    await setMode('screener', 'down')
    await kill(running)
    await start()
    expect([genesisOf(), pidOf()]).toEqual([before.genesis, before.pid])
    const block = before.status.chain.indexedBlock ?? 0
    const after = await eventually(readStatus, ({ chain }) => (chain.indexedBlock ?? 0) > block)
    expect(after.chain.chainId).toBe(before.status.chain.chainId)
    const path = `/api/v1/pools/${busiest.pool.id}?range=7d`
    const again = await eventually(
      () => api.read<PoolDetailView>(path),
      ({ pool }) => (pool.lastSwapBlock ?? 0) > (busiest.pool.lastSwapBlock ?? 0),
    )
    const known = again.swaps.filter((swap) => swap.block <= (busiest.pool.asOfBlock ?? 0))
    expect(known.length).toBeGreaterThan(0)
    expect(known).toEqual(busiest.swaps.slice(0, known.length))
    expect(again.series.slice(0, 40)).toEqual(busiest.series.slice(0, 40))
  })

  test('a screener that is down since then is told, and so is its return', wait, async () => {
    const row = await eventually(
      () => readSource('screener'),
      ({ lastError }) => lastError !== null,
    )
    expect(['degraded', 'stale']).toContain(row.state)
    const { urls } = readManifest(sandboxDir)
    expect(row.lastError).toContain(new URL(urls.screener).host)
    await setMode('screener', 'ok')
    const later = await eventually(
      () => readSource('screener'),
      ({ state }) => state === 'ok',
    )
    expect(later.lastError).toBeNull()
  })

  test('asked to stop it does, and its chain with it', wait, async () => {
    const pid = pidOf()
    expect(await stop(running)).toBe(0)
    await eventually(
      () => isAlive(pid),
      (alive) => !alive,
    )
  })
})
