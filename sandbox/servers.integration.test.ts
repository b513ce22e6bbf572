import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Manifest } from './manifest.ts'
import { readManifest } from './observer.fixture.ts'
import { type OpenedSandbox, openSandbox } from './open-sandbox.ts'
import { removeSandbox } from './remove-sandbox.fixture.ts'

/*
 * The servers return the shapes recorded from the real ones: the key lists are those of responses
 * of the issuer (registry of 2026-08-08, quote of 2026-09-23) and of DexScreener.
 */

const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-servers-'))
let sandbox: OpenedSandbox
let manifest: Manifest

beforeAll(async () => {
  sandbox = await openSandbox({ dataDir, settings: { pastHours: 0.1, traders: false } })
  manifest = readManifest(sandbox.manifest)
})

afterAll(() => removeSandbox(sandbox, dataDir))

type Row = Record<string, unknown>

const get = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T
const control = (command: string, body: unknown) =>
  fetch(`${manifest.urls.control}/${command}`, { method: 'POST', body: JSON.stringify(body) })

const quoteKeys = [
  ...['tokenSymbol', 'deployments', 'bid', 'ask', 'currency', 'dailyTradingVolume'],
  ...['isTradingHalt', 'generatedAt', 'dailyHigh', 'dailyLow'],
  ...['mintBurnTokenVolume', 'mintBurnUsdVolume'],
]

