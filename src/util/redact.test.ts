import { describe, expect, it, test } from 'vitest'
import { secretUrl } from '../config/secret-url.ts'
import { createSecretRedactor, redactFields, redactUrls } from './redact.ts'

const canary = 'c4n4ry'

// Wherever a URL stands in a text, its host is all that is left of it.
test.each([
  [`HTTP 401 from https://rpc.example/v2/${canary}`, 'HTTP 401 from rpc.example'],
  [`GET https://user:${canary}@rpc.example:8545/?key=${canary}#x`, 'GET rpc.example:8545'],
  [`postgres://user:${canary}@db.example:5432/pools`, 'db.example:5432'],
  [`wss://rpc.example/${canary}, again`, 'rpc.example again'],
  [`HTTPS://RPC.EXAMPLE/${canary}`, 'rpc.example'],
  [`{"url":"https://rpc.example/${canary}","n":1}`, '{"url":"rpc.example","n":1}'],
  [`{"url":"https:\\/\\/rpc.example\\/${canary}"}`, '{"url":"rpc.example"}'],
  [`proxy?to=https%3A%2F%2Frpc.example%2F${canary}`, 'proxy?to=[url]'],
  [`http://[${canary}`, '[url]'],
  ['serving http://127.0.0.1:8787 now', 'serving http://127.0.0.1:8787 now'],
  ['no URL: 5/7, a:b, C:\\x', 'no URL: 5/7, a:b, C:\\x'],
])('%s -> %s', (text, redacted) => {
  expect(redactUrls(text)).toBe(redacted)
})

test('redacts nested fields', () => {
  const url = `https://rpc.example/${canary}`
  const error = new Error(`fetch ${url} failed`, { cause: new Error(`connect ${url}`) })
  const fields = redactFields({
    error,
    list: [url, { nested: { url } }],
    [url]: 1,
    endpoint: secretUrl(url),
    amount: 12n,
    absent: null,
  })
  const text = JSON.stringify(fields)
  expect(text).not.toContain(canary)
  expect(fields).toMatchObject({
    list: ['rpc.example', { nested: { url: 'rpc.example' } }],
    'rpc.example': 1,
    endpoint: 'rpc.example',
    amount: '12',
    absent: null,
    error: { name: 'Error', message: 'fetch rpc.example failed' },
  })
})

test('bounds huge, deep and circular values', () => {
  const round: Record<string, unknown> = {}
  round.self = round
  const fields = redactFields({ long: 'x'.repeat(1e6), many: Array.from({ length: 1e4 }), round })
  expect(JSON.stringify(fields).length).toBeLessThan(5000)
})

const canaries = {
  path: 'pathCANARY01',
  query: 'queryCANARY02',
  user: 'userCANARY03',
  password: 'p@ssCANARY04',
}
const configured =
  `https://${canaries.user}:${encodeURIComponent(canaries.password)}@rpc.example:8545` +
  `/v2/${canaries.path}?apikey=${canaries.query}`

describe('createSecretRedactor', () => {
  const redact = createSecretRedactor([configured, 'https://other.example/v2/abc'])

  it.each([
    ['plain words stay', 'header not found', 'header not found'],
    ['a URL is its host', 'GET https://a.example/v2/KEY?x=1 failed', 'GET a.example failed'],
    ['also inside JSON', '{"u":"https:\\/\\/a.example\\/k"}', '{"u":"a.example"}'],
    ['a socket address', 'wss://a.example/KEY', 'a.example'],
    ['a short path part is an ordinary word', 'method v2 abc', 'method v2 abc'],
    ['chain data stays', `no ${'0x'.padEnd(66, 'a1')}`, `no ${'0x'.padEnd(66, 'a1')}`],
    ['a key of another service', 'bad key a1B2c3D4e5F6g7H8i9J0', 'bad key ***'],
    ['one line', 'a\r\nb\u001b[31m\u2028c', 'a b [31m c'],
    ['nothing', '', ''],
  ])('%s', (_, text, shown) => {
    expect(redact(text)).toBe(shown)
  })

  it.each(Object.entries(canaries))('hides the %s of a configured URL', (_, secret) => {
    for (const text of [secret, `x${secret}y`, secret.toLowerCase(), encodeURIComponent(secret)]) {
      const shown = redact(`invalid project ${text} for ${configured}`)
      expect(shown.toLowerCase()).not.toContain(secret.toLowerCase())
      expect(shown).not.toContain(encodeURIComponent(secret))
    }
  })

  it('bounds the length of any text', () => {
    expect(redact('x '.repeat(1e6)).length).toBeLessThanOrEqual(160)
    // Ten milliseconds; if time grew with the square of the length it would be half an hour.
    const start = performance.now()
    redact('a-'.repeat(1e6))
    expect(performance.now() - start).toBeLessThan(30_000)
  })
})
