import { expect, onTestFinished, test } from 'vitest'
import { type AbusedServer, byTier, startAbusedServer } from './abused-server.ts'
import { connectionClose, getRequest, parseReplies, sendAll, sendRaw } from './wire.ts'

/* More distinct queries than memory holds, and invalid queries. */

const start = async (
  settings: Parameters<typeof startAbusedServer>[0] = {},
): Promise<AbusedServer> => {
  const server = await startAbusedServer(settings)
  onTestFinished(server.stop)
  return server
}

/** Each of them another one, in every parameter that is free enough. */
const queryOf = (at: number): string => {
  const text = at.toString(36)
  const forms = [
    `/api/v1/pools?q=m${text}`,
    `/api/v1/pools?limit=${1 + (at % 50)}&offset=${at}`,
    `/api/v1/pools?symbol=S${text}&offset=${at}`,
    `/api/v1/pools?minLiquidityUsd=${at}.5&sort=premium`,
    `/api/v1/pools/0x${at.toString(16).padStart(40, '0')}?range=7d`,
    `/api/v1/stocks?q=n${text}`,
    `/api/v1/stocks/T${text}`,
    `/nothing/${text}`,
    `/api/v1/pools?${text}=1`,
  ]
  return forms[at % forms.length] ?? ''
}

/** As many as `queryOf` knows: each is asked for in each coding. */
const formsCount = 9
const codings = ['', 'Accept-Encoding: br\r\n', 'Accept-Encoding: gzip\r\n']

const requestsFrom = (first: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    getRequest(queryOf(first + at), codings[Math.floor(at / formsCount) % 3]),
  )

const growthBytesMax = 20e6

test('memory stays flat over many thousands of distinct queries', async () => {
  const server = await start({ market: 'stored' })
  const count = byTier(20_000, 100_000)
  await sendAll(server.port, requestsFrom(300_000, 30_000))
  const first = await server.usage()
  const counts = await server.whileServing(`${count} different questions`, () =>
    sendAll(server.port, requestsFrom(0, count)),
  )
  expect(Object.keys(counts)).toEqual(['200', '400', '404'])
  expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(count)
  // The process takes room from the system in steps; what leaks takes more in every round.
  const steps: number[] = []
  for (let round = 1; round <= 4 && (steps.at(-1) ?? growthBytesMax) >= growthBytesMax; round++) {
    const before = await server.usage()
    await sendAll(server.port, requestsFrom(round * 150_000, count))
    steps.push((await server.usage()).rssBytes - before.rssBytes)
  }
  const grown = (await server.usage()).heldBytes - first.heldBytes
  const inMb = [grown, ...steps].map((bytes) => (bytes / 1e6).toFixed(1))
  process.stderr.write(`MB more held, and of RSS in each round: ${inMb.join(' ')}\n`)
  expect(grown).toBeLessThan(growthBytesMax)
  expect(steps.at(-1)).toBeLessThan(growthBytesMax)
})

// A search over thousands of pools is work: one client gets its share of it, and no more.
test('the rate limit keeps a large market responsive', async () => {
  const server = await start({ market: 5000, rateLimitPerMinute: 120 })
  const count = byTier(5000, 20_000)
  const { counts, seconds } = await server.whileServing(
    `${count} searches by one client`,
    async () => {
      const beganMs = performance.now()
      const searches = Array.from({ length: count }, (_, at) =>
        getRequest(`/api/v1/pools?q=m${at.toString(36)}`),
      )
      const answered = await sendAll(server.port, searches)
      return { counts: answered, seconds: (performance.now() - beganMs) / 1000 }
    },
  )
  expect(Object.keys(counts)).toEqual(['200', '429'])
  // Two come back in each second that the searches take: on a slow machine they are many.
  expect(counts[200]).toBeLessThan(100 + 2 * seconds)
})

const texts: readonly string[] = [
  ...['%zz', '%', '%1', '%00', 'a%00b', '%c0%80', '%c0%af', '%e0%80%af', '%f0%80%80%af'],
  ...['%ed%a0%80', '%f5%80%80%80', '%fe%ff', '%80', '%c3', '%e2%82', '%u0031', '%C2%85'],
]
const digits: readonly string[] = [
  ...['0x10', '0b1', '0o7', '1e1', '-0', '+5', '%2B5', '%205', '5%20', '5%0A', '%E2%80%835'],
  ...['%D9%A1', '%EF%BC%91', '%E0%A5%A7', '%F0%9D%9F%8F', '%C2%B2', '%E2%85%A0', '1_000', '1,0'],
  ...['', 'NaN', 'Infinity', '-Infinity', '1n', '1.0', '.5', '0.5', '--1', '\xd9\xa1'],
  ...['9007199254740993', '1'.repeat(400), 'true', 'null', '[1]', '{}', '%221%22', '1;2', '1%262'],
]

const paths = ['/api/v1/pools', '/api/v1/stocks'] as const
const cases = paths.flatMap((path) => [
  ...[...texts, ...digits].map((text) => [path, 'limit', `limit=${text}`] as const),
  ...[...texts, ...digits].map((text) => [path, 'offset', `offset=${text}`] as const),
  ...texts.map((text) => [path, 'q', `q=${text}`] as const),
  ...['limit=5&limit=5', 'limit=5&lim%69t=5', 'limit=5&%6Cimit=6', 'limit=5&q=a&limit=5'].map(
    (query) => [path, 'limit', query] as const,
  ),
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'limit[]', 'limit.x']
    .concat(['LIMIT', 'limit%00', '%20limit', 'limit%20', '%EF%BB%BFlimit'])
    .map((name) => [path, decodeURIComponent(name), `${name}=1`] as const),
])

test('rejects every malformed value and names the parameter', async () => {
  const server = await start()
  for (const [path, param, query] of cases) {
    const { text } = await sendRaw(server.port, getRequest(`${path}?${query}`, connectionClose))
    const [reply] = parseReplies(text)
    const { error } = JSON.parse(Buffer.from(reply?.body ?? '', 'latin1').toString())
    expect([query, reply?.status, error.param]).toEqual([query, 400, param])
  }
})
