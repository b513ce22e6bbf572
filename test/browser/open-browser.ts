import chromium from '@sparticuz/chromium'
import { type BrowserContextOptions, chromium as engine } from 'playwright-core'
import { onTestFinished, vi } from 'vitest'

// A browser on a busy machine is slow to start; what waits for it has limits of its own.
vi.setConfig({ testTimeout: 90_000 })

/** A real browser, from an npm package, for one test. */
export const openPage = async (
  viewport = { width: 1280, height: 900 },
  options: BrowserContextOptions = {},
) => {
  const browser = await engine.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
    headless: true,
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ viewport, locale: 'en-US', timezoneId: 'UTC', ...options })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}
