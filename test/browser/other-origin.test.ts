import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { createClient } from '../../src/client/client.ts'
import { startForTest } from '../support/api/harness.ts'
import { repository } from '../tidy/source.ts'
import { openPage } from './open-browser.ts'

/*
 * What a dashboard author does: a page of another origin, with the published client, in a browser.
 */

const buildClient = async (): Promise<string> => {
  const out = mkdtempSync(join(tmpdir(), 'stockpools-client-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const tsc = join(repository, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [tsc, '-p', join(repository, 'tsconfig.client.json'), '--outDir', out]
  await promisify(execFile)(process.execPath, args)
  return out
}

const pageText = `<!doctype html><title>elsewhere</title><link rel="icon" href="data:,">
<script type="module">
import { createClient } from '/client/client.js'
window.createClient = createClient
</script>`

type Window = { readonly createClient: typeof createClient }

/** Serves an empty page and the built client, from an origin of its own. */
const startElsewhere = async (files: string): Promise<string> => {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const isScript = /^\/client\/[\w-]+\.js$/.test(path)
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? readFileSync(join(files, path)) : pageText)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the published client works in a page of another origin, with stream and errors', async () => {
  const server = await startForTest()
  const api = `http://127.0.0.1:${server.port}`
  const elsewhere = await startElsewhere(await buildClient())
  const { page, complaints } = await openPage()
  await page.goto(elsewhere)
  const asked = await page.evaluate(async (url) => {
    const client = (globalThis as unknown as Window).createClient(url)
    const { items } = await client.pools({ limit: 2 })
    const refused = await client.pool('0x12').catch((error: { code: string }) => error.code)
    const reply = await fetch(`${url}/api/v1/stocks`)
    return { ids: items.length, refused, etag: reply.headers.get('etag') }
  }, api)
  expect(asked).toEqual({ ids: 2, refused: 'invalid_pool_id', etag: expect.stringMatching(/^"/) })
  const heard = page.evaluate(
    (url) =>
      new Promise<string>((resolve) => {
        const source = new EventSource(`${url}/api/v1/stream?topics=swap`)
        source.addEventListener('rollback', (event) => {
          source.close()
          const { data, lastEventId } = event as MessageEvent
          resolve(`${data} ${lastEventId}`)
        })
      }),
    api,
  )
  const news = { topic: 'rollback', data: { afterBlock: 7, ts: 9 }, about: null } as const
  const reporting = setInterval(() => server.market.publish([news]), 100)
  onTestFinished(() => clearInterval(reporting))
  expect(await heard).toMatch(/^\{"afterBlock":7,"ts":9\} [0-9a-f]{8}-\d+$/)
  // The browser itself reports the refused question, and nothing else.
  expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([])
})

test('the documentation opens without a complaint', async () => {
  const server = await startForTest()
  const { page, complaints } = await openPage()
  await page.goto(`http://127.0.0.1:${server.port}/docs`)
  await page.click('#listPools ~ details summary')
  expect(await page.locator('details[open] pre').first().textContent()).toContain('"items"')
  expect(await page.title()).toBe('stockpools API')
  expect(complaints).toEqual([])
})
