import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SourceView } from '../../src/domain/status/source-state.ts'
import type { PoolDetailView, PoolView } from '../../src/domain/views/pool.ts'
import type { HealthView, StatusView } from '../../src/domain/views/service.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import type { StockQuoteView } from '../../src/domain/views/stock-order.ts'
import type { PoolQuoteView } from '../../src/domain/views/swap-quote.ts'
import { isAlive, type Running } from '../setup/processes.ts'
import { type Api, eventually, isFed } from './api.ts'
import { clientOf, kill, launch, stop, untilPrinted } from './launch.ts'
import { readManifest } from './numbers/chain.ts'

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
  api = await clientOf(running)
}

beforeAll(start)

afterAll(async () => {
  if (running !== undefined) await stop(running)
  rmSync(directory, { recursive: true, force: true })
})

const control = async (command: string, fields: Readonly<Record<string, string>>) => {
  const { urls } = readManifest(sandboxDir)
  const body = JSON.stringify(fields)
  const answer = await fetch(`${urls.control}/${command}`, { method: 'POST', body })
  expect(await answer.json()).toEqual(fields)
}

const setMode = (what: 'quotes' | 'screener', mode: string) => control(what, { mode })

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

test('starts with every source ok and every stock fresh', async () => {
  await eventually(allOk, (isOk) => isOk)
  await eventually(readStocks, (stocks) => stocks.every((row) => row.dataStatus === 'fresh'))
})

// Chainlink's feeds continue, so that the source as a whole has not failed.
describe('an issuer', () => {
  test.each([
    ['partial', /^issuer: \d+ of \d+ quotes$/],
    ['future', /^issuer: 0 of \d+ quotes, \d+ rejected \(clock-ahead\)$/],
  ])('that is %s degrades the quotes and shows no false value', async (...of) => {
    const [mode, reason] = of
    await setMode('quotes', mode)
    const row = await eventually(
      () => readSource('quotes'),
      ({ state, lastError }) => state === 'degraded' && reason.test(lastError ?? ''),
    )
    expect(row.ageSeconds).toBeLessThanOrEqual(45)
    for (const { quoteTs } of await readStocks()) {
      expect(quoteTs).toBeLessThanOrEqual(Date.now() / 1000 + 30)
    }
  })

  test('whose bid and ask are far apart sets no price', async () => {
    await setMode('quotes', 'wide')
    const stocks = await eventually(readStocks, (rows) =>
      rows.every((row) => row.dataStatus !== 'fresh'),
    )
    for (const row of stocks) {
      const hasFeed = isFed(row, Math.floor(Date.now() / 1000))
      if (hasFeed) expect(row).toMatchObject({ dataStatus: 'partial', quoteSource: 'chainlink' })
      // The last price that the issuer stood by stays, and is called old however young it is.
      if (row.quoteSource === 'issuer') expect(row.statusReasons).toContain('quote_old')
      expect(row.premiumBps === null || hasFeed).toBe(true)
    }
  })

  test('that recovers makes everything fresh', async () => {
    await setMode('quotes', 'ok')
    await eventually(readStocks, (rows) => rows.every((row) => row.dataStatus === 'fresh'))
    const row = await eventually(
      () => readSource('quotes'),
      ({ state }) => state === 'ok',
    )
    expect(row.lastError).toBeNull()
  })
})

