import { expect, test } from 'vitest'
import {
  listOf,
  matches,
  rowsMax,
  type Swap,
  withLive,
  withNewer,
  withOlder,
  withoutAbove,
} from '../../dashboard/pool/swap-list.ts'
import { swapOf } from './lively-market.ts'

/* A swap in each block; its time is its block. */

const swapAt = (block: number): Swap => ({
  ...swapOf(block),
  ...{ block, ts: block, poolId: '0x1', stockSymbol: 'NVDA', amountUsd: block },
})

/** Newest first. */
const swapsFrom = (newest: number, count: number) =>
  Array.from({ length: count }, (_, at) => swapAt(newest - at))

const pageOf = (items: readonly Swap[], next: string | null = null, complete = true) => ({
  ...{ items, next, complete },
  asOfBlock: 9,
})

const blocksOf = ({ rows }: { readonly rows: readonly Swap[] }) => rows.map(({ block }) => block)
const everything = { side: null, minUsd: null } as const
const atTop = { filter: everything, isAtTop: true }
const fullList = () => listOf(pageOf(swapsFrom(5000, rowsMax), 'a'))

test('pages follow each other, each swap once', () => {
  const list = listOf(pageOf(swapsFrom(10, 3), 'a'))
  expect([list.older, list.newer]).toEqual([{ cursor: 'a' }, null])
  const longer = withOlder(list, pageOf(swapsFrom(8, 3), null, false))
  expect(blocksOf(longer)).toEqual([10, 9, 8, 7, 6])
  expect([longer.older, longer.end]).toEqual([null, 'not-kept'])
})

test('the way back lets go of the newest rows, and the way forth of the oldest', () => {
  const back = withOlder(fullList(), pageOf(swapsFrom(5000 - rowsMax, 100), 'b'))
  expect(back.rows).toHaveLength(rowsMax)
  expect([back.newer, back.older]).toEqual([{ ts: 4900 }, { cursor: 'b' }])
  const forth = withNewer(back, pageOf(swapsFrom(4960, 61).toReversed(), 'c'))
  expect(blocksOf(forth).slice(0, 2)).toEqual([4960, 4959])
  expect(forth.rows).toHaveLength(rowsMax)
  expect([forth.newer, forth.older]).toEqual([{ cursor: 'c' }, { ts: 4961 - rowsMax }])
  const live = withNewer(forth, pageOf(swapsFrom(4961, 2).toReversed()))
  expect([live.newer, live.rows[0]?.block]).toEqual([null, 4961])
})

test('swaps of the stream come first, once, and only those of the filter', () => {
  const list = listOf(pageOf(swapsFrom(10, 2)))
  const sell = { ...swapAt(13), side: 'sell' } as const
  const longer = withLive(list, [swapAt(10), swapAt(11), swapAt(12), sell], {
    filter: { side: 'buy', minUsd: 12 },
    isAtTop: true,
  })
  expect(blocksOf(longer)).toEqual([12, 10, 9])
  expect(withLive(longer, [swapAt(12)], atTop)).toBe(longer)
})

test('a list that has let go of its newest rows takes none of the stream', () => {
  const back = withOlder(fullList(), pageOf(swapsFrom(5000 - rowsMax, 1), 'b'))
  expect(withLive(back, [swapAt(5001)], atTop)).toBe(back)
})

test('at its greatest length a reader at the top sees the newest, others keep their rows', () => {
  const top = withLive(fullList(), [swapAt(5001)], atTop)
  expect([top.rows.length, top.rows[0]?.block, top.newer]).toEqual([rowsMax, 5001, null])
  expect(top.older).toEqual({ ts: 5002 - rowsMax })
  const deep = withLive(fullList(), [swapAt(5001)], { ...atTop, isAtTop: false })
  expect([deep.rows.length, deep.rows[0]?.block]).toEqual([rowsMax, 5000])
  expect([deep.newer, deep.older]).toEqual([{ ts: 5000 }, { cursor: 'a' }])
})

test('a rollback takes the replaced rows away, and no cursor stays that may name one', () => {
  const list = listOf(pageOf(swapsFrom(10, 4), 'a'))
  const kept = withoutAbove(list, 8)
  expect([blocksOf(kept), kept.older]).toEqual([[8, 7], { ts: 7 }])
  expect(withoutAbove(list, null).rows).toEqual([])
  expect(withoutAbove(listOf(pageOf(swapsFrom(10, 4))), 8).older).toBeNull()
})

test.each([
  [everything, true],
  [{ side: 'buy', minUsd: 10 }, true],
  [{ side: 'sell', minUsd: null }, false],
  [{ side: null, minUsd: 10.5 }, false],
] as const)('%o matches a buy of ten dollars: %s', (filter, expected) => {
  expect(matches(filter, swapAt(10))).toBe(expected)
})

test('a swap without a value is of no least value', () => {
  expect(matches({ side: null, minUsd: 1 }, { ...swapAt(9), amountUsd: null })).toBe(false)
})
