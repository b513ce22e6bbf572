import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { goTo, lookAt, soon, startDashboard } from './dashboard-page.ts'
import { livelyPools } from './lively-market.ts'
import { openPage } from './open-browser.ts'

const hackedIn = (page: Awaited<ReturnType<typeof openPage>>['page']) =>
  page.evaluate(() => 'hacked' in globalThis)

test('a hostile name is text: nothing of it runs, nothing of it is markup', async () => {
  const { url } = await startDashboard()
  const { page, complaints, keep } = await lookAt(`${url}/?sort=liquidity&order=asc&kind=meme`)
  const names = await page.locator('.pools .pair .other-name').allTextContents()
  expect(names.slice(0, 5)).toContain('<img src=x onerror=hacked=1>')
  await page.locator('.chip.danger').first().hover()
  await page.waitForSelector('.tip-box')
  await keep('hostile-names')
  const hostile = livelyPools.find(({ otherSymbol }) => otherSymbol?.startsWith('">'))
  await goTo(page, `${url}/pools/${hostile?.id}`)
  expect(await page.locator('h1').textContent()).toContain('"><script>hacked=1</script>')
  expect(await page.title()).toContain('<script>')
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await hackedIn(page)).toBe(false)
  expect(complaints).toEqual([])
})

test('the policy lets nothing run that is not a file of the dashboard', async () => {
  const { url } = await startDashboard()
  const reply = await fetch(`${url}/pools/anything`)
  expect(reply.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
      "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect(await reply.text()).not.toMatch(/<style|\sstyle=|\son\w+=|<script>/)
  const { page, complaints } = await lookAt(`${url}/`)
  await page.evaluate(`
    const script = document.createElement('script')
    script.textContent = 'globalThis.hacked = 1'
    document.body.append(script)
  `)
  expect(await hackedIn(page)).toBe(false)
  await soon(() => complaints.join()).toContain('Content Security Policy')
})

test('keeps its content and shows a banner while the service is down, then resumes', async () => {
  const { url, port, server } = await startDashboard()
  const { page, keep } = await lookAt(`${url}/`)
  await server.close()
  await page.waitForSelector('.banner.lost >> text=does not answer')
  expect(await page.locator('.pools tbody tr').count()).toBe(50)
  await keep('lost')
  await startDashboard(port)
  await page.waitForSelector('.banner.lost', { state: 'detached' })
  expect(await page.locator('.pools tbody tr').count()).toBe(50)
})

test('the first page needs at most 60 kB of JavaScript, a chart 30 kB more', async () => {
  const { url } = await startDashboard()
  const sizeOf = async (name: string) => {
    const reply = await fetch(`${url}/dashboard/${name}`)
    expect(reply.headers.get('cache-control')).toBe('no-cache')
    return gzipSync(await reply.bytes(), { level: 6 }).length
  }
  const { page } = await openPage()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  await goTo(page, `${url}/`)
  expect(loaded.filter((path) => path.endsWith('.js'))).toEqual(['/dashboard/app.js'])
  expect(await sizeOf('app.js')).toBeLessThan(60_000)
  expect(await sizeOf('draw.js')).toBeLessThan(30_000)
})

/** Another site's page that shows the given content. */
const startElsewhere = async (body: string): Promise<string> => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><link rel="icon" href="data:,">${body}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a chart and a badge stand in the pages of others; the dashboard does not', async () => {
  const { url } = await startDashboard()
  const id = livelyPools[0]?.id
  const elsewhere = await startElsewhere(
    `<img src="${url}/badge/NVDA.svg"><iframe width=520 height=300 src="${url}/embed/pool/${id}">
    </iframe>`,
  )
  const { page, complaints } = await openPage()
  await page.goto(elsewhere)
  const frame = page.frameLocator('iframe')
  await frame.locator('.plots canvas').waitFor()
  expect(await frame.locator('.embed-head').textContent()).toContain('$225.40')
  expect(await page.evaluate('document.images[0].naturalWidth')).toBeGreaterThan(100)
  expect(complaints).toEqual([])
  expect((await fetch(`${url}/embed/pool/${id}`)).headers.get('x-frame-options')).toBeNull()
  expect((await fetch(`${url}/`)).headers.get('x-frame-options')).toBe('DENY')
  const badge = await fetch(`${url}/badge/nvda.svg`)
  expect(badge.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(await badge.text()).toContain('NVDA: $225.4 · regular, 3 s old')
  for (const name of ['nvda.png', '%3Cscript%3E.svg', '.svg']) {
    expect((await fetch(`${url}/badge/${name}`)).status).toBe(404)
  }
})
