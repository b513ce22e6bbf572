import { connect } from 'node:net'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startForTest, startServer, type TestServer } from '../../test/support/api/harness.ts'
import { serverLimits } from './http/limits.ts'
import { ProblemSchema } from './http/problem-schema.ts'

const problems = Compile(ProblemSchema)

/** The last reply of a connection, taken apart. */
const lastReply = (text: string) => {
  const [head = '', body = ''] =
    text
      .split(/(?=HTTP\/1\.1 \d)/)
      .at(-1)
      ?.split('\r\n\r\n') ?? []
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.split(': ')[1]]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body }
}

const expectProblem = (text: string, status: number, code: string) => {
  const reply = lastReply(text)
  expect([reply.status, JSON.parse(reply.body).error.code]).toEqual([status, code])
  expect(problems.Errors(JSON.parse(reply.body))).toEqual([])
  expect(reply.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(reply.body)),
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'x-request-id': JSON.parse(reply.body).requestId,
    connection: 'close',
  })
  return JSON.parse(reply.body)
}

const end = 'Host: x\r\nConnection: close\r\n\r\n'

const hourMs = 3_600_000
/** Who is not slow on purpose has time, also on a busy machine. */
const patience = { headersMsMax: hourMs, requestMsMax: hourMs, idleMsMax: hourMs }

let server: TestServer
/** With the limits of the service. */
let strict: TestServer
beforeAll(async () => {
  server = await startServer({ limits: patience })
  strict = await startServer()
})
afterAll(() => Promise.all([server.close(), strict.close()]))

// What is written on the socket, and the status and code of the problem that comes back.
describe('a malformed request', () => {
  it.each([
    ['an unknown method', `FOO /api/v1/pools HTTP/1.1\r\n${end}`, 405, 'method_not_allowed'],
    [
      'a method in small letters',
      `get /api/v1/pools HTTP/1.1\r\n${end}`,
      405,
      'method_not_allowed',
    ],
    ['CONNECT', `CONNECT x:443 HTTP/1.1\r\n${end}`, 405, 'method_not_allowed'],
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'bad_request'],
    ['the hello of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'bad_request'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad_request'],
    ['an unknown version', `GET / HTTP/9.9\r\n${end}`, 400, 'bad_request'],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
    ['a header without a name', `GET / HTTP/1.1\r\n: x\r\n${end}`, 400, 'bad_request'],
    ['a NUL in a header', `GET / HTTP/1.1\r\nX: \0\r\n${end}`, 400, 'bad_request'],
    ['a space in a header name', `GET / HTTP/1.1\r\nX y: z\r\n${end}`, 400, 'bad_request'],
    ['a NUL in the target', `GET /\0 HTTP/1.1\r\n${end}`, 400, 'bad_request'],
    ['a target without a slash', `GET api/v1 HTTP/1.1\r\n${end}`, 400, 'bad_request'],
    [
      'two lengths',
      `GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${end}`,
      400,
      'bad_request',
    ],
    [
      'length and chunks',
      `POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${end}0\r\n\r\n`,
      400,
      'bad_request',
    ],
    [
      'a header of 20 KB',
      `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n${end}`,
      431,
      'headers_too_large',
    ],
    [
      '2,000 headers',
      `GET / HTTP/1.1\r\n${'a: bbbbbbbbbb\r\n'.repeat(2000)}${end}`,
      431,
      'headers_too_large',
    ],
    ['a target of 9 KB', `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n${end}`, 414, 'uri_too_long'],
    [
      'an id of 9 KB',
      `GET /api/v1/pools/${'a'.repeat(9_000)} HTTP/1.1\r\n${end}`,
      414,
      'uri_too_long',
    ],
    [
      'a query of 9 KB',
      `GET /api/v1/pools?q=${'a'.repeat(9_000)} HTTP/1.1\r\n${end}`,
      414,
      'uri_too_long',
    ],
    ['a target of 60 KB', `GET /${'a'.repeat(60_000)} HTTP/1.1\r\n${end}`, 414, 'uri_too_long'],
    ['a scheme that is not ours', `GET ftp://x/api/v1/pools HTTP/1.1\r\n${end}`, 404, 'not_found'],
    ['an asterisk to GET', `GET * HTTP/1.1\r\n${end}`, 404, 'not_found'],
    ['two slashes and a host', `GET //x/api/v1/pools HTTP/1.1\r\n${end}`, 404, 'not_found'],
  ])('%s', async (_name, text, status, code) => {
    expectProblem((await server.raw(text)).text, status, code)
  })

  it.each([
    ['q', 'GET /api/v1/pools?q=\xc3\xa9'],
    ['limit', 'GET /api/v1/pools?q=a&limit=\xd9\xa1&offset=0'],
  ])('names the unescaped parameter %s', async (param, line) => {
    const { text } = await server.raw(`${line} HTTP/1.1\r\n${end}`)
    const { error } = expectProblem(text, 400, 'invalid_parameter')
    expect(error.param).toBe(param)
  })
})

