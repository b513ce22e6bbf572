import { describe, expect, it } from 'vitest'
import { type Handler, saying, serve, unreachableUrl } from '../../test/support/net/loopback.ts'
import { createHttpClient } from '../net/http-client.ts'
import { createSecretRedactor } from '../util/redact.ts'
import { createJsonRpc } from './json-rpc.ts'

const call = (method: string) => ({ method, params: [] })
const one = [call('a')]
const two = [call('a'), call('b')]

/** Where no deadline is the subject none comes, however busy the machine is. */
const deadlineMs = 3_600_000

const post = async (handler: Handler, calls = one, over = {}) => {
  const { url } = await serve(handler)
  const secret = `${url}/v2/CANARY01?key=CANARY02`
  const jsonRpc = createJsonRpc({
    httpClient: createHttpClient(),
    redact: createSecretRedactor([secret]),
  })
  return jsonRpc({ url: secret, calls, deadlineMs, bytesMax: 10_000, ...over })
}
const failsAs = (kind: string) => ({ ok: false, fault: { kind } })

describe('one POST', () => {
  it('one call travels alone, two as a batch', async () => {
    const { url, received } = await serve((request, response) => {
      const json = JSON.parse(request.body)
      const answer = (id: number) => ({ jsonrpc: '2.0', id, result: `r${id}` })
      response.end(JSON.stringify(Array.isArray(json) ? json.map((c) => answer(c.id)) : answer(1)))
    })
    const jsonRpc = createJsonRpc({ httpClient: createHttpClient(), redact: (text) => text })
    const request = { url, deadlineMs, bytesMax: 10_000 }
    expect(await jsonRpc({ ...request, calls: one })).toEqual({
      ok: true,
      value: [{ ok: true, value: 'r1' }],
    })
    expect(await jsonRpc({ ...request, calls: two })).toMatchObject({
      value: [{ value: 'r1' }, { value: 'r2' }],
    })
    expect(received.map(({ body }) => JSON.parse(body))).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: [] },
      [
        { jsonrpc: '2.0', id: 1, method: 'a', params: [] },
        { jsonrpc: '2.0', id: 2, method: 'b', params: [] },
      ],
    ])
    expect(received[0]?.headers['content-type']).toBe('application/json')
  })

  it('answers in another order belong to their questions', async () => {
    const answer = await post(saying('[{"id":2,"result":"b"},{"id":1,"result":"a"}]'), two)
    expect(answer).toMatchObject({ value: [{ value: 'a' }, { value: 'b' }] })
  })

  it('one call of a batch may fail alone', async () => {
    const body = '[{"id":1,"error":{"code":3,"message":"execution reverted"}},{"id":2,"result":1}]'
    expect(await post(saying(body), two)).toMatchObject({
      ok: true,
      value: [failsAs('reverted'), { ok: true, value: 1 }],
    })
  })

  it('a result of null is a result', async () => {
    const answer = await post(saying('{"id":1,"result":null,"error":null}'))
    expect(answer).toEqual({ ok: true, value: [{ ok: true, value: null }] })
  })
})

