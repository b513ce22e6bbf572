import { Agent, get } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../../src/domain/views/pool.ts'
import type { StatusView } from '../../../src/domain/views/service.ts'
import { type AbusedServer, byTier, startAbusedServer } from '../abused-server.ts'
import { createReplyCheck, jsonOperations, type OpenApi, type Reply } from './document.ts'
import { buildTarget, invalidRequests, type Samples, validRequests } from './requests.ts'

/*
 * Thousands of requests made of the document alone: what it allows is answered as it says, what it
 * forbids is refused by name, and nothing is ever a fault of the service.
 */

const agent = new Agent({ keepAlive: true })

const asker =
  (port: number) =>
  (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        const { headers: heard, statusCode: status = 0 } = response
        response.on('end', () => resolve({ status, headers: heard, text }))
      }).on('error', reject)
    })

type Ask = ReturnType<typeof asker>

const columnOf = async (ask: Ask, path: string, name: string): Promise<readonly string[]> => {
  const { items } = JSON.parse((await ask(path)).text) as { items: Record<string, string>[] }
  return items.map((row) => row[name] ?? '')
}

/** Names of what there is, in any case. */
const samplesOf = async (ask: Ask): Promise<Samples> => {
  const upper = (id: string) => `0x${id.slice(2).toUpperCase()}`
  const ids = await columnOf(ask, '/api/v1/pools', 'id')
  const symbols = await columnOf(ask, '/api/v1/stocks', 'symbol')
  const addresses = await columnOf(ask, '/api/v1/stocks', 'address')
  const [pool] = (JSON.parse((await ask('/api/v1/pools')).text) as { items: PoolView[] }).items
  const tokens = pool === undefined ? [] : [pool.token0, upper(pool.token1)]
  const { chain } = JSON.parse((await ask('/api/v1/status')).text) as { chain: StatusView['chain'] }
  return {
    id: [...ids, ...ids.map(upper)],
    symbol: [...symbols, ...symbols.map((symbol) => symbol.toLowerCase())],
    'getStock.symbol': [...symbols, ...addresses, ...addresses.map(upper)],
    addresses: [...addresses.slice(0, 3), addresses.join(','), addresses.map(upper).join(',')],
    'getDexScreenerAsset.id': tokens,
    ticker_id:
      pool === undefined ? [] : [`${pool.stockAddress}_${pool.otherAddress}_${upper(pool.id)}`],
    fromBlock: [String(chain.settledBlock ?? 0)],
    toBlock: [String(chain.settledBlock ?? 0)],
    q: [...symbols, ...ids.map((id) => id.slice(0, 8)), 'usd', '%', '_', ''],
    asOfBlock: [String(chain.indexedBlock ?? 0)],
    asOfTs: [String(chain.indexedTs ?? 0)],
    stockAmount: ['1', '0.5', '1000000'],
    otherAmount: ['1', '2.5', '99999999'],
    stockAmountRaw: ['1', String(2n ** 256n - 1n)],
    otherAmountRaw: ['1', '1000000000000000000000000'],
  }
}

/** Of each kind, over each market. */
const numRuns = byTier(400, 6000)

describe.each(['sample', 'stored'] as const)('over the %s market', (market) => {
  let server: AbusedServer
  let ask: Ask
  let document: OpenApi
  let samples: Samples
  beforeAll(async () => {
    // So many requests that nobody is refused, and still every reply tells what is left.
    const limits = { rateLimitBurst: 1e9 }
    server = await startAbusedServer({ market, limits, rateLimitPerMinute: 1e9 })
    ask = asker(server.port)
    document = JSON.parse((await ask('/api/v1/openapi.json')).text)
    samples = await samplesOf(ask)
  })
  afterAll(() => server.stop())

  const anyOperation = () => fc.constantFrom(...jsonOperations(document))

  test('valid requests get the documented responses', async () => {
    const check = createReplyCheck(document)
    const statuses: Record<string, number> = {}
    const requests = anyOperation().chain(({ path, operation }) =>
      validRequests(operation, samples).map((given) => ({ path, operation, given })),
    )
    await fc.assert(
      fc.asyncProperty(requests, async ({ path, operation, given }) => {
        const reply = await ask(buildTarget(path, operation, given))
        expect(check(operation, reply)).toEqual([])
        // What lies before the kept rows is gone.
        const isKept = operation.responses['410'] === undefined
        expect(isKept ? [200, 404] : [200, 404, 410]).toContain(reply.status)
        const { etag } = reply.headers
        if (typeof etag === 'string') {
          const again = await ask(buildTarget(path, operation, given), { 'if-none-match': etag })
          expect([200, 304]).toContain(again.status)
          expect(check(operation, again)).toEqual([])
        }
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
      }),
      { numRuns },
    )
    // Most of it is about something that there is.
    expect(statuses[200]).toBeGreaterThan((statuses[404] ?? 0) * 2)
  })

  test('invalid requests are rejected by parameter name', async () => {
    const check = createReplyCheck(document)
    const requests = anyOperation().chain(({ path, operation }) =>
      invalidRequests(operation, samples).map((fault) => ({ path, operation, ...fault })),
    )
    await fc.assert(
      fc.asyncProperty(requests, async ({ path, operation, given, param }) => {
        const reply = await ask(buildTarget(path, operation, given))
        expect(check(operation, reply)).toEqual([])
        expect([reply.status, JSON.parse(reply.text).error.param]).toEqual([400, param])
      }),
      { numRuns },
    )
  })

  test('requests leak no memory and log no error', async () => {
    const before = await server.usage()
    const requests = anyOperation().chain(({ path, operation }) =>
      fc
        .oneof(
          validRequests(operation, samples),
          invalidRequests(operation, samples).map(({ given }) => given),
        )
        .map((given) => buildTarget(path, operation, given)),
    )
    for (const target of fc.sample(requests, numRuns)) {
      const { status } = await ask(target)
      expect([200, 400, 404, 410]).toContain(status)
    }
    const after = await server.usage()
    expect(after.logged).toEqual([])
    expect(after.heldBytes - before.heldBytes).toBeLessThan(10e6)
  })
})
