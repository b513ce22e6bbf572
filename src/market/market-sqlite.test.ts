import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { hexOf, noon, quoteOf, stateOf, tokens } from '../../test/support/domain/sample-inputs.ts'
import {
  allTokens,
  anchorAt,
  anyPool,
  candleOf,
  marketOver,
  pointOf,
  quotesAt,
  samplePools,
  stocks,
  swapOf,
} from '../../test/support/market/sample-market.ts'
import { aggregateCandles } from '../domain/series/candles.ts'
import type { RangeBatch } from '../ports/store-batches.ts'
import { createSqliteReader, createSqliteStore } from '../store/sqlite/sqlite-store.ts'

const directory = mkdtempSync(join(tmpdir(), 'stockpools-market-'))
const ends: (() => Promise<void>)[] = [
  async () => rmSync(directory, { recursive: true, force: true }),
]

afterEach(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
})

const opened = <T extends { readonly close: () => Promise<void> }>(
  outcome:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly fault: string },
): T => {
  if (!outcome.ok) throw new Error(outcome.fault)
  ends.push(outcome.value.close)
  return outcome.value
}

const { canonical, meme, pair } = samplePools
const { number, id, version, createdBlock } = canonical
const identities = [canonical, meme, pair].map((pool) => ({
  ...{
    number: pool.number,
    id: pool.id,
    version: pool.version,
    protocol: pool.protocol,
    venue: pool.venue,
  },
  ...{ key: pool.key, createdBlock: pool.createdBlock, createdTs: pool.createdTs },
}))

const batch = (rest: Partial<RangeBatch> & Pick<RangeBatch, 'to'>): RangeBatch => ({
  expectedCursor: null,
  head: anchorAt(rest.to.block + 20, noon),
  progress: { phase: 'done', done: 1, total: 1 },
  blocks: [rest.to],
  pools: [],
  states: [],
  ticks: [],
  swaps: [],
  liquidity: [],
  candles: [],
  references: [],
  ...rest,
})

const minute = noon - (noon % 60)

/** A minute in which one of the sample's swaps took place. */
const trade = (ts: number) => candleOf(ts, { usdMicro: swapOf(1).usdMicro ?? 0 })

