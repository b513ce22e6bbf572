import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { soon } from '../browser/dashboard-page.ts'
import { openPage } from '../browser/open-browser.ts'
import { type Running, startProcess } from '../setup/processes.ts'
import { baseUrl } from './shared.ts'

/* Each program of examples/, as a reader runs it, on the service with its sandbox. */

const folder = fileURLToPath(new URL('../../examples/', import.meta.url))

const run = (name: string, ...args: readonly string[]): Running =>
  startProcess(process.execPath, [`${folder}${name}.ts`, baseUrl, ...args])

/** As `vite examples/tradingview` serves it. */
const serveTradingView = async (): Promise<string> => {
  const server = await createServer({
    root: `${folder}tradingview`,
    configFile: false,
    logLevel: 'silent',
    cacheDir: mkdtempSync(join(tmpdir(), 'stockpools-vite-')),
    server: { host: '127.0.0.1', port: 0 },
  })
  onTestFinished(() => server.close())
  await server.listen()
  return server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
}

test('there are no other examples', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  // `read-parquet` needs no service: src/export/duckdb.integration.test.ts runs it.
  expect(names.toSorted()).toEqual([
    'bot-loop.ts',
    'check-health.ts',
    'fresh-prices.ts',
    'read-parquet.ts',
    'watch-swaps.ts',
  ])
})

test('watch-swaps prints swaps as they are confirmed', async () => {
  const { child, says } = run('watch-swaps')
  onTestFinished(() => {
    child.kill()
  })
  expect(await says(/^\S+Z (buy|sell) [\d.e-]+ \S+ (?:unknown|\$[\d.]+) 0x/m)).toMatch(
    /^(buy|sell)$/,
  )
})

test('bot-loop says how the traders lean and what an order would get', async () => {
  const { child, says } = run('bot-loop')
  onTestFinished(() => {
    child.kill()
  })
  await says(/^\d+ swaps, net -?[\d.]+ dollars$/m)
  await says(/^(?:would (?:buy|sell) [\d.]+ NVDA at [\d.]+ in \d+ pools|no order now: \w+)/m)
})

type Panel = {
  readonly targets: readonly {
    readonly url: string
    readonly root_selector: string
    readonly columns: readonly { readonly selector: string; readonly type: string }[]
  }[]
}

const columnTypes: Readonly<Record<string, string>> = {
  timestamp_epoch_s: 'number',
  number: 'number',
  string: 'string',
}

test('the panels of the Grafana example read rows with their columns', async () => {
  const text = readFileSync(`${folder}grafana/stock.json`, 'utf8')
  const { panels } = JSON.parse(text) as { readonly panels: readonly Panel[] }
  const now = Math.floor(Date.now() / 1000)
  const variables: Readonly<Record<string, string>> = {
    service: baseUrl,
    symbol: 'NVDA',
    '__from:date:seconds': String(now - 6 * 3600),
    '__to:date:seconds': String(now),
  }
  expect(panels).toHaveLength(2)
  for (const { url, root_selector, columns } of panels.flatMap(({ targets }) => targets)) {
    const address = url.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => variables[name] ?? '')
    const answer = (await (await fetch(address)).json()) as Record<string, object[]>
    const [row] = answer[root_selector] ?? []
    const types = columns.map(({ selector }) => typeof (row as Record<string, unknown>)[selector])
    expect(types).toEqual(columns.map(({ type }) => columnTypes[type]))
  }
})

test('the TradingView page draws candles and loads older ones', async () => {
  const { page, complaints } = await openPage()
  await page.goto(`${await serveTradingView()}/?service=${baseUrl}&symbol=NVDA&resolution=1`)
  const status = page.getByRole('status')
  const count = async () => Number(/NVDA: (\d+) candles, last [\d.]+$/.exec(await said())?.[1])
  const said = async () => (await status.textContent()) ?? ''
  await soon(async () => expect(await count()).toBeGreaterThanOrEqual(300))
  const first = await count()
  await page.mouse.move(400, 400)
  for (let drag = 0; drag < 3; drag++) await page.mouse.wheel(-2000, 0)
  await soon(async () => expect(await count()).toBeGreaterThan(first))
  expect(complaints).toEqual([])
})

test('fresh-prices prints the reference and the pools of a stock', async () => {
  const { code, stdout, stderr } = await run('fresh-prices', 'NVDA').ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^NVDA: reference [\d.]+, \w+$/m)
})

test('check-health lists the sources, and its exit code says whether all are ok', async () => {
  const { code, stdout } = await run('check-health').ended
  expect(stdout).toMatch(/^swaps \w+ \d+ s/m)
  const states = [...stdout.matchAll(/^\w+ (\w+) /gm)].map(([, state]) => state)
  expect(code).toBe(states.every((state) => state === 'ok') ? 0 : 1)
})
