import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../../test/support/api/harness.ts'
import { catalogue } from '../catalogue.ts'
import { html } from '../docs/html.ts'

const { textRoutes, endpoints } = catalogue

/* What is served besides answers: made once, revalidated by tag, readable without scripts. */

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const lasting = textRoutes.filter(({ cache }) => cache === 'document')

test.each(lasting.map(({ path }) => path))('%s responds 304 to a matching tag', async (path) => {
  const first = await server.request(path)
  expect([first.status, first.headers['cache-control']]).toEqual([200, 'public, max-age=300'])
  const again = await server.request(path, {
    headers: { 'if-none-match': first.headers.etag ?? '' },
  })
  expect([again.status, again.text]).toEqual([304, ''])
})

test.each(textRoutes.map(({ path }) => path))(
  '%s refuses what it does not answer',
  async (path) => {
    const { status, headers } = await server.request(path, { method: 'POST', body: '{}' })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  },
)

test('the docs page names every route', async () => {
  const { text, headers } = await server.request('/docs')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  for (const { path, queryFields } of endpoints) {
    expect(text).toContain(path)
    for (const name of Object.keys(queryFields)) expect(text).toContain(`<code>${name}</code>`)
  }
})

test('the docs page allows no scripts and only its own style', async () => {
  const { text, headers } = await server.request('/docs')
  const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? ''
  expect(headers['content-security-policy']).toContain(
    `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  )
  expect(text).not.toMatch(/<script|\son\w+=|\sstyle=/)
})

test('the html template escapes its values', () => {
  const name = `<img src=x onerror="alert('&')">`
  expect(html`<td>${name}</td>`.html).toBe(
    '<td>&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;</td>',
  )
})

test('llms.txt names every endpoint and parameter', async () => {
  const { text, headers } = await server.request('/llms.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(text).toMatch(/^# stockpools\n/)
  expect(text).toContain('SANDBOX')
  for (const { path, queryFields } of endpoints) {
    expect(text).toContain(`[${path}]`)
    for (const name of Object.keys(queryFields)) expect(text).toContain(`  - ${name}:`)
  }
})