test('a market over SQLite gives the answers of the indexer that writes it', async () => {
  const path = join(directory, 'market.db')
  const writer = opened(createSqliteStore({ path }))
  const origin = { chainId: 4663, network: 'sample', originHash: hexOf(1, 32) }
  const { market, clock } = marketOver(opened(createSqliteReader({ path })))
  await market.refresh()
  expect(market.isReady()).toBe(false)

  expect(await writer.claim(origin, noon - 100)).toBe('ready')
  await writer.recordTokens(allTokens)
  await writer.recordStocks(stocks)
  await writer.commitRange(
    batch({
      to: anchorAt(1000, noon - 30),
      pools: identities,
      states: identities.map((identity) => ({ pool: identity.number, state: stateOf() })),
      swaps: [swapOf(999, { ts: minute - 3940 }), swapOf(1000, { ts: minute - 30 })],
      candles: aggregateCandles([trade(minute - 3960), trade(minute - 60)]),
    }),
  )
  await writer.recordEnrichment({
    ts: noon - 5,
    quotes: quotesAt(noon - 1),
    references: [
      pointOf(tokens.nvda, minute - 7200, 90),
      pointOf(tokens.usdg, minute - 7200, 1, { source: 'chainlink' }),
    ],
    reserves: [],
    hot: [{ pool: number, lastHotTs: noon - 40 }],
  })
  await market.refresh()
  expect(market.isReady()).toBe(true)
  const [first] = (await market.pools({ ...anyPool, kind: 'canonical' })).items
  expect(first).toMatchObject({ id, version, createdBlock, hot: true, asOfBlock: 1000 })
  expect(first).toMatchObject({ vol1hUsd: 100, vol24hUsd: 200, swaps24h: 2, liquidityUsd: 250_000 })

  const detail = await market.pool(id, '6h')
  expect(detail?.pool).toEqual(first)
  expect(detail?.swaps.map(({ block }) => block)).toEqual([1000, 999])
  const priced = detail?.series.filter(({ stockPriceUsd }) => stockPriceUsd !== null) ?? []
  // From the first trade on the price stands: an hour and six minutes of rows.
  expect(priced[0]).toMatchObject({ ts: minute - 3960, swaps: 1, volumeUsd: 100 })
  expect(priced[0]?.liquidityUsd).toBeCloseTo(1000 * 90 + 150_000, 6)
  expect(priced).toHaveLength(66)
  expect(priced.at(-1)).toMatchObject({ closed: false, liquidityUsd: first?.liquidityUsd })

  // Time passes: one swap leaves the hour, another one enters.
  clock.ts = noon + 3600
  await writer.commitRange(
    batch({
      expectedCursor: 1000,
      to: anchorAt(2000, noon + 3590),
      states: [{ pool: number, state: stateOf({ lastSwapTs: noon + 3590, lastSwapBlock: 2000 }) }],
      swaps: [swapOf(2000, { ts: noon + 3590, usdMicro: null })],
    }),
  )
  const quotes = [quoteOf({ bid: 100, ask: 100, publishedTs: noon + 3590 })]
  await writer.recordEnrichment({
    ts: noon + 3590,
    quotes,
    references: [],
    reserves: [],
    hot: [],
  })
  const unread = await market.pool(id, '1h')
  expect(unread?.pool).toMatchObject({ dataStatus: 'partial', comparable: false })
  expect(unread?.pool.statusReasons).toContain('multiplier_old')
  await writer.recordStocks([], noon + 3590)
  const later = await market.pool(id, '1h')
  expect(later?.pool).toMatchObject({ vol1hUsd: null, vol24hUsd: null, swaps24h: 3 })
  expect(later?.pool).toMatchObject({ asOfBlock: 2000, dataStatus: 'fresh', hot: true })
  expect(later?.swaps[0]).toMatchObject({ block: 2000, amountUsd: null })
  await market.refresh()
  expect((await market.pools({ ...anyPool, kind: 'canonical' })).items[0]).toEqual(later?.pool)

  const another = marketOver(opened(createSqliteReader({ path })))
  another.clock.ts = clock.ts
  await another.market.refresh()
  expect(await another.market.pools(anyPool)).toEqual(await market.pools(anyPool))
  expect(another.market.status()).toEqual(market.status())
})

test('the status lists searches until they are complete', async () => {
  const path = join(directory, 'searches.db')
  const writer = opened(createSqliteStore({ path }))
  await writer.claim({ chainId: 4663, network: 'sample', originHash: hexOf(1, 32) }, 1)
  const { market } = marketOver(opened(createSqliteReader({ path })))
  const venue = { address: tokens.meme, kind: 'venue', fromBlock: 5, done: 3, total: 9 } as const
  const stock = { address: tokens.usdg, kind: 'stock', fromBlock: 5, done: 9, total: 9 } as const
  await writer.recordSearches([venue, stock])
  await market.refresh()
  expect(market.status().chain.searches).toEqual([venue])
  await writer.recordSearches([{ ...venue, done: 9 }])
  await market.refresh()
  expect(market.status().chain.searches).toEqual([])
})

test('the status of a process that only reads has the coverage', async () => {
  const path = join(directory, 'coverage.db')
  const writer = opened(createSqliteStore({ path }))
  await writer.claim({ chainId: 4663, network: 'sample', originHash: hexOf(1, 32) }, 1)
  const { market } = marketOver(opened(createSqliteReader({ path })))
  await market.refresh()
  expect(market.status().chain.coverage).toBeNull()
  const coverage = { checkedTs: 7, checked: 40, missing: 2 }
  await writer.recordCoverage(coverage)
  await market.refresh()
  expect(market.status().chain.coverage).toEqual(coverage)
})
