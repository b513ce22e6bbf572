import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tickMapOf } from '../../../test/support/domain/quoted-pool.ts'
import { hexOf, noon, stateOf } from '../../../test/support/domain/sample-inputs.ts'
import {
  allTokens,
  anchorAt,
  followedMarket,
  marketOver,
  quotesAt,
  samplePools,
  sampleStore,
  stocks,
} from '../../../test/support/market/sample-market.ts'
import { listTicks } from '../../domain/pool/tick-map.ts'
import type { SwapQuoteOrder } from '../../domain/swap/order-amount.ts'
import type { RangeBatch } from '../../ports/store-batches.ts'
import { createSqliteReader, createSqliteStore } from '../../store/sqlite/sqlite-store.ts'

const { canonical, meme } = samplePools
const liquidity = 10n ** 18n
const ticksOf = (pool: number, amount: bigint) =>
  listTicks(tickMapOf([[-260_040, -199_980, amount]])).map((tick) => ({ pool, ...tick }))

/** A token of 100 dollars, which is a little of the pool. */
const order: SwapQuoteOrder = { side: 'sell', amount: { of: 'stock', raw: 10n ** 18n } }

const batch = (block: number, rest: Partial<RangeBatch>): RangeBatch => ({
  expectedCursor: block === 1000 ? null : block - 1,
  to: anchorAt(block, noon - 30),
  head: anchorAt(block + 20, noon),
  progress: { phase: 'done', done: 1, total: 1 },
  blocks: [anchorAt(block, noon - 30)],
  ...{ pools: [], states: [], ticks: [], swaps: [], liquidity: [], candles: [], references: [] },
  ...rest,
})

test('over SQLite a quote is of the block and the row of the pool, and follows them', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'stockpools-quote-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'market.db')
  const writer = createSqliteStore({ path })
  if (!writer.ok) throw new Error(writer.fault)
  onTestFinished(writer.value.close)
  const reader = createSqliteReader({ path })
  if (!reader.ok) throw new Error(reader.fault)
  onTestFinished(reader.value.close)
  const { market } = marketOver(reader.value)
  const { claim, recordTokens, recordStocks, commitRange, recordEnrichment } = writer.value
  await claim({ chainId: 4663, network: 'sample', originHash: hexOf(1, 32) }, noon - 100)
  await recordTokens(allTokens)
  await recordStocks(stocks)
  const { number, id } = canonical
  const { version, protocol, venue, key, createdBlock, createdTs } = canonical
  const states = (amount: bigint) => [{ pool: number, state: stateOf({ liquidity: amount }) }]
  await commitRange(
    batch(1000, {
      pools: [{ number, id, version, protocol, venue, key, createdBlock, createdTs }],
      states: states(liquidity),
      ticks: ticksOf(number, liquidity),
    }),
  )
  const pass = { ts: noon - 5, references: [], reserves: [], hot: [] }
  await recordEnrichment({ ...pass, quotes: quotesAt(noon - 1) })
  await market.refresh()

  const first = await market.quote(id, order)
  if (!first?.ok || first.value.quote === null) throw new Error('no quote')
  const { quote, reasons, assumptions, ...origin } = first.value
  const row = (await market.pool(id, '1h'))?.pool
  expect(row).toMatchObject(origin)
  expect(origin).toMatchObject({ asOfBlock: 1000, stateTs: noon - 30, dataStatus: 'fresh' })
  expect([reasons, assumptions]).toEqual([[], []])
  expect(quote).toMatchObject({ poolId: id, filled: true, amountIn: 1 })
  expect(quote.midPriceInOther).toBe(row?.stockPriceInOther)
  expect(quote.executionPriceUsd).toBe((quote.executionPriceInOther ?? 0) * 1)
  expect(quote.executionPriceInOther).toBeLessThan(100)

  const answer = await market.depth(id, 'all')
  expect(answer).toEqual({ depth: expect.anything(), ...origin })
  expect(answer?.depth?.midPriceInOther).toBe(row?.stockPriceInOther)
  const { executionPriceUsd, priceImpactBps } = quote
  const big = answer?.depth?.ladder[0]?.sell
  expect(big?.executionPriceUsd).toBeLessThan(executionPriceUsd ?? 0)
  expect(big?.priceImpactBps).toBeGreaterThan(priceImpactBps ?? 0)
  expect(answer?.depth?.segments).toHaveLength(1)
  expect(answer?.depth?.segments[0]).toMatchObject({ tickLower: -260_040, tickUpper: -199_980 })

  await commitRange(
    batch(1001, { states: states(2n * liquidity), ticks: ticksOf(number, 2n * liquidity) }),
  )
  await market.refresh()
  const second = await market.quote(id, order)
  if (!second?.ok || second.value.quote === null) throw new Error('no quote')
  expect(second.value.asOfBlock).toBe(1001)
  expect(second.value.quote.liquidityAfter).toBe((2n * liquidity).toString())
  const impacts = [quote.priceImpactBps ?? 0, second.value.quote.priceImpactBps ?? 0]
  expect((impacts[0] ?? 0) / (impacts[1] ?? 0)).toBeCloseTo(2, 1)
})

