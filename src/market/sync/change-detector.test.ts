import { expect, test } from 'vitest'
import { hexOf, noon } from '../../../test/support/domain/sample-inputs.ts'
import {
  anchorAt,
  marketOver,
  poolOf,
  quotesAt,
  samplePools,
  sampleStore,
  swapOf,
} from '../../../test/support/market/sample-market.ts'
import type { SourceRecord } from '../../domain/status/source-state.ts'
import type { ChangeEvent } from '../changes.ts'

/* What a watcher hears is what the store has changed between two refreshs at it. */

const subscribeToSample = async () => {
  const store = sampleStore()
  const { market, clock } = marketOver(store)
  await market.refresh()
  const received: ChangeEvent[] = []
  const unsubscribe = market.subscribe((changes) => received.push(...changes))
  await market.refresh()
  const refresh = async (): Promise<readonly string[]> => {
    received.length = 0
    await market.refresh()
    return received.map(({ topic }) => topic)
  }
  return { store, market, clock, received, refresh, unsubscribe }
}

const block = (number: number, epoch = 0) => ({
  cursor: anchorAt(number, noon - 1),
  head: anchorAt(number + 20, noon),
  epoch,
})

/** At the time of its block. */
const swapIn = (number: number, logIndex = 0) => swapOf(number, { logIndex, ts: noon - 1 })

const traded = (number: number) =>
  poolOf(1, { ...samplePools.canonical, lastSwapBlock: number, lastSwapTs: noon - 1 })

test('reports nothing on the first read or when nothing changed', async () => {
  const { received, refresh } = await subscribeToSample()
  expect([received, await refresh()]).toEqual([[], []])
})

test('reports each swap once, in chain order, with its pool', async () => {
  const { store, received, refresh, market } = await subscribeToSample()
  const swaps = [swapIn(1003, 5), swapIn(1003, 2), swapIn(1001)]
  store.write({ header: block(1005), pools: [traded(1003)], swaps })
  // Its volume also changes the stock's.
  expect(await refresh()).toEqual(['swap', 'swap', 'swap', 'pool', 'stock'])
  const swapData = received.filter(({ topic }) => topic === 'swap').map(({ data }) => data)
  expect(swapData).toMatchObject([
    { block: 1001, poolId: samplePools.canonical.id, stockSymbol: 'NVDA' },
    { block: 1003, logIndex: 2 },
    { block: 1003, logIndex: 5 },
  ])
  const detail = await market.pool(samplePools.canonical.id, '24h')
  const pool = received.find(({ topic }) => topic === 'pool')
  expect(pool?.data).toEqual(detail?.pool)
  expect(pool?.about).toEqual({ symbols: ['NVDA'], poolId: samplePools.canonical.id })
  expect(await refresh()).toEqual([])
})

test('names both stocks of a pool, so that either filter matches', async () => {
  const { store, received, refresh } = await subscribeToSample()
  const { pair } = samplePools
  store.write({ header: block(1001), pools: [{ ...pair, liquidity: 2n }] })
  expect(await refresh()).toContain('pool')
  const { about } = received.find(({ topic }) => topic === 'pool') ?? {}
  expect(about).toEqual({ symbols: ['NVDA', 'TSLA'], poolId: pair.id })
})

test('reports stocks, not pools, when a quote changes', async () => {
  const { store, clock, received, refresh } = await subscribeToSample()
  clock.ts = noon + 1
  const [nvda, ...others] = quotesAt(noon)
  store.write({ quotes: [{ ...nvda, bid: 150, ask: 150 } as typeof nvda & {}, ...others] })
  const topics = await refresh()
  expect(topics.every((topic) => topic === 'stock')).toBe(true)
  expect(received[0]?.data).toMatchObject({ symbol: 'NVDA', quoteUsd: 150 })
})

test('reports a source when its state or error changes, not when it ages', async () => {
  const { store, clock, received, refresh } = await subscribeToSample()
  const record: SourceRecord = {
    source: 'swaps',
    enabled: true,
    lastAttemptTs: noon,
    lastSuccessTs: noon,
    lastError: null,
    partial: false,
    failures: 0,
  }
  store.write({ sources: [record] })
  expect(await refresh()).toContain('source')
  clock.ts = noon + 20
  expect(await refresh()).not.toContain('source')
  clock.ts = noon + 40
  expect(await refresh()).toContain('source')
  expect(received.find(({ topic }) => topic === 'source')?.data).toMatchObject({ state: 'stale' })
})

