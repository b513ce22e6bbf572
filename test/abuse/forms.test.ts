import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startForTest, startServer, type TestServer } from '../support/api/harness.ts'
import { connectionClose, getRequest, parseReplies, sendRaw } from './wire.ts'

/*
 * Bytes that two parsers may read as different requests: between a proxy and us a request could be
 * hidden in them. Whatever is not plain is refused, and nothing after it is read as a request.
 */

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** What must never be answered, or answered only where it stands for itself. */
const hidden = getRequest('/api/v1/hidden', connectionClose)
const chunk = `0\r\n\r\n${hidden}`
const to = (headers: string, body: string): string =>
  `GET /healthz HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`
const posted = (body: string): string =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${body}`

const chunked = 'Transfer-Encoding: chunked\r\n'

const statusesOf = async (text: string): Promise<readonly number[]> => {
  const heard = await sendRaw(server.port, text)
  return parseReplies(heard.text).map(({ status }) => status)
}

test.each([
  ['a length, then chunks', to(`Content-Length: 4\r\n${chunked}`, chunk)],
  ['chunks, then a length', to(`${chunked}Content-Length: 4\r\n`, chunk)],
  ['chunks of another name', to('Transfer-Encoding: xchunked\r\n', chunk)],
  ['chunks, but not last', to('Transfer-Encoding: chunked, identity\r\n', chunk)],
  ['identity', to('Transfer-Encoding: identity\r\n', chunk)],
  ['two codings in two lines', to(`${chunked}Transfer-Encoding: identity\r\n`, chunk)],
  ['a space before the colon', to('Transfer-Encoding : chunked\r\n', chunk)],
  ['a vertical tab', to('Transfer-Encoding:\x0bchunked\r\n', chunk)],
  ['a folded coding', to('Transfer-Encoding:\r\n chunked\r\n', chunk)],
  ['a folded header', to('X: a\r\n b\r\n', hidden)],
  ['a folded first header', `GET /healthz HTTP/1.1\r\n X: a\r\nHost: x\r\n\r\n${hidden}`],
  ['chunks in HTTP/1.0', to(chunked, chunk).replace('HTTP/1.1', 'HTTP/1.0')],
  ['two lengths that agree', to('Content-Length: 5\r\nContent-Length: 5\r\n', `hello${hidden}`)],
  ['two lengths in one', to('Content-Length: 5, 5\r\n', `hello${hidden}`)],
  ['a length with a sign', to('Content-Length: +5\r\n', `hello${hidden}`)],
  ['a negative length', to('Content-Length: -1\r\n', hidden)],
  ['a hexadecimal length', to('Content-Length: 0x5\r\n', `hello${hidden}`)],
  ['a length beyond 64 bits', to(`Content-Length: ${'9'.repeat(24)}\r\n`, hidden)],
  ['an empty length', to('Content-Length:\r\n', hidden)],
  ['bare line feeds', to('', hidden).replaceAll('\r\n', '\n')],
  ['one bare line feed', `GET /healthz HTTP/1.1\r\nHost: x\nX: y\r\n\r\n${hidden}`],
  ['a bare line feed at the end', `GET /healthz HTTP/1.1\r\nHost: x\r\n\n${hidden}`],
  ['a bare carriage return', `GET /healthz HTTP/1.1\r\nHost: x\rX: y\r\n\r\n${hidden}`],
  ['a space in the target', `GET /healthz x HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`],
  ['tabs in the request line', `GET\t/healthz\tHTTP/1.1\r\nHost: x\r\n\r\n${hidden}`],
  ['HTTP/0.9', `GET /healthz\r\n\r\n${hidden}`],
  ['a chunk of 0x2', posted(`0x2\r\n{}\r\n${chunk}`)],
  ['a chunk of -1', posted(`-1\r\n{}\r\n${chunk}`)],
  ['a chunk beyond 64 bits', posted(`${'f'.repeat(18)}\r\n{}\r\n${chunk}`)],
  ['a chunk longer than it says', posted(`1\r\n{}\r\n${chunk}`)],
  ['chunks with bare line feeds', posted(`2\n{}\n0\n\n${hidden}`)],
  ['a line feed in an extension', posted(`2;a\n{}\r\n${chunk}`)],
  ['30 KB of extension', posted(`2;${'a'.repeat(30_000)}\r\n{}\r\n${chunk}`)],
])('rejects %s and does not read what follows', async (_what, text) => {
  // One refusal for each part that could be taken for a request, and no answer.
  expect(new Set(await statusesOf(text))).toEqual(new Set([400]))
})

test('rejects 35 KB of trailers', async () => {
  expect(await statusesOf(posted(`2\r\n{}\r\n0\r\n${'a: b\r\n'.repeat(6000)}\r\n`))).toEqual([431])
})

// RFC 9110 allows a body, which is not read: the connection ends with the response.
test.each([
  ['a body', to(`Content-Length: ${hidden.length}\r\n`, hidden)],
  ['chunks', to(chunked, chunk)],
  ['chunks behind a tab', to('Transfer-Encoding:\tchunked\r\n', chunk)],
])('answers a GET with %s but not the request that it hides', async (_what, text) => {
  expect(await statusesOf(text)).toEqual([200])
})

test('reads what follows an MCP body as a request', async () => {
  const text = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n}{${hidden}`
  expect(await statusesOf(text)).toEqual([400, 404])
})

