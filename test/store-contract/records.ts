import { expect, test } from 'vitest'
import { known, unknown } from '../../src/domain/reading.ts'
import type { OpenBench } from './bench.ts'
import {
  addressOf,
  allOf,
  batchOf,
  contentsOf,
  day,
  identityOf,
  passAt,
  pointAt,
  quoteOf,
  stateOf,
  stockOf,
} from './fixtures.ts'

const describeMaps = (open: OpenBench): void => {
  test('removes a tick with gross 0 and replaces a whole tick map', async () => {
    const { store } = await open()
    const tick = (number: number, gross: bigint, pool = 1) => ({
      pool,
      tick: number,
      net: -gross,
      gross,
    })
    const ticks = [tick(60, 1n, 2), tick(60, 5n), tick(-60, 5n), tick(120, 9n)]
    const pools = [identityOf(1), identityOf(2)]
    await store.commitRange(batchOf({ before: null, to: 1 }, { pools, ticks }))
    const changes = [tick(60, 0n), tick(120, 4n), tick(180, 0n)]
    await store.commitRange(batchOf({ before: 1, to: 2 }, { ticks: changes }))
    const left = [tick(-60, 5n), tick(120, 4n), tick(60, 1n, 2)]
    expect(await allOf(store.readTicks())).toEqual(left)

    await store.replaceTickMap(1, stateOf(3n), [tick(-120, 3n), tick(240, 3n)])
    const replaced = [tick(-120, 3n), tick(240, 3n), tick(60, 1n, 2)]
    expect(await allOf(store.readTicks())).toEqual(replaced)
    const ofPools = await store.snapshot((snapshot) =>
      Promise.all([1, 2, 9].map((pool) => snapshot.ticksOfPool(pool))),
    )
    expect(ofPools).toEqual([replaced.slice(0, 2), replaced.slice(2), []])
    expect((await contentsOf(store)).pools.at(-1)).toMatchObject(stateOf(3n))
    await expect(store.replaceTickMap(9, stateOf(3n), [])).rejects.toThrow()
  })

  test('adds a depth to pools with reserves that have none, and nowhere else', async () => {
    const { store } = await open()
    const depth = { amount0: 2n ** 100n, amount1: 3n }
    const fault = { reserves: null, mapFault: 'index_gap' } as const
    const pools = [1, 2, 3].map(identityOf)
    const states = [
      { pool: 1, state: stateOf(9n, { depth: null }) },
      { pool: 2, state: stateOf(9n) },
      { pool: 3, state: stateOf(9n, { depth: null, ...fault }) },
    ]
    await store.commitRange(batchOf({ before: null, to: 1 }, { pools, states }))
    const { header } = await contentsOf(store)
    const revision = header?.revision ?? 0
    await store.recordDepths([1, 2, 3, 4].map((pool) => ({ pool, depth })))
    expect((await allOf(store.readPools())).map((pool) => pool.depth)).toEqual([
      depth,
      stateOf(9n).depth,
      null,
    ])
    const changed = await store.snapshot((snapshot) => snapshot.poolsChangedAfter(revision))
    expect(changed.map(({ number }) => number)).toEqual([1])
    await store.recordDepths([{ pool: 1, depth }])
    expect((await contentsOf(store)).header?.revision).toBe(revision + 1)
  })

  test('returns pools in the order of their numbers, over more than one page', async () => {
    const { store } = await open()
    expect(await allOf(store.readPools())).toEqual([])
    const numbers = Array.from({ length: 4_000 }, (_, at) => 1 + ((at * 7919) % 10_007))
    await store.commitRange(batchOf({ before: null, to: 1 }, { pools: numbers.map(identityOf) }))
    const pools = await store.snapshot((snapshot) => snapshot.poolsChangedAfter(-1))
    const sorted = pools.toSorted((a, b) => a.number - b.number)
    expect(sorted).toHaveLength(numbers.length)
    expect(await allOf(store.readPools())).toEqual(sorted)
  })

  test('returns many ticks in (pool, tick) order', async () => {
    const { store } = await open()
    const ticks = Array.from({ length: 5_000 }, (_, at) => ({
      pool: at % 3,
      tick: ((at * 7919) % 10_007) - 5_000,
      net: BigInt(at),
      gross: BigInt(at + 1),
    }))
    await store.commitRange(batchOf({ before: null, to: 1 }, { ticks }))
    const sorted = ticks.toSorted((a, b) => a.pool - b.pool || a.tick - b.tick)
    expect(await allOf(store.readTicks())).toEqual(sorted)
  })
}

