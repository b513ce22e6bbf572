import { describe, expect, test } from 'vitest'
import { known } from '../../src/domain/reading.ts'
import type { Store } from '../../src/ports/store.ts'
import type { OpenBench } from './bench.ts'
import {
  addressOf,
  allOf,
  batchOf,
  blockRefAt,
  day,
  identityOf,
  passAt,
  pointAt,
  quoteOf,
  stateOf,
  stockOf,
} from './fixtures.ts'

const headerOf = (store: Store) => store.snapshot((snapshot) => snapshot.header())

const token = {
  address: addressOf(101),
  symbol: known('NVDA'),
  name: known('NVIDIA'),
  decimals: known(18),
}

const ofNumber = (number: number) => ({ ...token, address: addressOf(number) })

const source = {
  source: 'quotes',
  enabled: true,
  lastAttemptTs: day,
  lastSuccessTs: null,
  lastError: 'no answer',
  partial: false,
  failures: 1,
} as const

const coverage = { checkedTs: day, checked: 3, missing: 1 }

const unchecked = { pools: null, expected: null, checkedBlock: null }
const coveragePass = {
  scannedTo: 5,
  venues: [
    { address: addressOf(1), pools: 2, expected: 3, checkedBlock: 5, found: 3, lost: 1 },
    { address: addressOf(2), ...unchecked, found: 0, lost: 0 },
  ],
}

const pools = [identityOf(1), identityOf(2)]

const writes: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
  ['a batch', (store) => store.commitRange(batchOf({ before: null, to: 1 }, { pools }))],
  ['a head', (store) => store.recordHead(blockRefAt(30))],
  ['tokens', (store) => store.recordTokens([token])],
  ['stocks', (store) => store.recordStocks([stockOf(101), stockOf(102)])],
  ['a pass over stocks that changed none', (store) => store.recordStocks([], day)],
  ['a coverage audit', (store) => store.recordCoverage(coverage)],
  ['an audit of creation logs', (store) => store.recordCoveragePass(coveragePass)],
  ['a source', (store) => store.recordSource(source)],
  ['quotes', (store) => store.recordEnrichment(passAt(day, { quotes: [quoteOf()] }))],
  ['references', (store) => store.recordEnrichment(passAt(day, { references: [pointAt(day, 2)] }))],
  ['a pass that found nothing', (store) => store.recordEnrichment(passAt(day + 15))],
  [
    'a hot pool',
    (store) => store.recordEnrichment(passAt(day + 15, { hot: [{ pool: 2, lastHotTs: day }] })),
  ],
]

export const describeRevisions = (open: OpenBench): void => {
  test('the revision grows by one with each change, and by none when nothing changes', async () => {
    const { store } = await open()
    expect((await headerOf(store))?.revision).toBe(0)
    for (const [at, [name, write]] of writes.entries()) {
      await write(store)
      expect((await headerOf(store))?.revision, `after ${name}`).toBe(at + 1)
      await write(store)
      expect((await headerOf(store))?.revision, `after ${name} again`).toBe(at + 1)
    }
    await store.replaceTickMap(1, stateOf(5n), [])
    const header = await headerOf(store)
    expect(header).toMatchObject({
      ...{ revision: writes.length + 1, epoch: 0, enrichedTs: day + 15 },
      coverage,
      coveragePass,
    })
  })

  describe('all there are', () => {
    // No number, one, as many as fill the longest page of any store, and one more than that.
    test.each([0, 1, 1000, 1001])('%i pools are read by number, page by page', async (count) => {
      const { store } = await open()
      const numbers = Array.from({ length: count }, (_, at) => 3 * (count - at))
      const made = numbers.map(identityOf)
      await store.commitRange(batchOf({ before: null, to: 1 }, { pools: made }))
      const [pages, all] = await store.snapshot(async (snapshot) => [
        await allOf(snapshot.pools()),
        await snapshot.poolsChangedAfter(-1),
      ])
      expect(pages.flat()).toEqual(all.toSorted((a, b) => a.number - b.number))
      expect(pages.flat().map(({ number }) => number)).toEqual(numbers.toReversed())
      expect(await allOf(store.readPools())).toEqual(pages.flat())
    })

    test.each([0, 1, 1000, 1001])('%i tokens are read by address, page by page', async (count) => {
      const { store } = await open()
      const made = Array.from({ length: count }, (_, at) => ofNumber(102 + count - at))
      await store.recordTokens(made)
      const pages = await store.snapshot((snapshot) => allOf(snapshot.tokens()))
      expect(pages.flat()).toEqual(made.toReversed())
      expect(await allOf(store.readTokens())).toEqual(made.toReversed())
    })

    test('are not read on once the snapshot has ended', async () => {
      const { store } = await open()
      const pages = await store.snapshot(async (snapshot) => snapshot.pools())
      await expect(allOf(pages)).rejects.toThrow('this snapshot has ended')
    })
  })

  describe('what changed after a revision', () => {
    test('is exactly the pools of later commits, maps and hot passes', async () => {
      const { store } = await open()
      const changed = (revision: number) =>
        store.snapshot(async (snapshot) =>
          (await snapshot.poolsChangedAfter(revision)).map(({ number }) => number),
        )
      await store.commitRange(
        batchOf({ before: null, to: 1 }, { pools: [...pools, identityOf(3)] }),
      )
      const states = [{ pool: 2, state: stateOf(8n) }]
      await store.commitRange(batchOf({ before: 1, to: 2 }, { states }))
      await store.replaceTickMap(1, stateOf(9n), [])
      await store.recordEnrichment(passAt(day, { hot: [{ pool: 3, lastHotTs: day }] }))
      const answers = await Promise.all([-1, 0, 1, 2, 3, 4].map(changed))
      expect(answers).toEqual([[2, 1, 3], [2, 1, 3], [2, 1, 3], [1, 3], [3], []])
    })

    test('is not a token or stock that was written as it was', async () => {
      const { store } = await open()
      const other = { ...token, address: addressOf(102) }
      await store.recordTokens([token, other])
      await store.recordStocks([stockOf(101), stockOf(102)])
      await store.recordTokens([token, { ...other, symbol: known('NVDA2') }])
      await store.recordStocks([stockOf(101, { verdict: 'verified' }), stockOf(102)])
      const [tokens, stocks] = await store.snapshot((snapshot) =>
        Promise.all([snapshot.tokensChangedAfter(2), snapshot.stocksChangedAfter(2)]),
      )
      expect(tokens).toEqual([{ ...other, symbol: known('NVDA2') }])
      expect(stocks).toEqual([stockOf(101, { verdict: 'verified' })])
    })
  })
}