// RFC 9112 §3.2: who is meant must be said once, and so that it can be understood.
describe.each(['regular path', 'fast path'])('Host, %s', (way) => {
  test.each([
    ['twice', 'Host: x\r\nHost: x\r\n', 400],
    ['twice and different', 'Host: x\r\nhOST: y\r\n', 400],
    ['with a space', 'Host: x y\r\n', 400],
    ['with a path', 'Host: x/y\r\n', 400],
    ['with a user', 'Host: u@x\r\n', 400],
    ['with half a bracket', 'Host: [::1\r\n', 400],
    ['with a port that is none', 'Host: x:y\r\n', 400],
    ['of two at once', 'Host: x, y\r\n', 400],
    ['not at all', '', 400],
    ['empty', 'Host:\r\n', 200],
    ['by name and port', 'Host: api.example-1.org:8080\r\n', 200],
    ['by address', 'Host: 127.0.0.1:80\r\n', 200],
    ['by address of IPv6', 'Host: [::1]:80\r\n', 200],
  ])('%s', async (_what, host, status) => {
    server.market.revision = way === 'regular path' ? null : 'kept'
    await server.request('/api/v1/stocks')
    const text = `GET /api/v1/stocks HTTP/1.1\r\n${host}${connectionClose}\r\n`
    expect(await statusesOf(text)).toEqual([status])
  })
})

test.each([
  ['three slashes', '///api/v1/health', 404],
  ['two slashes and a host', '//evil.example/api/v1/health', 404],
  ['a backslash', '/\\evil.example/api/v1/health', 404],
  ['dots', '/api/v1/x/../health', 404],
  ['escaped dots', '/api/v1/x/%2e%2e/health', 404],
  ['a NUL at the end', '/api/v1/health%00', 404],
  ['a parameter of the path', '/api/v1/health;a=b', 404],
  ['an escaped slash', '/api/v1%2fhealth', 404],
  ['an escaped question mark', '/api/v1/pools%3flimit=1', 404],
  ['an overlong slash', '/api/v1%c0%afhealth', 404],
  ['an overlong id', '/api/v1/pools/%c0%af', 400],
  ['an id of half an escape', '/api/v1/pools/%z', 400],
  ['a user', 'http://u:p@x/api/v1/health', 200],
  ['a scheme in capitals', 'HTTPS://x/api/v1/health', 200],
  ['a host that is a query', 'http://x?/api/v1/health', 200],
  ['another scheme', 'file:///api/v1/health', 404],
])('a target with %s', async (_what, target, status) => {
  expect(await statusesOf(getRequest(target, connectionClose))).toEqual([status])
})

test('rejects garbage after a valid request', async () => {
  const { text } = await sendRaw(server.port, `${getRequest('/healthz')}garbage\r\n\r\n`)
  const last = parseReplies(text).at(-1)
  expect([last?.status, JSON.parse(last?.body ?? '').error.code]).toEqual([400, 'bad_request'])
})

test('disconnects excessive pipelining and serves the next connection', async () => {
  const own = await startForTest({ limits: { waitingRequestsMax: 10 } })
  const { text } = await sendRaw(own.port, getRequest('/api/v1/pools').repeat(100))
  expect(text.split('HTTP/1.1 200').length).toBeLessThan(13)
  expect((await own.request('/healthz')).status).toBe(200)
  expect(
    (
      await sendRaw(
        own.port,
        getRequest('/healthz').repeat(10) + getRequest('/readyz', connectionClose),
      )
    ).text,
  ).toContain('200 OK')
})
