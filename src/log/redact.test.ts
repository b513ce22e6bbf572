import { expect, test } from 'vitest'
import { secretUrl } from '../config/secret-url.ts'
import { redactFields, redactText } from './redact.ts'

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
  expect(redactText(text)).toBe(redacted)
})

test('fields are reduced however deep the URL lies', () => {
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

test('what a stranger may make huge, deep or round stays small', () => {
  const round: Record<string, unknown> = {}
  round.self = round
  const fields = redactFields({ long: 'x'.repeat(1e6), many: Array.from({ length: 1e4 }), round })
  expect(JSON.stringify(fields).length).toBeLessThan(5000)
})
