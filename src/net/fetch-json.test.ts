import { describe, expect, it } from 'vitest'
import {
  createPatientHttpClient,
  saying,
  serve,
  unreachableUrl,
} from '../../test/support/net/loopback.ts'
import { fetchJson } from './fetch-json.ts'

const httpClient = createPatientHttpClient()
const read = async (text: string, status = 200) => {
  const { url } = await serve(saying(text, status))
  return fetchJson(httpClient, `${url}/CANARY?key=CANARY`)
}

describe('one JSON document', () => {
  it('is read', async () => {
    expect(await read('{"a":[1]}')).toEqual({ ok: true, value: { a: [1] } })
  })

  it.each([
    ['429 as the status', '{}', 429],
    ['plain text in a 200', 'local_rate_limited', 200],
    ['an object in a 200', '{"code":429,"message":"slow down"}', 200],
    ['an error in a 200', '{"error":{"code":429}}', 200],
    ['a page in a 200', '<h1>Too Many Requests</h1>', 200],
    ['words in a 403', 'rate limit exceeded', 403],
  ])('rate limit: %s', async (_, text, status) => {
    expect(await read(text, status)).toMatchObject({ ok: false, fault: { kind: 'rate-limited' } })
  })

  it.each([
    ['malformed', 'a page', '<!doctype html><p>hello', 200],
    ['malformed', 'nothing', '', 200],
    ['malformed', 'more than 4 MB', `"${'x'.repeat(5e6)}"`, 200],
    ['unreachable', 'not found', '{"error":"no such symbol"}', 404],
    ['unreachable', 'broken', 'oops', 503],
  ])('%s: %s', async (kind, _, text, status) => {
    const answer = await read(text, status)
    expect(answer).toMatchObject({ ok: false, fault: { kind } })
    expect(JSON.stringify(answer)).not.toContain('CANARY')
    expect(JSON.stringify(answer)).toContain('127.0.0.1')
  })

  it('reports an unreachable host', async () => {
    const answer = await fetchJson(httpClient, `${unreachableUrl}/CANARY`)
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'unreachable' } })
    expect(JSON.stringify(answer)).not.toContain('CANARY')
  })

  it('cut off at any byte it is malformed', async () => {
    const whole = '{"quotes":[{"bid":"225.38"}]}'
    let length = 0
    const { url } = await serve((_, response) => {
      response.end(whole.slice(0, length))
    })
    for (; length < whole.length; length++) {
      expect(await fetchJson(httpClient, url)).toMatchObject({ fault: { kind: 'malformed' } })
    }
    expect(await fetchJson(httpClient, url)).toMatchObject({ ok: true })
  })
})
