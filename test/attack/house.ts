import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSandbox } from '../../sandbox/open-sandbox.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { clientOf, kill, launch } from '../service/launch.ts'
import { readManifest } from '../service/numbers/chain.ts'
import { openAttacker } from './attacker.ts'

/** Every pool and stock by what names it. */
export type Rows = {
  readonly pools: ReadonlyMap<string, PoolView>
  readonly stocks: ReadonlyMap<string, StockView>
  readonly block: number
}

/** A sandbox without traders, a service and an attacker. Only quotes move by themselves. */
export const openHouse = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'stockpools-attack-'))
  const settings = { pastHours: 0.1, traders: false }
  const sandbox = await openSandbox({ dataDir: directory, settings })
  const manifest = readManifest(dirname(sandbox.manifest))
  const args = ['start', '--network', sandbox.networkFile, '--store', 'sqlite:./index.db']
  const running = launch([...args, '--port', '0', '--rate-limit', '0'], { directory })
  const [api, attacker] = await Promise.all([clientOf(running), openAttacker(manifest)])
  return {
    manifest,
    attacker,
    rows: async (): Promise<Rows> => {
      const pools = await api.readAll<PoolView>('/api/v1/pools')
      const stocks = await api.readAll<StockView>('/api/v1/stocks')
      return {
        pools: new Map(pools.map((row) => [row.id, row])),
        stocks: new Map(stocks.map((row) => [row.symbol, row])),
        block: Math.min(...pools.map(({ asOfBlock }) => asOfBlock ?? 0)),
      }
    },
    close: async () => {
      await kill(running)
      await sandbox.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export type House = Awaited<ReturnType<typeof openHouse>>