describe('a stock that rebases', () => {
  const readPool = async () => {
    const [pool] = await api.readAll<PoolView>('/api/v1/pools?symbol=IBM')
    return pool ?? null
  }
  let before: PoolView | null = null

  test('has a pool with its balances as reserves, which says so and sets no price', async () => {
    before = await eventually(readPool, (pool) => pool?.reserveSource === 'balance')
    expect(before?.statusReasons).toContain('reserve_rebasing')
    expect(before).toMatchObject({ comparable: false, depthUsd: null, dataStatus: 'partial' })
    expect(before?.stockReserve).toBeGreaterThan(0)
  })

  test('has the reserves of its balances after a rebase, which no log shows', async () => {
    const scale = '0.5'
    await control('rebase', { symbol: 'IBM', scale })
    const isRebased = (pool: PoolView | null) =>
      Math.abs((pool?.stockReserve ?? 0) / ((before?.stockReserve ?? 0) * Number(scale)) - 1) < 1e-9
    const after = await eventually(readPool, isRebased)
    const { sqrtPriceX96, liquidity, otherReserve, lastSwapBlock } = before as PoolView
    expect(after).toMatchObject({ sqrtPriceX96, liquidity, otherReserve, lastSwapBlock })
    expect(after).toMatchObject({ reserveSource: 'balance', comparable: false })
    expect(after?.statusReasons).toContain('reserve_rebasing')
  })

  test('is quoted by no pool, alone or in an order', async () => {
    const path = `/api/v1/pools/${before?.id}/quote?side=sell&stockAmount=1`
    const ofPool = await api.read<PoolQuoteView>(path)
    expect(ofPool.quote).toBeNull()
    expect(ofPool.reasons).toContain('reserve_rebasing')
    const ofStock = await api.read<StockQuoteView>('/api/v1/stocks/IBM/quote?side=sell&usd=100')
    expect(ofStock.quote).toBeNull()
    expect(ofStock.excluded.map(({ poolId }) => poolId)).toEqual([before?.id])
  })
})

const pidOf = (sandbox: string): number => {
  const text = readFileSync(join(sandbox, 'sandbox.json'), 'utf8')
  return (JSON.parse(text) as { pid: number }).pid
}

test('rejects a second service in its directory and leaves its chain alone', async () => {
  const { port } = new URL(api.baseUrl)
  const second = launch(['start', '--port', port], { directory })
  expect(await second.ended).toMatchObject({
    code: 1,
    stderr: `stockpools: cannot listen on 127.0.0.1:${port}: the port is in use\n`,
  })
  const { chain } = await readStatus()
  await eventually(readStatus, (later) => (later.chain.indexedBlock ?? 0) > (chain.headBlock ?? 0))
  await eventually(allOk, (isOk) => isOk)
})

test('leaves nothing behind when stopped during the start of its chain', async () => {
  const place = join(directory, 'early')
  mkdirSync(place)
  const early = launch(['start', '--port', '0'], { directory: place })
  await untilPrinted(early, /"phase":"/)
  const pid = pidOf(join(place, 'data/sandbox'))
  expect(await stop(early)).toBe(0)
  await eventually(
    () => isAlive(pid),
    (alive) => !alive,
  )
})

/** On a slow machine a start may take longer than a sandbox waits for its next owner. */
const holdSandbox = async (): Promise<() => void> => {
  const hold = new AbortController()
  const { urls } = readManifest(sandboxDir)
  await fetch(`${urls.control}/attach`, { signal: hold.signal })
  return () => hold.abort()
}

describe('after a kill and restart', () => {
  const genesisOf = () => readManifest(sandboxDir).genesisHash

  const readBusiest = async (): Promise<PoolDetailView> => {
    const pools = await api.readAll<PoolView>('/api/v1/pools?sort=vol24h')
    return api.read<PoolDetailView>(`/api/v1/pools/${pools[0]?.id}?range=7d`)
  }

  test('resumes on the same chain', async () => {
    const before = { genesis: genesisOf(), pid: pidOf(sandboxDir), status: await readStatus() }
    const busiest = await readBusiest()
    await setMode('screener', 'down')
    const letGo = await holdSandbox()
    await kill(running)
    await start()
    letGo()
    expect([genesisOf(), pidOf(sandboxDir)]).toEqual([before.genesis, before.pid])
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

  test('reports a failed screener and its recovery', async () => {
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

  test('shuts down with its chain', async () => {
    const pid = pidOf(sandboxDir)
    expect(await stop(running)).toBe(0)
    await eventually(
      () => isAlive(pid),
      (alive) => !alive,
    )
  })
})
