import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { loadFromBin } from '../setup/temporary-clone.ts'
import { buildServer, type TestServerOptions } from '../support/api/harness.ts'
import { repository } from '../tidy/source.ts'
import { enliven } from './lively-market.ts'
import { openPage, patienceMs } from './open-browser.ts'

type Setup = { readonly ensureDashboard: (root: string, node: string) => Promise<boolean> }

const { ensureDashboard } = await loadFromBin<Setup>('setup/dashboard.mjs')

/** To be looked at; not kept with the sources. */
const screenshots = join(repository, 'test', 'browser', 'out')

/** Asked again until it is so; a busy machine may take its time. */
export const soon = <T>(read: () => T) => expect.poll(read, { timeout: patienceMs })

export const ensureBuilt = async (): Promise<void> => {
  expect(await ensureDashboard(repository, process.execPath)).toBe(true)
}

/** Where the links of the lively market lead. */
export const explorerUrl = 'https://explorer.example'

const liveNetwork = { name: 'robinhood', sandbox: false, explorerUrl }

/** Builds the dashboard if need be, and serves it over the lively market. */
export const startDashboard = async (port = 0, parts: TestServerOptions = {}) => {
  await ensureBuilt()
  const { server, market } = buildServer({ network: liveNetwork, ...parts })
  enliven(market)
  const listening = await server.listen({ host: '127.0.0.1', port })
  if (!listening.ok) throw new Error(listening.fault.detail)
  onTestFinished(server.close)
  return { url: listening.value, port: Number(new URL(listening.value).port), market, server }
}

/** A script for a page that asks only what failed again by itself, however long a test takes. */
export const unhurried = `{
  const timeout = setTimeout
  globalThis.setTimeout = (act, ms = 0, ...rest) => (ms <= 4000 ? timeout(act, ms, ...rest) : 0)
}`

/**
 * Sends swaps until the page shows one of them: its stream is then open and has rendered the events
 * before. `send` returns the transactions of its swaps.
 */
export const untilSwapShown = async (page: Page, send: () => readonly string[]): Promise<void> => {
  const sent = new Set<string>()
  const newest = page.locator('a[href*="/tx/"]').first()
  const isShown = async () => {
    for (const transaction of send()) sent.add(transaction)
    return sent.has((await newest.getAttribute('href'))?.split('/tx/')[1] ?? '')
  }
  await expect.poll(isShown, { timeout: patienceMs, interval: 500 }).toBe(true)
  await whole(page)
}

type Look = NonNullable<Parameters<typeof openPage>[1]> & {
  /** Runs in the page before anything of its own. */
  readonly script?: string
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** Waits until all of the page has come: no part of it is busy. */
export const whole = (page: Page): Promise<void> =>
  page
    .locator('#app:not(:empty):not(:has(.loading, [aria-busy=true]))')
    .waitFor({ state: 'attached' })

/** What the address bar says after the path; `page.url()` hears of it later than the page. */
export const search = (page: Page): Promise<string> => page.evaluate('location.search')

/** Another page of the dashboard, whole. */
export const goTo = async (page: Page, target: string): Promise<void> => {
  await page.goto(target)
  await whole(page)
}

/** The page of that path, whole. */
export const lookAt = async (target: string, { viewport, script, ...options }: Look = {}) => {
  const opened = await openPage(viewport, options)
  if (script !== undefined) await opened.page.addInitScript(script)
  await goTo(opened.page, target)
  const keep = (name: string) => {
    mkdirSync(screenshots, { recursive: true })
    return opened.page.screenshot({ path: join(screenshots, `${name}.png`) })
  }
  return { ...opened, keep }
}
