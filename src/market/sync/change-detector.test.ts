import { expect, test } from 'vitest'
import { noon } from '../../../test/support/domain/sample-inputs.ts'
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

test('reports a rollback before the events of the new branch', async () => {
  const { store, received, refresh } = await subscribeToSample()
  const finalized = anchorAt(900, noon - 60)
  store.write({ header: { ...block(1002, 1), finalizedCursor: finalized }, pools: [traded(1002)] })
  const topics = await refresh()
  expect(topics[0]).toBe('rollback')
  expect(received[0]?.data).toEqual({ afterBlock: 900, ts: noon - 1 })
  expect(topics).toContain('pool')
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

/*
 *     blocks read   1..1000  1001..2000   2001..3000     3001        5 s later   one more
 *     events        resync   none: a resync is pending                            resync   its swap
 */
test('sends an occasional resync instead of swaps while the index catches up', async () => {
  const { store, clock, refresh } = await subscribeToSample()
  const catchUp = async (number: number, swaps: number): Promise<readonly string[]> => {
    const ts = noon - 1000 + number
    const rows = Array.from({ length: swaps }, (_, logIndex) => swapOf(number, { logIndex, ts }))
    const header = { ...block(number), cursor: anchorAt(number, ts) }
    store.write({ header, pools: [traded(number)], swaps: rows })
    const topics = await refresh()
    return topics.filter((topic) => topic !== 'stock')
  }
  expect(await catchUp(1001, 501)).toEqual(['resync'])
  expect(await catchUp(1002, 501)).toEqual([])
  expect(await catchUp(1003, 1)).toEqual([])
  clock.ts = noon + 5
  expect(await refresh()).toContain('resync')
  expect(await catchUp(1004, 400)).toEqual([...Array(400).fill('swap'), 'pool'])
})

test('calls no listener after it unsubscribed', async () => {
  const { store, refresh, unsubscribe } = await subscribeToSample()
  unsubscribe()
  store.write({ header: block(1005), pools: [traded(1003)], swaps: [swapOf(1003)] })
  expect(await refresh()).toEqual([])
})
