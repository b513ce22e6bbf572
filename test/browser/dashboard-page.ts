import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { buildServer, type TestServerParts } from '../../src/api/testing/harness.ts'
import { loadFromBin } from '../setup/temporary-clone.ts'
import { repository } from '../tidy/source.ts'
import { enliven } from './lively-market.ts'
import { openPage } from './open-browser.ts'

type Setup = { readonly ensureDashboard: (root: string, node: string) => Promise<boolean> }

const { ensureDashboard } = await loadFromBin<Setup>('setup/dashboard.mjs')

/** To be looked at; not kept with the sources. */
const screenshots = join(repository, 'test', 'browser', 'out')

/** Asked again until it is so; a busy machine may take its time. */
export const soon = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 })

export const ensureBuilt = async (): Promise<void> => {
  expect(await ensureDashboard(repository, process.execPath)).toBe(true)
}

/** Where the links of the lively market lead. */
export const explorerUrl = 'https://explorer.example'

const liveNetwork = { name: 'robinhood', sandbox: false, explorerUrl }

/** Builds the dashboard if need be, and serves it over the lively market. */
export const startDashboard = async (port = 0, parts: TestServerParts = {}) => {
  await ensureBuilt()
  const { server, market } = buildServer({ network: liveNetwork, ...parts })
  enliven(market)
  const listening = await server.listen({ host: '127.0.0.1', port })
  if (!listening.ok) throw new Error(listening.fault.detail)
  onTestFinished(server.close)
  return { url: listening.value, port: Number(new URL(listening.value).port), market, server }
}

type Look = NonNullable<Parameters<typeof openPage>[1]> & {
  /** Runs in the page before anything of its own. */
  readonly script?: string
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** The page of that path, when it has shown something. */
export const lookAt = async (target: string, { viewport, script, ...options }: Look = {}) => {
  const opened = await openPage(viewport, options)
  if (script !== undefined) await opened.page.addInitScript(script)
  await opened.page.goto(target)
  await opened.page.waitForSelector('table, .plots, .nothing')
  const keep = (name: string) => {
    mkdirSync(screenshots, { recursive: true })
    return opened.page.screenshot({ path: join(screenshots, `${name}.png`) })
  }
  return { ...opened, keep }
}
