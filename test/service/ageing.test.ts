import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { HealthView, StatusView } from '../../src/domain/views/service.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { type Api, eventually, isFed } from './api.ts'
import { clientOf, launch, stop, writeNetworkFile } from './launch.ts'
import { sandboxDir } from './shared.ts'

/*
 * Whether data is old is a matter of the clock alone. So a second process that serves the living
 * store, and whose clock runs ahead, must answer like the first one would if its writer had died
 * that long ago: nothing that is old may look fresh.
 */

const directory = mkdtempSync(join(tmpdir(), 'stockpools-ageing-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const network = writeNetworkFile(directory, sandboxDir)
const store = `sqlite:${join(sandboxDir, '../sandbox.db')}`

/** A module that node loads before anything else. */
const aheadBy = (seconds: number): string => {
  const module = `const now = Date.now; Date.now = () => now() + ${seconds * 1000}`
  return `--import=data:text/javascript,${encodeURIComponent(module)}`
}

const serveAhead = async (seconds: number, look: (api: Api) => Promise<void>): Promise<void> => {
  const args = ['api', '--network', network, '--store', store, '--port', '0', '--rate-limit', '0']
  const environment = { NODE_OPTIONS: aheadBy(seconds) }
  const running = launch(args, { directory, environment })
  try {
    await look(await clientOf(running))
  } finally {
    expect(await stop(running)).toBe(0)
  }
}

const statesOf = ({ sources }: StatusView): readonly string[] => sources.map(({ state }) => state)

type Seen = {
  readonly health: HealthView
  readonly status: StatusView
  readonly pools: readonly PoolView[]
  readonly stocks: readonly StockView[]
}

const see = async (api: Api): Promise<Seen> => ({
  health: await api.read('/api/v1/health'),
  status: await api.read('/api/v1/status'),
  pools: await api.readAll('/api/v1/pools'),
  stocks: await api.readAll('/api/v1/stocks'),
})

const initialised = ({ pools }: Seen): readonly PoolView[] =>
  pools.filter((row) => row.sqrtPriceX96 !== null)

describe.concurrent('the same store, served with a clock that is ahead', () => {
  test('by nothing: everything is fresh', () =>
    serveAhead(0, async (api) => {
      const areWell = ({ status }: Seen) => statesOf(status).every((state) => state === 'ok')
      const areYoung = (seen: Seen) => initialised(seen).every((row) => row.dataStatus !== 'stale')
      // The writer itself may be late on a busy machine.
      const seen = await eventually(
        () => see(api),
        (each) => areWell(each) && areYoung(each),
      )
      expect(seen.health.ok).toBe(true)
    }))

  test('by a minute: pool states and quotes are stale, reserves and the screener are not', () =>
    serveAhead(60, async (api) => {
      // An attempt may fail on a busy machine, which is another reason to say so.
      const seen = await eventually(
        () => see(api),
        ({ status }) => status.sources.every(({ lastError }) => lastError === null),
      )
      expect(seen.health.ok).toBe(true)
      const { status } = seen
      expect(statesOf(status).slice(0, 3)).toEqual(['stale', 'stale', 'stale'])
      for (const { ageSeconds } of status.sources) expect(ageSeconds).toBeGreaterThanOrEqual(60)
      expect(status.chain.lagSeconds).toBeGreaterThanOrEqual(60)
      for (const row of initialised(seen)) {
        expect(row.dataStatus).toBe('stale')
        expect(row.statusReasons).toContain('state_old')
        expect(row.comparable).toBe(false)
        expect(row.sqrtPriceX96).not.toBeNull()
      }
      for (const row of seen.stocks) {
        expect(row.statusReasons).toContain('quote_old')
        expect(row.dataStatus).toBe(isFed(row, seen.health.ts) ? 'partial' : 'stale')
        expect(row.quoteUsd).not.toBeNull()
      }
    }))

  test('by a quarter of an hour: the sources are down, the last values are still shown', () =>
    serveAhead(900, async (api) => {
      const seen = await see(api)
      expect(seen.health.ok).toBe(true)
      expect(statesOf(seen.status)).toEqual(['down', 'down', 'down', 'stale'])
      for (const row of initialised(seen)) {
        expect(row.dataStatus).toBe('stale')
        if (row.reserveSource !== null) expect(row.statusReasons).toContain('reserve_old')
      }
      expect(await api.read('/readyz')).toEqual({ ok: true })
    }))

  test('a month behind: values from the future are not fresh', () =>
    serveAhead(-30 * 86_400, async (api) => {
      const seen = await see(api)
      const { status } = seen
      expect(statesOf(status)).not.toContain('ok')
      for (const row of initialised(seen)) {
        expect(row.dataStatus).not.toBe('fresh')
        expect(row.statusReasons).toContain('clock_ahead')
        expect(row.comparable).toBe(false)
      }
      for (const row of seen.stocks) {
        expect(row.dataStatus).not.toBe('fresh')
        expect(row.statusReasons).toContain('clock_ahead')
      }
    }))
})
