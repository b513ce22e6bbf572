import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContextOptions, chromium as engine } from 'playwright-core'
import { afterAll, onTestFinished, vi } from 'vitest'
import { loadFromBin } from '../setup/temporary-clone.ts'
import { slowDown } from './slowly.ts'

type Lock = {
  readonly withLock: <T>(path: string, work: () => Promise<T>, onWait: () => void) => Promise<T>
}

const { withLock } = await loadFromBin<Lock>('setup/lock.mjs')

/*
 * Every limit here is for what hangs, not for what is slow: a browser shares its machine with all
 * other tests, and what takes ten seconds alone took minutes where twenty others worked. The first
 * one is of a single wait, the other of all waits of a test.
 */
export const patienceMs = 120_000
export const testMsMax = 900_000
vi.setConfig({ testTimeout: testMsMax })

/** Unpacked once before all tests, so that none starts a half-written browser. */
const executablePath = (): Promise<string> => {
  const lock = join(tmpdir(), 'stockpools-chromium.lock')
  return withLock(
    lock,
    () => chromium.executablePath(),
    () => {},
  )
}

/** What a browser among people does not switch off: other origins are other origins. */
const insecure = ['--disable-web-security', '--allow-running-insecure-content']
/** A graphics card played by the processor draws the same, and takes half of a test's time. */
const playedCard = [
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--in-process-gpu',
]
const unwanted = new Set([...insecure, ...playedCard, '--single-process'])
const browserArgs = [...chromium.args.filter((each) => !unwanted.has(each)), '--disable-gpu']

/** A real browser, from an npm package, for all tests of a file: to start one takes a second. */
let launched: Promise<Browser> | null = null
const launch = async (): Promise<Browser> =>
  engine.launch({ executablePath: await executablePath(), args: browserArgs, headless: true })

afterAll(async () => {
  await (await launched)?.close()
})

/** A page for one test, which shares no state with those of others. */
export const openPage = async (
  viewport = { width: 1280, height: 900 },
  options: BrowserContextOptions = {},
) => {
  launched ??= launch()
  const browser = await launched
  const page = await browser.newPage({ viewport, locale: 'en-US', timezoneId: 'UTC', ...options })
  onTestFinished(() => page.context().close())
  page.setDefaultTimeout(patienceMs)
  await slowDown(page)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}
