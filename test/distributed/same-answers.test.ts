import { afterAll, beforeAll, expect, test } from 'vitest'
import { methodologyVersion } from '../../src/domain/methodology.ts'
import { rangeNames } from '../../src/domain/series/series-range.ts'
import { policyDefault } from '../../src/domain/status/freshness.ts'
import { createMarket } from '../../src/market/create-market.ts'
import type { Store } from '../../src/ports/store.ts'
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { startPostgres } from '../setup/postgres.ts'
import { drawStep } from '../sim/draw.ts'
import { confirmations, createPipelineWorld } from '../sim/pipeline-world.ts'
import { createRandom } from '../sim/random.ts'
import { startServer, type TestServer } from '../support/api/harness.ts'
import { beaconStandard } from '../support/domain/sample-standard.ts'
import { sampleNetwork } from '../support/indexer/market.ts'

/*
 * One index of one simulated chain, forks and all, is written to both stores, write for write.
 * Then each serves the same moment, and every reply must be the same to the last byte:
 *
 *   chain ── index ──┬── SQLite ────── API ──┐
 *                    └── PostgreSQL ── API ──┴── equal?
 */

const writes = [
  ...[
    'claim',
    'commitRange',
    'replaceTickMap',
    'commitBootstrap',
    'resetIndex',
    'seedPools',
    'commitBackfill',
  ],
  ...[
    'recordProgress',
    'recordSearches',
    'forgetSearches',
    'replaceBranch',
    'advanceFinalized',
    'recordHead',
    'recordCoverage',
    'recordCoveragePass',
  ],
  ...['recordTokens', 'recordStocks', 'recordSource', 'recordEnrichment', 'prune'],
] as const

type Write = (...given: unknown[]) => Promise<unknown>
type Written = { readonly name: string; readonly given: unknown[]; readonly outcome: unknown }

const journal: Written[] = []
const postgres = await startPostgres()
const ends: (() => Promise<void>)[] = [postgres.dispose]
let servers: readonly TestServer[] = []

/** Notes what is written, in the order in which it came to the store. */
const noteWrites = (store: Store): void => {
  const methods = store as unknown as Record<string, Write>
  for (const name of writes) {
    const write = methods[name] as Write
    methods[name] = async (...given) => {
      const outcome = await write(...given)
      journal.push({ name, given: structuredClone(given), outcome })
      return outcome
    }
  }
}

const blocks = 150

const indexChain = async () => {
  const random = createRandom(7)
  const world = createPipelineWorld({ random, nodesOf: [1] })
  noteWrites(world.store)
  await world.time.governing(async () => {
    const indexer = await world.start()
    for (let block = 0; block < blocks; block++) {
      const step = drawStep(random, () => random.between(1, 12))
      await world.time.pass(step.seconds * 1000)
      world.chain.grow(step)
      if (block % 20 === 19) world.chain.fork(random.between(1, 5))
      if (block % 10 === 9) world.chain.finalise(world.chain.head() - 8)
    }
    await world.time.pass(10_000)
    const stopped = indexer.stop()
    await world.time.pass(60_000)
    await stopped
  })
  expect(world.broken).toEqual([])
  return { store: world.store, ts: Math.floor(world.time.nowMs() / 1000) - 55 }
}

const writeAgain = async (): Promise<Store> => {
  const store = await createPostgresStore({
    url: await postgres.createDatabase(),
    leaseGeneration: null,
  })
  if (!store.ok) throw new Error(store.fault)
  ends.push(store.value.close)
  const methods = store.value as unknown as Record<string, Write>
  for (const { name, given, outcome } of journal) {
    expect([name, await methods[name]?.(...given)]).toEqual([name, outcome])
  }
  return store.value
}

const serve = async (store: Store, ts: number): Promise<TestServer> => {
  const clock = { now: () => ts }
  const market = createMarket({
    store,
    clock,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    policy: { ...policyDefault, confirmations },
    trusted: sampleNetwork.trusted,
    reviewedHooks: new Map(),
    standardOf: beaconStandard(null),
    venues: new Map(),
    methodologyVersion,
    network: { name: sampleNetwork.name, chainId: sampleNetwork.chainId },
    isScreenerEnabled: false,
  })
  await market.refresh()
  const server = await startServer({ market: market as unknown as TestServer['market'], clock })
  ends.push(server.close)
  return server
}

beforeAll(async () => {
  const { store, ts } = await indexChain()
  const other = await writeAgain()
  servers = [await serve(store, ts), await serve(other, ts)]
})

afterAll(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
})

const askBoth = async (path: string): Promise<string> => {
  const [one, two] = await Promise.all(servers.map(({ request }) => request(path)))
  expect([path, one?.status]).toEqual([path, 200])
  expect([path, two?.text]).toEqual([path, one?.text])
  return one?.text ?? ''
}

type Rows<Row> = { readonly items: readonly Row[]; readonly total: number }

test('lists, in every order', async () => {
  for (const path of ['/api/v1/health', '/api/v1/status', '/api/v1/stocks']) await askBoth(path)
  const sorts = [
    'liquidity',
    'vol1h',
    'vol24h',
    'vol24hFiltered',
    'created',
    'lastSwap',
    'premium',
    'depth',
  ]
  for (const sort of sorts) await askBoth(`/api/v1/pools?limit=50&sort=${sort}`)
  const { total } = JSON.parse(await askBoth('/api/v1/pools?limit=50')) as Rows<unknown>
  expect(total).toBeGreaterThan(2)
})

test('each pool and each stock, over every range', async () => {
  const pools = JSON.parse(await askBoth('/api/v1/pools?limit=50')) as Rows<{
    id: string
    asOfBlock: number
  }>
  const stocks = JSON.parse(await askBoth('/api/v1/stocks')) as Rows<{ symbol: string }>
  let swaps = 0
  for (const { id } of pools.items) await askBoth(`/api/v1/pools/${id}/provenance`)
  const [first] = pools.items
  for (const { id } of pools.items) {
    await askBoth(`/api/v1/pools/${id}/provenance?asOfBlock=${(first?.asOfBlock ?? 0) - 5}`)
  }
  for (const range of rangeNames) {
    for (const { id } of pools.items) {
      const text = await askBoth(`/api/v1/pools/${id}?range=${range}`)
      swaps += (JSON.parse(text) as { swaps: unknown[] }).swaps.length
    }
    for (const { symbol } of stocks.items) {
      await askBoth(`/api/v1/stocks/${symbol}?range=${range}`)
    }
  }
  expect(swaps).toBeGreaterThan(50)
})