describe('a request in an unusual form', () => {
  it.each([
    ['absolute form', `GET http://elsewhere/api/v1/health HTTP/1.1\r\n${end}`, 200],
    ['absolute form, escaped', `GET HTTP://x:1/api/v1/%68ealth HTTP/1.1\r\n${end}`, 200],
    ['absolute form, malformed query', `GET http://x/api/v1/pools?limit=0 HTTP/1.1\r\n${end}`, 400],
    ['absolute form without a path', `GET http://x HTTP/1.1\r\n${end}`, 200],
    ['OPTIONS to the server', `OPTIONS * HTTP/1.1\r\n${end}`, 204],
    ['HTTP/1.0 without Host', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
    ['an unexpected body', `GET /healthz HTTP/1.1\r\nContent-Length: 5\r\n${end}hello`, 200],
    ['an expectation', `GET /healthz HTTP/1.1\r\nExpect: the-impossible\r\n${end}`, 200],
    ['an upgrade', `GET /healthz HTTP/1.1\r\nUpgrade: websocket\r\n${end}`, 200],
    ['accept-version', `GET /healthz HTTP/1.1\r\nAccept-Version: 9.x\r\n${end}`, 200],
    ['a fragment', `GET /healthz#x HTTP/1.1\r\n${end}`, 404],
  ])('%s', async (_name, text, status) => {
    expect(lastReply((await server.raw(text)).text).status).toBe(status)
  })

  it('is handled one at a time in a pipeline', async () => {
    const one = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const { text } = await server.raw(`${one.repeat(20)}GET /nope HTTP/1.1\r\n${end}`)
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(20)
    expectProblem(text, 404, 'not_found')
  })

  // A body's type or size must not change the reply, nor be waited for.
  it.each([
    ['JSON', 'Content-Type: application/json\r\nContent-Length: 2\r\n', '{}'],
    ['broken JSON', 'Content-Type: application/json\r\nContent-Length: 2\r\n', '}{'],
    ['an unknown type', 'Content-Type: a/b\r\nContent-Length: 1\r\n', 'x'],
    ['a malformed type', 'Content-Type: ;;;\r\nContent-Length: 1\r\n', 'x'],
    ['1 GB that never comes', 'Content-Length: 1000000000\r\n', ''],
    ['chunks without end', 'Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n'],
  ])('is rejected at once with a body of %s', async (_name, headers, body) => {
    const paths = [
      ['/api/v1/pools', 405, 'method_not_allowed'],
      ['/nope', 404, 'not_found'],
    ] as const
    for (const [path, status, code] of paths) {
      const { text } = await server.raw(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`)
      expectProblem(text, status, code)
    }
  })
})

describe('a slow client', () => {
  it.concurrent('gets a 408 after about 5 s if its headers are slow', async () => {
    const { text, ms } = await strict.raw('GET /healthz HTTP/1.1\r\nHost: x\r\nX: ')
    expectProblem(text, 408, 'request_timeout')
    expect(ms).toBeGreaterThan(4000)
  })

  it.concurrent('gains nothing by sending a byte every half second', async () => {
    const socket = connect(strict.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nX: '))
    const dripping = setInterval(() => socket.write('a'), 500)
    await new Promise((resolve) =>
      socket
        .resume()
        .on('close', resolve)
        .on('error', () => {}),
    )
    clearInterval(dripping)
  })

  it('is disconnected if it sends nothing', async () => {
    const own = await startForTest({ limits: { idleMsMax: 200 } })
    const { text } = await own.raw('')
    // It gets no 408 either, which comes later.
    expect(text).toBe('')
  })

  it('is disconnected between requests', async () => {
    const own = await startForTest({ limits: { ...patience, keepAliveMsMax: 200 } })
    const { text, ms } = await own.raw('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(lastReply(text).status).toBe(200)
    expect(ms).toBeLessThan(serverLimits.keepAliveMsMax)
  })

  it('is disconnected if it does not read', async () => {
    const own = await startForTest({ limits: { idleMsMax: 300 } })
    // More than the buffers of a connection hold, so that the end of it shows in the writing.
    const asked = 400_000
    const socket = connect(own.port, '127.0.0.1')
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => {})
    socket.pause()
    socket.write('GET /api/v1/pools HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(asked))
    await closed
    const { length } = own.market.queries
    expect(length).toBeLessThan(asked)
    // Who is so slow on a busy machine that it is cut off, too, asks again.
    await expect.poll(async () => (await own.request('/healthz')).status).toBe(200)
    expect(own.market.queries).toHaveLength(length)
  })
})

describe('too many connections', () => {
  it('are refused while existing connections continue', async () => {
    const own = await startForTest({ limits: { connectionsMax: 3 } })
    const sockets = Array.from({ length: 3 }, () => connect(own.port, '127.0.0.1'))
    await Promise.all(sockets.map((each) => new Promise((open) => each.once('connect', open))))
    const refused = await own.raw(`GET /healthz HTTP/1.1\r\n${end}`).catch(({ code }) => code)
    expect(['ECONNRESET', '']).toContain(refused.text ?? refused)
    const [first] = sockets
    first?.write(`GET /healthz HTTP/1.1\r\n${end}`)
    const answer = await new Promise((resolve) => first?.once('data', resolve))
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200/)
    for (const socket of sockets) socket.destroy()
  })
})

describe('garbage', () => {
  const names = ['limit', 'offset', 'q', 'symbol', 'kind', 'range', 'sort', 'x', '__proto__', '']
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 100 }).map(encodeURIComponent),
    fc.constantFrom('1', '0', '-1', '%', '%zz', '%00', '%c0%80', '%ff', '1e1', 'NaN', '24h', 'v3'),
    fc.stringMatching(/^[!-"$-~]{0,40}$/),
  )
  const query = fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 })
    .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('&'))
  const path = fc.oneof(
    fc.constantFrom('/api/v1', '/api/v1/health', '/api/v1/status', '/api/v1/pools', '/readyz'),
    value.map((text) => `/api/v1/pools/${text}`),
    value.map((text) => `/api/v1/stocks/${text}`),
    value.map((text) => `/${text}`),
  )

  it('in path and query is answered or rejected without an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(path, query, async (at, text) => {
        const reply = await server.request(text === '' ? at : `${at}?${text}`)
        expect([200, 400, 404]).toContain(reply.status)
        if (reply.status !== 200) expect(problems.Errors(reply.json())).toEqual([])
      }),
      { numRuns: 500 },
    )
    expect(server.logged).toEqual([])
  })

  const line = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 60 }),
    fc.constantFrom('GET / HTTP/1.1', 'GET /api/v1/pools?limit=1 HTTP/1.1', 'Host: x', '', 'a: b'),
    fc.constantFrom('Transfer-Encoding: chunked', 'Content-Length: 5', 'Connection: upgrade', '5'),
  )

  it('on the wire is rejected without effect on other clients', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        const socket = connect(server.port, '127.0.0.1')
        const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => {}))
        let answer = ''
        socket.on('data', (chunk) => {
          answer += chunk
        })
        socket.end(`${lines.join('\r\n')}\r\n\r\n`)
        await closed
        expect(answer).toMatch(/^(HTTP\/1\.1 [24]\d\d |$)/)
      }),
      { numRuns: 300 },
    )
    expect(server.logged).toEqual([])
    expect((await server.request('/healthz')).status).toBe(200)
  })
})
