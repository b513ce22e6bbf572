import { describe, expect, it } from 'vitest'
import { createRedact } from './redact.ts'

const canaries = {
  path: 'pathCANARY01',
  query: 'queryCANARY02',
  user: 'userCANARY03',
  password: 'p@ssCANARY04',
}
const configured =
  `https://${canaries.user}:${encodeURIComponent(canaries.password)}@rpc.example:8545` +
  `/v2/${canaries.path}?apikey=${canaries.query}`

describe('a text from outside, made fit to be shown', () => {
  const redact = createRedact([configured, 'https://other.example/v2/abc'])

  it.each([
    ['plain words stay', 'header not found', 'header not found'],
    ['a URL is its host', 'GET https://a.example/v2/KEY?x=1 failed', 'GET a.example failed'],
    ['also inside JSON', '{"u":"https:\\/\\/a.example\\/k"}', '{"u":"a.example"}'],
    ['a socket address', 'wss://a.example/KEY', 'a.example'],
    ['a short path part is an ordinary word', 'method v2 abc', 'method v2 abc'],
    ['chain data stays', `no ${'0x'.padEnd(66, 'a1')}`, `no ${'0x'.padEnd(66, 'a1')}`],
    ['a key of whoever', 'bad key a1B2c3D4e5F6g7H8i9J0', 'bad key ***'],
    ['one line', 'a\r\nb\u001b[31m\u2028c', 'a b [31m c'],
    ['nothing', '', ''],
  ])('%s', (_, text, shown) => {
    expect(redact(text)).toBe(shown)
  })

  it.each(Object.entries(canaries))('the %s of a configured URL', (_, secret) => {
    for (const text of [secret, `x${secret}y`, secret.toLowerCase(), encodeURIComponent(secret)]) {
      const shown = redact(`invalid project ${text} for ${configured}`)
      expect(shown.toLowerCase()).not.toContain(secret.toLowerCase())
      expect(shown).not.toContain(encodeURIComponent(secret))
    }
  })

  it('is bounded, whatever comes', () => {
    expect(redact('x '.repeat(1e6)).length).toBeLessThanOrEqual(160)
    // Ten milliseconds; if time grew with the square of the length it would be half an hour.
    const start = performance.now()
    redact('a-'.repeat(1e6))
    expect(performance.now() - start).toBeLessThan(30_000)
  })
})
