import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { parseSecretUrl, secretUrl } from './secret-url.ts'

const canary = 'c4n4ry'

// Printing a secret URL, on purpose or by accident, shows the host.
test.each([
  `https://rpc.example/v2/${canary}`,
  `https://user:${canary}@rpc.example`,
  `http://rpc.example/?key=${canary}`,
  `https://rpc.example:8545/#${canary}`,
])('%s shows its host only', (text) => {
  const url = secretUrl(text)
  const prints = [
    String(url),
    `${url}`,
    JSON.stringify({ url }),
    inspect({ url }),
    inspect(url, { showHidden: true }),
    Object.entries(url).join(),
  ]
  for (const print of prints) {
    expect(print).toContain('rpc.example')
    expect(print).not.toContain(canary)
  }
})

test('the whole URL comes out on demand, without fragment and closing slash', () => {
  expect(secretUrl('https://rpc.example/v2/key').reveal()).toBe('https://rpc.example/v2/key')
  expect(secretUrl('http://127.0.0.1:8545/#here').reveal()).toBe('http://127.0.0.1:8545')
})

test.each(['', 'rpc.example', 'ftp://rpc.example', 'wss://rpc.example', 'http://', 'http://a b'])(
  '%j is no URL for us',
  (text) => {
    expect(parseSecretUrl(text)).toEqual({ ok: false, fault: 'expected an http or https URL' })
  },
)
