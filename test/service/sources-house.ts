import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSandbox } from '../../sandbox/open-sandbox.ts'
import type { SourceView } from '../../src/domain/status/source-state.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StatusView } from '../../src/domain/views/service.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { eventually, sleep } from './api.ts'
import { clientOf, kill, launch, writeNetworkFile } from './launch.ts'
import { readManifest } from './numbers/chain.ts'
import { createTcpProxy } from './tcp-proxy.ts'

/**
 * A sandbox and a service of their own, for tests that take sources away. The screener starts with
 * twice the true figures.
 *
 *    service --- /rpc             the chain, and the feeds on it
 *           |--- proxy --- /rhj   the issuer's quotes
 *           |--- quotes.json      the operator's
 *           '--- /geckoterminal   the screener
 */
export const openHouse = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'stockpools-sources-'))
  // Little past: what these tests look at is yet to come.
  const sandbox = await openSandbox({ dataDir: directory, settings: { pastHours: 0.1 } })
  const manifest = readManifest(dirname(sandbox.manifest))
  const control = async (command: string, body: unknown): Promise<void> => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const { status } = await fetch(`${manifest.urls.control}/${command}`, init)
    if (status !== 200) throw new Error(`the sandbox did not obey ${command}`)
  }

  const proxy = await createTcpProxy(manifest.urls.issuer)
  const quotesFile = join(directory, 'quotes.json')
  const writeQuotes = (text: string): void => writeFileSync(quotesFile, text)
  writeQuotes(operatorsQuotes)
  const network = writeNetworkFile(directory, directory, (file) => ({
    ...file,
    quoteSources: [
      { kind: 'issuer', url: proxy.url },
      { kind: 'chainlink' },
      { kind: 'file', path: quotesFile },
    ],
    screener: {
      kind: 'geckoterminal',
      url: manifest.urls.screener.replace('dexscreener', 'geckoterminal'),
      chain: 'sandbox',
    },
  }))
  await control('screener', { mode: 'inflated' })
  const args = ['start', '--network', network, '--store', 'sqlite:./index.db']
  const running = launch([...args, '--port', '0', '--rate-limit', '0'], { directory })
  const api = await clientOf(running)

  return {
    api,
    manifest,
    proxy,
    control,
    quotesFile,
    writeQuotes,
    close: async () => {
      await kill(running)
      await proxy.cut()
      await sandbox.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export type House = Awaited<ReturnType<typeof openHouse>>

/** Too old to price the stock, but still a quote. */
export const operatorsQuotes = JSON.stringify({
  quotes: [{ symbol: 'NVDA', bid: 100, ask: 100.1, ts: 1_790_000_000 }],
})

export type Sources = Readonly<Record<SourceView['source'], SourceView>>

export const readSources = async ({ api }: House): Promise<Sources> => {
  const { sources } = await api.read<StatusView>('/api/v1/status')
  return Object.fromEntries(sources.map((row) => [row.source, row])) as Sources
}

export const readStocks = ({ api }: House) => api.readAll<StockView>('/api/v1/stocks')

export const readPools = ({ api }: House, query = '') =>
  api.readAll<PoolView>(`/api/v1/pools${query}`)

const lookWaitMs = 100
/** The attempt that was under way when the change came, and the first one after it. */
const attemptsMax = 2

/** An endpoint in cooldown was not asked: the row repeats the fault that caused the cooldown. */
const isCooldown = ({ lastError }: SourceView): boolean =>
  lastError?.endsWith('consecutive failures') ?? false

/**
 * Makes a change and waits until the source's row reports it. Fails if an attempt that started
 * after the change reports otherwise.
 */
export const afterOnePoll = async (
  house: House,
  source: SourceView['source'],
  change: () => unknown,
  isReported: (row: SourceView) => boolean,
): Promise<SourceView> => {
  await change()
  const changedTs = Math.floor(Date.now() / 1000)
  const attempts = new Set<number>()
  for (;;) {
    const { [source]: row } = await readSources(house)
    const { lastAttemptTs } = row
    const isNew = lastAttemptTs !== null && lastAttemptTs > changedTs
    if (isNew && isReported(row)) return row
    if (isNew && !isCooldown(row)) attempts.add(lastAttemptTs)
    if (attempts.size > attemptsMax) throw new Error(`it did not follow: ${JSON.stringify(row)}`)
    await sleep(lookWaitMs)
  }
}

export const isWell = ({ state, lastError }: SourceView): boolean =>
  state === 'ok' && lastError === null

/** Every source is well, and what the quotes say stands in the rows. */
export const untilAllIsWell = async (house: House) => {
  await eventually(
    () => readStocks(house),
    (rows) => rows.length > 0 && rows.every(({ quoteTs }) => quoteTs !== null),
  )
  return eventually(
    () => readSources(house),
    (rows) => Object.values(rows).every(isWell),
  )
}