test('a quote has the keys, strings and nanoseconds of a recorded one', async () => {
  const { quotes } = await get<{ quotes: Row[] }>(`${manifest.urls.issuer}/prices/NVDA`)
  const [quote = {}] = quotes
  expect(Object.keys(quote)).toEqual(quoteKeys)
  expect(quote.bid).toMatch(/^\d+\.\d\d$/)
  expect(quote.generatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
  const age = Date.now() - Date.parse(String(quote.generatedAt))
  // Generated now, not at the time of past blocks.
  expect(age).toBeLessThan(60_000)
  expect(Object.keys((quote.deployments as Row[])[0] ?? {})).toEqual([
    ...['contractAddress', 'chainId', 'networkName', 'itnEnabled', 'atomicEnabled'],
  ])
})

test('the bulk response has no volumes, and prices are per share', async () => {
  const { quotes } = await get<{ quotes: Row[] }>(`${manifest.urls.issuer}/prices`)
  expect(quotes).toHaveLength(20)
  expect(new Set(quotes.map((quote) => quote.dailyTradingVolume))).toEqual(new Set(['0']))
  const halted = quotes.filter((quote) => quote.isTradingHalt).map((quote) => quote.tokenSymbol)
  expect(halted).toEqual(['GME'])
  const share = Number(quotes.find((quote) => quote.tokenSymbol === 'CRWD')?.bid)
  expect(share * 4).toBeGreaterThan(400)
  expect(share * 4).toBeLessThan(700)
})

test('the registry has the recorded keys and lists pending multipliers', async () => {
  const { assets } = await get<{ assets: Row[] }>(`${manifest.urls.issuer}/assets`)
  expect(Object.keys(assets[0] ?? {})).toEqual([
    ...['id', 'tokenSymbol', 'tokenName', 'deployments', 'currentMultiplier'],
    ...['pendingMultiplier', 'status', 'logoUrl', 'tradingCapabilities', 'tokenDecimals', 'isin'],
  ])
  const multipliers = assets
    .filter((asset) => asset.currentMultiplier !== '1.000000000000000000')
    .map((asset) => [asset.tokenSymbol, asset.currentMultiplier])
  expect(multipliers).toEqual([
    ['CRWD', '4.000000000000000000'],
    ['SGOV', '1.021500000000000000'],
    ['NFLX', '1.500000000000000000'],
    ['WORCL', '1.050000000000000000'],
  ])
  const pending = assets.filter((asset) => asset.pendingMultiplier !== '')
  expect(pending.map((asset) => asset.tokenSymbol)).toEqual(['PLTR'])
})

test('a multiplier changes the share price, not the token price', async () => {
  const bidOf = async (): Promise<number> => {
    const { quotes } = await get<{ quotes: Row[] }>(`${manifest.urls.issuer}/prices/AMD`)
    return Number(quotes[0]?.bid)
  }
  const before = await bidOf()
  await control('multiplier', { symbol: 'AMD', multiplier: '10', inSeconds: 1 })
  await expect.poll(bidOf).toBeLessThan(before / 5)
  expect((await bidOf()) * 10).toBeCloseTo(before, -1)
})

const pairKeys = [
  ...['chainId', 'dexId', 'url', 'pairAddress', 'labels', 'baseToken', 'quoteToken'],
  ...['priceNative', 'priceUsd', 'txns', 'volume', 'priceChange', 'liquidity', 'fdv'],
  ...['marketCap', 'pairCreatedAt'],
]

test('the screener lists v3 pools by address and v4 pools by id, but not every pool', async () => {
  const ids = manifest.pools.map((pool) => pool.id)
  const url = `${manifest.urls.screener}/latest/dex/pairs/sandbox`
  type Body = { schemaVersion: string; pairs: Row[] | null; pair: Row | null }
  const bodies = [
    await get<Body>(`${url}/${ids.slice(0, 30).join()}`),
    await get<Body>(`${url}/${ids.slice(30, 60).join()}`),
  ]
  const pairs = bodies.flatMap((body) => body.pairs ?? [])
  expect(bodies[0]?.pair).toEqual(bodies[0]?.pairs?.[0])
  expect(Object.keys(pairs[0] ?? {})).toEqual(pairKeys)
  expect(new Set(pairs.map((pair) => String(pair.pairAddress).length))).toEqual(new Set([42, 66]))
  expect(pairs.length).toBeGreaterThan(30)
  expect(pairs.length).toBeLessThan(60)
  const dollars = pairs
    .map((pair) => pair.baseToken as Row)
    .filter(({ symbol }) => symbol === 'USDG')
  expect(dollars.length, 'base and quote reversed').toBeGreaterThan(0)
  expect(await get(`${url}/0x${'1'.repeat(40)}`)).toEqual({
    ...{ schemaVersion: '1.0.0', pairs: null, pair: null },
  })
})

test('GeckoTerminal serves the same figures as strings, and inflated ones on demand', async () => {
  const ids = manifest.pools.map((pool) => pool.id).slice(0, 20)
  const root = manifest.urls.screener.replace('dexscreener', 'geckoterminal')
  const itemsOf = async () => {
    type Item = { id: string; attributes: Row & { reserve_in_usd: string } }
    const url = `${root}/networks/sandbox/pools/multi/${ids.join()}`
    const { data } = await get<{ data: readonly Item[] }>(url)
    return data.map(({ id, attributes }) => [id, Number(attributes.reserve_in_usd)] as const)
  }
  type Pair = { pairAddress: string; liquidity: { usd: number } }
  const url = `${manifest.urls.screener}/latest/dex/pairs/sandbox/${ids.join()}`
  const { pairs } = await get<{ pairs: readonly Pair[] }>(url)
  const expected = pairs.map(
    ({ pairAddress, liquidity }) =>
      [`sandbox_${pairAddress.toLowerCase()}`, liquidity.usd] as const,
  )
  expect(expected.length).toBeGreaterThan(10)
  expect(await itemsOf()).toEqual(expected)
  await control('screener', { mode: 'inflated' })
  expect(await itemsOf()).toEqual(expected.map(([id, usd]) => [id, usd * 2]))
  await control('screener', { mode: 'empty' })
  expect(await itemsOf()).toEqual([])
  await control('screener', { mode: 'ok' })
})

test('injects and clears faults on demand', async () => {
  const prices = `${manifest.urls.issuer}/prices`
  await control('quotes', { mode: 'rate-limited' })
  const limited = await fetch(prices)
  expect([limited.status, await limited.text()]).toEqual([200, 'local_rate_limited'])
  await control('quotes', { mode: 'down' })
  await expect(fetch(prices)).rejects.toThrow()
  await control('quotes', { mode: 'partial' })
  const { quotes } = await get<{ quotes: Row[] }>(prices)
  expect(quotes).toHaveLength(10)
  const isQuoted = ({ symbol }: { symbol: string }) =>
    quotes.some((row) => row.tokenSymbol === symbol)
  const missing = manifest.tokens.find(
    (token) => token.role === 'stock' && !isQuoted(token),
  )?.symbol
  expect((await fetch(`${prices}/${missing}`)).status).toBe(200)
  await control('quotes', { mode: 'lacking' })
  expect((await get<{ quotes: Row[] }>(prices)).quotes).toHaveLength(10)
  expect((await fetch(`${prices}/${missing}`)).status).toBe(404)
  await control('quotes', { mode: 'future' })
  const ahead = (await get<{ quotes: Row[] }>(prices)).quotes[0]?.generatedAt
  expect(Date.parse(String(ahead))).toBeGreaterThan(Date.now() + 200_000)
  await control('quotes', { mode: 'ok' })
  await control('rpc', { mode: 'down' })
  const ask = () => fetch(manifest.urls.rpc, { method: 'POST', body: '{}' })
  await expect(ask()).rejects.toThrow()
  await control('rpc', { mode: 'ok' })
  expect((await ask()).status).toBe(200)
  const wrong = await control('quotes', { mode: 'sideways' })
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('one of')])
  expect((await fetch(`${manifest.urls.control}/nothing`)).status).toBe(404)
})
