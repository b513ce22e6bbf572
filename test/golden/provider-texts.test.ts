import { describe, expect, it } from 'vitest'
import { createJsonRpc } from '../../src/rpc/json-rpc.ts'
import { createPatientHttpClient, saying, serve } from '../support/net/loopback.ts'
import { readData } from './read-data.ts'

type ProviderText = { kind: string; text: string; said: string; blocks?: number }

const texts = readData<ProviderText[]>('provider-texts')

/** The fault that one call meets when an endpoint answers so. */
const faultOf = async (body: string, status: number) => {
  const { url } = await serve(saying(body, status))
  const jsonRpc = createJsonRpc({ httpClient: createPatientHttpClient(), redact: (text) => text })
  const calls = [{ method: 'eth_getLogs', params: [] }]
  const sent = await jsonRpc({ url, calls, deadlineMs: 5_000, bytesMax: 10_000 })
  const answer = sent.ok ? sent.value[0] : sent
  return answer?.ok === false ? answer.fault : null
}

const error = (code: number, message: string) => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message },
})

/*
 * The same words come in many disguises: with any code, with status 200, 400, 429 or 500, beside an
 * id of null, without the wrapping. They mean the same in each.
 */
const disguises: readonly (readonly [string, number, (text: string) => unknown])[] = [
  ['an error', 200, (text) => error(-32_000, text)],
  ['invalid params', 200, (text) => error(-32_602, text)],
  ['limit exceeded', 200, (text) => error(-32_005, text)],
  ["Ankr's code", 200, (text) => error(-32_062, text)],
  ['a bad request', 400, (text) => error(-32_600, text)],
  ['a server error', 500, (text) => error(-32_603, text)],
  ['an error without an id', 200, (text) => ({ ...error(-32_000, text), id: null })],
  ['an error that is a text', 200, (text) => ({ id: 1, error: text })],
  ['an error without the wrapping', 400, (text) => ({ code: -32_602, message: text })],
]

describe.each(disguises)('returned as %s (HTTP %i)', (_, status, disguise) => {
  it.each(texts)('$said: $text', async ({ kind, text, blocks }) => {
    const fault = await faultOf(JSON.stringify(disguise(text)), status)
    expect(fault?.kind).toBe(kind)
    if (fault?.kind === 'range-too-large') expect(fault.suggestedBlocks).toBe(blocks ?? null)
  })
})

describe('refusals without words of JSON-RPC', () => {
  it.each([
    ['rate-limited', 429, ''],
    ['rate-limited', 429, '<html>Too Many Requests</html>'],
    ['rate-limited', 429, JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: 429 } })],
    ['rate-limited', 200, JSON.stringify(error(429, 'slow down'))],
    ['rate-limited', 200, 'local_rate_limited'],
    ['rate-limited', 408, ''],
    ['rejected', 400, ''],
    ['unreachable', 403, 'Forbidden'],
    ['unreachable', 503, 'no healthy upstream'],
  ])('%s: HTTP %i %s', async (kind, status, body) => {
    expect((await faultOf(body, status))?.kind).toBe(kind)
  })
})