/** The header after a branch above `ancestor` was replaced up to block `number`. */
const replaced = (number: number, ancestor: number | null, epoch = 1) => ({
  ...block(number, epoch),
  finalizedCursor: anchorAt(900, noon - 60),
  lastReplacement: { epoch, ancestor: ancestor === null ? null : anchorAt(ancestor, noon - 2) },
})

const blocksOf = (received: readonly ChangeEvent[]) =>
  received.flatMap(({ topic, data }) => (topic === 'swap' ? [data.block] : []))

test('reports a rollback to the common ancestor, then the swaps of the new branch', async () => {
  const { store, received, refresh } = await subscribeToSample()
  const swaps = [swapIn(998), swapIn(1002), swapIn(1000, 4)]
  store.write({ header: replaced(1002, 998), pools: [traded(1002)], swaps })
  const topics = await refresh()
  expect(topics.slice(0, 4)).toEqual(['rollback', 'swap', 'swap', 'pool'])
  expect(received[0]?.data).toEqual({ afterBlock: 998, ts: noon - 1 })
  expect(blocksOf(received)).toEqual([1000, 1002])
  expect(await refresh()).toEqual([])
})

test('reports a rollback of everything if no block stayed', async () => {
  const { store, received, refresh } = await subscribeToSample()
  store.write({ header: replaced(3, null), pools: [traded(3)], swaps: [swapIn(2), swapIn(3)] })
  await refresh()
  expect(received[0]?.data).toMatchObject({ afterBlock: null })
  expect(blocksOf(received)).toEqual([2, 3])
})

test('reports a new branch with the same last swap as its old one', async () => {
  const { store, received, refresh } = await subscribeToSample()
  store.write({ header: block(1002), pools: [traded(1002)], swaps: [swapIn(1002)] })
  await refresh()
  store.write({ header: replaced(1003, 1001), pools: [traded(1002)], swaps: [swapIn(1002)] })
  await refresh()
  expect(blocksOf(received)).toEqual([1002])
})

test.each([
  ['two replacements', replaced(1002, 998, 2)],
  ['late swaps of a new stock', block(1002, 1)],
  ['a replacement that is not the last change', { ...replaced(1002, 998), epoch: 2 }],
])('replaces %s between two reads by one resync', async (_, header) => {
  const { store, received, refresh } = await subscribeToSample()
  store.write({ header, pools: [traded(1002)], swaps: [swapIn(1002)] })
  expect(await refresh()).not.toContain('rollback')
  expect(received[0]?.data).toEqual({ reason: 'too_many_changes' })
  store.write({ header: { ...header, cursor: anchorAt(1003, noon) }, swaps: [swapIn(1003)] })
  await refresh()
  expect(blocksOf(received)).toEqual([1003])
})

test('a rollback during a pending resync is sent at once, its swaps are not', async () => {
  const { store, clock, refresh } = await subscribeToSample()
  const storm = (number: number) => {
    const pools = Array.from({ length: 501 }, (_, at) => poolOf(number * 1000 + at))
    store.write({ header: block(number), pools })
  }
  storm(1001)
  expect(await refresh()).toContain('resync')
  storm(1002)
  await refresh()
  store.write({ header: replaced(1003, 1001), pools: [traded(1003)], swaps: [swapIn(1003)] })
  expect((await refresh()).filter((topic) => topic !== 'stock')).toEqual(['rollback'])
  clock.ts -= 3600
  expect(await refresh()).toContain('resync')
})

test('a read of swaps that fails is made up for by the next one', async () => {
  const memory = sampleStore()
  let isBroken = false
  const { market } = marketOver({
    snapshot: (read) =>
      memory.snapshot((snapshot) =>
        read({
          ...snapshot,
          swapPage: (query) =>
            isBroken ? Promise.reject(new Error('disk')) : snapshot.swapPage(query),
        }),
      ),
  })
  await market.refresh()
  const received: ChangeEvent[] = []
  market.subscribe((changes) => received.push(...changes))
  memory.write({ header: block(1002), pools: [traded(1002)], swaps: [swapIn(1002)] })
  isBroken = true
  await expect(market.refresh()).rejects.toThrow('disk')
  isBroken = false
  await market.refresh()
  expect(blocksOf(received)).toEqual([1002])
})