describe('answers that are none', () => {
  it.each([
    ['HTML in a 200', '<html><body>welcome</body></html>'],
    ['nothing', ''],
    ['a word', 'null'],
    ['a number', '7'],
    ['a list for one call', '[{"id":1,"result":1}]'],
    ['neither result nor error', '{"id":1}'],
    ['the answer to another question', '{"id":2,"result":1}'],
    ['an id as text', '{"id":"1","result":1}'],
  ])('one call: %s', async (_, body) => {
    const answer = await post(saying(body))
    const fault = answer.ok ? answer.value[0] : answer
    expect(fault).toMatchObject(failsAs('malformed'))
  })

  it.each([
    ['short', '[{"id":1,"result":1}]'],
    ['doubled', '[{"id":1,"result":1},{"id":1,"result":1},{"id":2,"result":1}]'],
    ['too long', '[{"id":1,"result":1},{"id":2,"result":1},{"id":3,"result":1}]'],
    ['of something else', '[1,2]'],
    ['one answer for all', '{"id":1,"result":1}'],
    ['without ids', '[{"result":1},{"result":2}]'],
  ])('a batch: %s', async (_, body) => {
    expect(await post(saying(body), two)).toMatchObject(failsAs('malformed'))
  })

  it('cut off at any byte', async () => {
    const whole = '[{"jsonrpc":"2.0","id":1,"result":["0x1"]},{"jsonrpc":"2.0","id":2,"result":{}}]'
    let length = 0
    const { url } = await serve((_, response) => {
      response.end(whole.slice(0, length))
    })
    const jsonRpc = createJsonRpc({ httpClient: createHttpClient(), redact: (text) => text })
    const request = { url, calls: two, deadlineMs, bytesMax: 10_000 }
    for (; length < whole.length; length++) {
      expect(await jsonRpc(request)).toMatchObject(failsAs('malformed'))
    }
    expect(await jsonRpc(request)).toMatchObject({ ok: true })
  })

  it('nested beyond measure', async () => {
    const body = `{"id":1,"result":${'['.repeat(1e5)}`
    expect(await post(saying(body), one, { bytesMax: 1e6 })).toMatchObject(failsAs('malformed'))
  })

  it('longer than allowed', async () => {
    const body = JSON.stringify({ id: 1, result: 'x'.repeat(20_000) })
    expect(await post(saying(body))).toMatchObject(failsAs('too-large'))
  })

  it('a body that drips for ever', async () => {
    const answer = await post(
      (_, response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(drip))
      },
      one,
      { deadlineMs: 100 },
    )
    expect(answer).toMatchObject(failsAs('timeout'))
  })

  it('reports an unreachable host', async () => {
    const jsonRpc = createJsonRpc({ httpClient: createHttpClient(), redact: (text) => text })
    const answer = await jsonRpc({ url: unreachableUrl, calls: one, deadlineMs, bytesMax: 1000 })
    expect(answer).toMatchObject(failsAs('unreachable'))
  })
})

describe('a rate limit in its disguises', () => {
  it.each([
    ['HTTP 429', 'whatever', 429],
    ['HTTP 408', '', 408],
    ['an error in a 200', '{"id":1,"error":{"code":429,"message":"hm"}}', 200],
    ['an error without the wrapping', '{"code":429,"message":"hm"}', 200],
    ['plain text in a 200', 'local_rate_limited', 200],
    ['a page in a 200', '<h1>You are being rate limited</h1>', 200],
    ['an error as text', '{"error":"rate limit exceeded"}', 200],
    ['words in a 503', '{"id":1,"error":{"code":-32000,"message":"credits limited to 5"}}', 503],
  ])('%s', async (_, body, status) => {
    const answer = await post(saying(body, status, { 'retry-after': '3' }))
    const fault = answer.ok ? answer.value[0] : answer
    expect(fault).toMatchObject({ fault: { kind: 'rate-limited', retryAfterSeconds: 3 } })
  })

  it('for a whole batch', async () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"Too many requests"}}'
    expect(await post(saying(body), two)).toMatchObject(failsAs('rate-limited'))
    expect(await post(saying(`[${body}]`), two)).toMatchObject(failsAs('rate-limited'))
  })
})

describe('a status other than 200', () => {
  const error = (message: string) => `{"id":1,"error":{"code":-32602,"message":"${message}"}}`
  it.each([
    [400, error('up to a 500 block range'), 'range-too-large'],
    [500, error('eth_getLogs range over 100 blocks is not supported'), 'range-too-large'],
    [500, error('execution reverted'), 'reverted'],
    [500, error('hm'), 'rejected'],
    [401, error('hm'), 'unreachable'],
    [500, 'oops', 'unreachable'],
    [502, '<html>bad gateway</html>', 'unreachable'],
    [400, '', 'rejected'],
    [503, 'Unknown block', 'behind'],
  ])('%s with %s is %s', async (status, body, kind) => {
    const answer = await post(saying(body, status))
    expect(answer.ok ? answer.value[0] : answer).toMatchObject(failsAs(kind))
  })
})

it('no secret of the address comes back out of a fault', async () => {
  const echo: Handler = (request, response) => {
    const message = `bad key CANARY02 for http://x${request.path} /v2/CANARY01`
    response.end(JSON.stringify({ id: 1, error: { code: 1, message } }))
  }
  for (const handler of [echo, saying('CANARY01 CANARY02'), saying('CANARY01', 500)]) {
    expect(JSON.stringify(await post(handler))).not.toContain('CANARY')
  }
})