const describeEnrichment = (open: OpenBench): void => {
  test('keeps the latest quote of each source, and reserves by pool and source', async () => {
    const { store } = await open()
    const oracle = quoteOf({ source: 'chainlink', per: 'token', bid: null, ask: null, last: 0.1 })
    const held = { amount0: 1.5, amount1: null, liquidityUsd: null }
    const balance = { pool: 1, source: 'balance', ...held, ts: day } as const
    const report = { source: 'screener', amount0: null, liquidityUsd: 0.3 } as const
    const screener = { ...balance, ...report }
    await store.recordEnrichment(
      passAt(day, { quotes: [oracle, quoteOf()], reserves: [screener, balance] }),
    )
    const quotes = [quoteOf({ halted: true, lapse: 'unpriced', publishedTs: day + 9 })]
    const reserves = [{ ...balance, amount0: 2.5, ts: day + 9 }]
    await store.recordEnrichment(passAt(day + 9, { quotes, reserves }))
    const after = await contentsOf(store)
    expect(after.quotes).toEqual([oracle, ...quotes])
    expect(after.reserves).toEqual([...reserves, screener])
    expect(after.header?.enrichedTs).toBe(day + 9)
  })

  test.each([
    ['pools', 'pools', 2],
    ['pools', 'chainlink', 2],
    ['chainlink', 'pools', 1],
    ['chainlink', 'chainlink', 2],
    ['chainlink', 'issuer', 2],
    ['issuer', 'chainlink', 1],
    ['file', 'pools', 1],
    ['issuer', 'file', 2],
    ['file', 'issuer', 2],
  ] as const)('a bucket priced by %s and then by %s keeps point %i', async (early, late, kept) => {
    const { store } = await open()
    const pools = [identityOf(1)]
    const points = [pointAt(day, 1, early), pointAt(day, 2, late)] as const
    await store.commitRange(batchOf({ before: null, to: 1 }, { pools, references: [points[0]] }))
    await store.recordEnrichment(passAt(day, { references: [points[1]] }))
    const rows = (await contentsOf(store)).perPool[0]?.series[0]?.[1]?.rows
    expect(rows).toEqual([points[kept - 1]])
  })
}

const describeDirectories = (open: OpenBench): void => {
  test('unknown facts of a token stay unknown, with their reason', async () => {
    const { store } = await open()
    const token = {
      address: addressOf(5),
      symbol: unknown('symbol-reverted'),
      name: known('A name'),
      decimals: unknown('decimals-absurd'),
    }
    await store.recordTokens([token])
    expect((await contentsOf(store)).tokens).toEqual([token])
    const read = { ...token, symbol: known('X'), decimals: known(0) }
    await store.recordTokens([read])
    expect((await contentsOf(store)).tokens).toEqual([read])
  })

  test('returns tokens in the order of their addresses, over more than one page', async () => {
    const { store } = await open()
    expect(await allOf(store.readTokens())).toEqual([])
    const read = Array.from({ length: 4_000 }, (_, at) => ({
      address: addressOf(1 + ((at * 7919) % 10_007)),
      symbol: known(`T${at}`),
      name: unknown('name-reverted'),
      decimals: known(at % 37),
    }))
    await store.recordTokens(read)
    const sorted = read.toSorted((a, b) => (a.address < b.address ? -1 : 1))
    expect(await allOf(store.readTokens())).toEqual(sorted)
  })

  test('returns stocks and sources as they were last recorded', async () => {
    const { store } = await open()
    const live = stockOf(6, {
      issuer: 'Robinhood',
      feed: addressOf(77),
      verdict: 'verified',
      multiplier: 10n ** 18n,
      pendingMultiplier: 4n * 10n ** 18n,
      multiplierEffectiveTs: day,
      oraclePaused: false,
      readTs: day,
    })
    await store.recordStocks([stockOf(6), stockOf(7)])
    await store.recordStocks([live])
    const never = { lastAttemptTs: null, lastSuccessTs: null, lastError: null, failures: 0 }
    const pools = { source: 'pools', enabled: false, partial: true, ...never } as const
    const swaps = { ...pools, source: 'swaps', enabled: true, failures: 2 } as const
    await store.recordSource(swaps)
    await store.recordSource({ ...pools, enabled: true })
    await store.recordSource(pools)
    const after = await contentsOf(store)
    expect(after.stocks).toEqual([stockOf(7), live])
    expect(after.sources).toEqual([pools, swaps])
  })
}

export const describeRecords = (open: OpenBench): void => {
  describeMaps(open)
  describeEnrichment(open)
  describeDirectories(open)
}