test('what comes between two reads is sent to a listener that subscribed in between', async () => {
  const store = sampleStore()
  const { market } = marketOver(store)
  await market.refresh()
  const received: ChangeEvent[] = []
  market.subscribe((changes) => received.push(...changes))
  store.write({ header: block(1002), pools: [traded(1002)], swaps: [swapIn(1002)] })
  await market.refresh()
  expect(blocksOf(received)).toEqual([1002])
})

test('the first blocks of an empty store are events', async () => {
  const store = sampleStore()
  store.write({ header: { cursor: null } })
  const { market } = marketOver(store)
  await market.refresh()
  const received: ChangeEvent[] = []
  market.subscribe((changes) => received.push(...changes))
  store.write({ header: block(7), pools: [traded(7)], swaps: [swapIn(6), swapIn(7)] })
  await market.refresh()
  expect(blocksOf(received)).toEqual([6, 7])
})

test('pools that are listed late, with their past swaps, are one resync', async () => {
  const { store, refresh } = await subscribeToSample()
  store.write({ pools: [poolOf(50, { lastSwapBlock: 950, lastSwapTs: noon - 100 })] })
  expect(await refresh()).toContain('resync')
})

test.each([
  ['of a store with replicas may lack what was sent: one resync', false, true, true],
  ['of a store with replicas that has the last block continues it', false, false, false],
  ['of a file continues it', true, true, false],
])('another writer %s', async (_, hasOneCopy, isOtherBlock, isResync) => {
  const store = sampleStore()
  const { market } = marketOver(store, { hasOneCopy })
  await market.refresh()
  const received: ChangeEvent[] = []
  market.subscribe((changes) => received.push(...changes))
  if (isOtherBlock)
    store.write({ header: { cursor: { ...anchorAt(1000, noon), hash: hexOf(5, 32) } } })
  const header = { ...block(1002), writerStartedTs: noon }
  store.write({ header, pools: [traded(1002)], swaps: [swapIn(1002)] })
  await market.refresh()
  const reasons = received.flatMap(({ topic, data }) => (topic === 'resync' ? [data.reason] : []))
  expect(reasons).toEqual(isResync ? ['events_missed'] : [])
  expect(blocksOf(received)).toEqual(isResync ? [] : [1002])
})

test('replaces too many changes, or another store, by one resync', async () => {
  const { store, refresh } = await subscribeToSample()
  const many = Array.from({ length: 2100 }, (_, at) => poolOf(10 + at))
  store.write({ header: block(1001), pools: many })
  expect(await refresh()).toContain('resync')
  store.wipe()
  store.write({ header: { ...block(1), identity: { chainId: 1, network: 'x', originHash: null } } })
  expect((await refresh())[0]).toBe('resync')
})

test('leaves swaps to the store while the index catches up, and says so', async () => {
  const store = sampleStore()
  const { market } = marketOver(store)
  await market.refresh()
  const heard: unknown[] = []
  market.subscribe((changes, position, hasGap) => {
    const topics = changes.flatMap(({ topic }) => (topic === 'stock' ? [] : [topic]))
    heard.push([...new Set(topics), position?.place.block, hasGap])
  })
  const catchUp = async (number: number, swaps: number): Promise<void> => {
    const rows = Array.from({ length: swaps }, (_, logIndex) => swapIn(number, logIndex))
    store.write({ header: block(number), pools: [traded(number)], swaps: rows })
    await market.refresh()
  }
  await catchUp(1001, 501)
  await catchUp(1002, 501)
  await catchUp(1003, 500)
  expect(heard).toEqual([
    ['pool', 1001, true],
    ['pool', 1002, true],
    ['swap', 'pool', 1003, false],
  ])
})

test('calls no listener after it unsubscribed', async () => {
  const { store, refresh, unsubscribe } = await subscribeToSample()
  unsubscribe()
  store.write({ header: block(1005), pools: [traded(1003)], swaps: [swapOf(1003)] })
  expect(await refresh()).toEqual([])
})