const storeWithTicks = () => {
  const store = sampleStore()
  store.write({ ticks: ticksOf(canonical.number, canonical.liquidity) })
  return store
}

test('the store is read once, and again after a change of the row', async () => {
  const { market, store, clock } = await followedMarket(storeWithTicks())
  const before = store.snapshots()
  for (let block = 0; block < 3; block++) {
    clock.ts += 1
    await market.quote(canonical.id, order)
  }
  expect(store.snapshots()).toBe(before + 1)
  store.write({ header: { head: anchorAt(1030, noon) } })
  await market.refresh()
  await market.quote(canonical.id, order)
  expect(store.snapshots()).toBe(before + 2)
  store.write({ pools: [{ ...canonical, price: null }] })
  await market.refresh()
  const answer = await market.quote(canonical.id, order)
  expect(answer).toMatchObject({ value: { quote: null, reasons: ['uninitialised'] } })
  expect(store.snapshots()).toBe(before + 4)
})

test('a map is never used with the row of another block', async () => {
  const { market, store } = await followedMarket(storeWithTicks())
  await market.quote(canonical.id, order)
  const ticks = ticksOf(canonical.number, 5n * liquidity)
  const cursor = anchorAt(1001, noon - 1)
  store.write({ header: { cursor }, ticks, pools: [{ ...canonical, liquidity: 5n * liquidity }] })
  const cached = await market.quote(canonical.id, order)
  const after = { liquidityAfter: liquidity.toString() }
  expect(cached).toMatchObject({ value: { asOfBlock: 1000, quote: after } })
  await market.refresh()
  const next = { liquidityAfter: (5n * liquidity).toString() }
  expect(await market.quote(canonical.id, order)).toMatchObject({
    value: { asOfBlock: 1001, quote: next },
  })
})

test('an unknown pool has no answer, an order for other tokens a fault', async () => {
  const { market } = await followedMarket(storeWithTicks())
  expect(await market.quote(hexOf(99, 20), order)).toBeNull()
  expect(await market.depth(hexOf(99, 20), 'near')).toBeNull()
  const amount = { of: 'other', whole: { digits: 1n, decimals: 7 } } as const
  expect(await market.quote(canonical.id, { side: 'buy', amount })).toEqual({
    ok: false,
    fault: { kind: 'too-many-decimals', decimals: 6 },
  })
})

test('a pool whose ticks are no map, or whose fee is not known, has no quote', async () => {
  const store = storeWithTicks()
  store.write({ ticks: [{ pool: canonical.number, tick: 0, net: 5n, gross: 5n }] })
  const { market } = await followedMarket(store)
  expect(await market.quote(canonical.id, order)).toMatchObject({
    value: { quote: null, reasons: ['index_gap'] },
  })
  expect(await market.depth(canonical.id, 'near')).toMatchObject({ depth: null })
  expect(await market.quote(meme.id, order)).toMatchObject({
    value: { quote: null, reasons: ['fee_unknown'] },
  })
})
