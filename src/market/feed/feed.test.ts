import { expect, test } from 'vitest'
import { addressOf, noon } from '../../../test/support/domain/sample-inputs.ts'
import {
  anchorAt,
  marketOver,
  poolOf,
  sampleStore,
  swapOf,
} from '../../../test/support/market/sample-market.ts'
import { unknown } from '../../domain/reading.ts'
import type { StoreReader } from '../../ports/store.ts'

const settled = anchorAt(900, noon - 60)
const trader = addressOf(0x77)

/** Blocks of the last minutes, all swaps with traders but for one. */
const storeWith = (untraded: number | null, header: object = {}) => {
  const store = sampleStore()
  const blocks = [700, 800, 880, 890, 950]
  store.write({
    header: { finalizedCursor: settled, ...header },
    swaps: blocks.map((block) =>
      swapOf(block, { ts: noon - (1000 - block), trader: block === untraded ? null : trader }),
    ),
  })
  return store
}

const openFeed = async (store: StoreReader, hasTraders = true) => {
  const { market, clock } = marketOver(store, { hasTraders })
  await market.refresh()
  return { market, clock }
}

test('a block is announced once it is settled and its traders are known', async () => {
  const { market } = await openFeed(storeWith(null))
  expect(await market.feedBlock()).toEqual({ block: 900, ts: settled.ts })
  const later = await openFeed(storeWith(950))
  expect(await later.market.feedBlock()).toEqual({ block: 900, ts: settled.ts })
  const none = await openFeed(storeWith(null, { finalizedCursor: null }))
  expect(await none.market.feedBlock()).toBeNull()
})

test('an unknown trader holds its block up for ten minutes', async () => {
  const { market, clock } = await openFeed(storeWith(880))
  expect(await market.feedBlock()).toEqual({ block: 879, ts: noon - 120 })
  const range = { fromBlock: 880, toBlock: 890 }
  expect(await market.feedEvents(range)).toEqual({
    ok: false,
    fault: { kind: 'not-announced', last: 879 },
  })
  clock.ts += 600
  expect(await market.feedBlock()).toEqual({ block: 900, ts: settled.ts })
  const events = await market.feedEvents(range)
  if (!events.ok) throw new Error(events.fault.kind)
  expect(events.value.map(({ event }) => event.maker)).toEqual([addressOf(1), trader])
})

test('where traders are not read, no block waits for them', async () => {
  const { market } = await openFeed(storeWith(880), false)
  expect((await market.feedBlock())?.block).toBe(900)
  const events = await market.feedEvents({ fromBlock: 880, toBlock: 880 })
  if (!events.ok) throw new Error(events.fault.kind)
  expect(events.value.map(({ event }) => event.maker)).toEqual([addressOf(1)])
})

test('a pool of a token that is not read yet holds its blocks up for ten minutes', async () => {
  const store = storeWith(null)
  const created = { createdBlock: 890, createdTs: noon - 110 }
  const other = addressOf(0xdd)
  const pool = poolOf(9, created)
  store.write({ pools: [{ ...pool, key: { ...pool.key, token1: other } }] })
  const { market, clock } = await openFeed(store)
  expect(await market.feedBlock()).toEqual({ block: 889, ts: noon - 110 })
  clock.ts += 600
  expect((await market.feedBlock())?.block).toBe(900)
  expect(await market.feedPair(pool.id)).toBeNull()
  // Once the contract has refused, nothing is waited for.
  clock.ts -= 600
  const reverted = unknown('decimals-reverted')
  store.write({
    tokens: [{ address: other, symbol: reverted, name: reverted, decimals: reverted }],
  })
  await market.refresh()
  expect((await market.feedBlock())?.block).toBe(900)
  expect(await market.feedAsset(other)).toEqual({ address: other, symbol: other, name: other })
})

test('blocks whose swaps are deleted, or not read yet, have no events', async () => {
  const ask = async (header: object) => {
    const { market } = await openFeed(storeWith(null, header))
    const result = await market.feedEvents({ fromBlock: 750, toBlock: 850 })
    return result.ok ? result.value.length : result.fault
  }
  expect(await ask({})).toBe(1)
  const keptSince = noon - 250
  expect(await ask({ swapsKeptSince: keptSince })).toEqual({ kind: 'history-pruned', keptSince })
  const completeAfter = anchorAt(760, noon - 240)
  const backfillCursor = { completeAfter, firstBlock: 1, startedAt: 999, lastPoolNumber: 9 }
  const progress = { phase: 'swaps', done: 1, total: 9 }
  expect(await ask({ backfillCursor, progress })).toEqual({ kind: 'incomplete' })
  expect(await ask({ backfillCursor })).toMatchObject({ kind: 'history-pruned' })
  const before = { ...backfillCursor, completeAfter: anchorAt(749, noon - 251) }
  expect(await ask({ backfillCursor: before, progress })).toBe(1)
})

/** Counts the reads of the snapshots of a store. */
const counting = (store: StoreReader) => {
  const counts = new Map<string, number>()
  const counted: StoreReader = {
    snapshot: (read) =>
      store.snapshot((snapshot) => {
        const reads = Object.entries(snapshot).map(([name, original]) => [
          name,
          (...given: unknown[]) => {
            counts.set(name, (counts.get(name) ?? 0) + 1)
            return (original as (...all: unknown[]) => unknown)(...given)
          },
        ])
        return read(Object.fromEntries(reads))
      }),
  }
  return { counted, counts }
}

test('the number of reads grows neither with the pools nor with the blocks', async () => {
  const readsOf = async (pools: number) => {
    const store = sampleStore()
    const numbers = Array.from({ length: pools }, (_, at) => 10 + at)
    store.write({
      header: { finalizedCursor: settled },
      pools: numbers.map((number) => poolOf(number)),
      swaps: numbers.map((pool, at) =>
        swapOf(800 + at, { pool, ts: noon - 200, logIndex: at, trader }),
      ),
    })
    const { counted, counts } = counting(store)
    const { market } = await openFeed(counted)
    counts.clear()
    const events = await market.feedEvents({ fromBlock: 790, toBlock: 889 })
    if (!events.ok) throw new Error(events.fault.kind)
    expect(events.value).toHaveLength(pools)
    return [...counts.values()].reduce((sum, count) => sum + count, 0)
  }
  const few = await readsOf(2)
  expect(few).toBeLessThanOrEqual(8)
  expect(await readsOf(80)).toBe(few)
})
