import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tableOf } from '../../../test/support/market/pool-table.ts'
import { runInSlices, type SlicedWork, yieldToEventLoop } from '../../util/time-slice.ts'
import { editTable } from '../model/chunked-table.ts'
import type { ListedPool } from '../model/model-pool.ts'
import { normalizeText, textEnd } from '../model/token-index.ts'
import { createPoolIndex } from './bigram-index.ts'
import { hexPrefixOf } from './query-filters.ts'

/*
 * The index finds what reading every name would find, also when pools come and change their names:
 *
 *     names      ab.  ba.  aab.        q = "ab"   ->   0  2
 *     names      ab.  ab.  aab.  b.    q = "ab"   ->   0  1  2
 */

const hexOf = (number: number): `0x${string}` => `0x${number.toString(16).padStart(8, '0')}`

type Drawn = readonly [names: readonly string[], hex: number]

const entryOf = ([names, number]: Drawn, at: number): ListedPool => {
  const text = names.map((name) => `${normalizeText(name)}${textEnd}`).join('')
  const [token0, token1] = [number * 7, number * 31].map((hex) => ({ address: hexOf(hex), text }))
  // Of an pool the index reads nothing else.
  return { number: at, id: hexOf(number), token0, token1 } as ListedPool
}

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é', '0', ' '), maxLength: 6 })
const drawn = fc.option(fc.tuple(fc.array(name, { maxLength: 3 }), fc.nat(0x1fffffff)))
/** Some of a table's pieces long, so that there are pools in several. */
const market = fc
  .array(fc.record({ gap: fc.nat(300), one: drawn }), { maxLength: 12 })
  .map((steps) => {
    const pools: (ListedPool | undefined)[] = []
    for (const { gap, one } of steps) {
      for (let free = 0; free < gap; free++) pools.push(undefined)
      pools.push(one === null ? undefined : entryOf(one, pools.length))
    }
    return pools
  })
const prefix = fc.nat(0xffff).map((head) => hexOf(head * 65_536).slice(0, 6))

const findByReading = (pools: readonly (ListedPool | undefined)[], q: string) =>
  pools.flatMap((one, number) => {
    if (one === undefined) return []
    const { id, token0, token1 } = one
    const start = hexPrefixOf(q)
    const hasText = token0.text.includes(normalizeText(q))
    const begins = (hex: string) => start !== null && hex.startsWith(start)
    return hasText || [id, token0.address, token1.address].some(begins) ? [number] : []
  })

/** By setting what there is: its pieces may be shorter than others. */
const madeOf = (pools: readonly (ListedPool | undefined)[]) => {
  const draft = editTable<ListedPool>([])
  for (const [number, one] of pools.entries()) if (one !== undefined) draft.set(number, one)
  return draft.finish()
}

const atOnce = <T>(work: SlicedWork<T>): T => {
  for (;;) {
    const slice = work.next()
    if (slice.done) return slice.value
  }
}

const inOrder = (numbers: Iterable<number>) => [...numbers].toSorted((a, b) => a - b)

test('finds what a scan of all texts finds', () => {
  const steps = fc.array(fc.tuple(market, fc.oneof(name, prefix)), { maxLength: 4 })
  fc.assert(
    fc.property(steps, (asked) => {
      const index = createPoolIndex()
      for (const [pools, q] of asked) {
        expect(inOrder(atOnce(index.find(madeOf(pools), q)))).toEqual(findByReading(pools, q))
      }
    }),
  )
})

test('reindexes one section when one of thousands of pools is renamed', () => {
  const pools = tableOf(
    Array.from({ length: 3000 }, (_, at) => entryOf([[`meme ${at}`], at * 65_536], at)),
  )
  const index = createPoolIndex()
  const draft = editTable(pools)
  draft.set(2500, entryOf([['moon'], 7], 2500))
  const renamed = draft.finish()
  const count = (q: string, from = pools) => [...atOnce(index.find(from, q))].length
  expect(count('meme 299')).toBe(11)
  expect(count('moon')).toBe(0)
  expect(count('moon', renamed)).toBe(1)
  expect(count('meme 2500', renamed)).toBe(0)
  expect(inOrder(atOnce(index.find(pools, '0x0bb7')))[0]).toBe(0x0bb7)
})

test('finds pools of its own table during concurrent searches', async () => {
  const named = (text: string) =>
    tableOf(Array.from({ length: 3000 }, (_, at) => entryOf([[`${text} ${at}`], at], at)))
  const [before, after] = [named('meme'), named('moon')]
  const index = createPoolIndex()
  const searching = runInSlices(index.find(before, 'meme'))
  await yieldToEventLoop()
  expect([...atOnce(index.find(after, 'moon'))].length).toBe(3000)
  expect([...(await searching)].length).toBe(3000)
  expect([...atOnce(index.find(after, 'meme'))].length).toBe(0)
})
