import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headOf, type Listing, type PoolEntry, searchable, textEnd } from './listing.ts'
import { createPoolIndex } from './pool-index.ts'

/*
 * The index finds what reading every name would find, also when pools come and change their names:
 *
 *     names      ab.  ba.  aab.        q = "ab"   ->   1  0  1
 *     names      ab.  ab.  aab.  b.    q = "ab"   ->   1  1  1  0
 */

const hexOf = (number: number): `0x${string}` => `0x${number.toString(16).padStart(8, '0')}`

const entryOf = ([names, number]: readonly [readonly string[], number]): PoolEntry => {
  const text = names.map((name) => `${searchable(name)}${textEnd}`).join('')
  const [id, token0, token1] = [number, number * 7, number * 31].map(hexOf)
  const heads = [id, token0, token1].map((hex) => headOf(hex ?? ''))
  // Of an entry the index reads nothing else.
  return {
    pool: { id, key: { token0, token1 } } as PoolEntry['pool'],
    listing: { text, heads } as unknown as Listing,
  } as PoolEntry
}

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é', '0', ' '), maxLength: 6 })
const entry = fc.option(
  fc.tuple(fc.array(name, { maxLength: 3 }), fc.nat(0x1fffffff)).map(entryOf),
  { nil: undefined },
)
const market = fc.array(entry, { maxLength: 12 })
const prefix = fc.option(fc.nat(0xffff).map((head) => hexOf(head * 65_536).slice(0, 6)))

const findByReading = (
  entries: readonly (PoolEntry | undefined)[],
  q: string,
  start: string | null,
) =>
  entries.map((one) => {
    if (one === undefined) return 0
    const { id, key } = one.pool
    const hasText = one.listing.text.includes(searchable(q))
    const begins = (hex: string) => start !== null && hex.startsWith(start)
    return hasText || [id, key.token0, key.token1].some(begins) ? 1 : 0
  })

test('what reading every name finds', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(market, name, prefix), { maxLength: 4 }), (steps) => {
      const index = createPoolIndex()
      for (const [entries, q, start] of steps) {
        const found = Array.from(index.find(entries, { q, prefix: start }))
        const isThere = (_: unknown, at: number) => entries[at] !== undefined
        expect(found.filter(isThere)).toEqual(findByReading(entries, q, start).filter(isThere))
      }
    }),
  )
})

test('pools by the thousands, of which one is renamed', () => {
  const entries = Array.from({ length: 3000 }, (_, at) => entryOf([[`meme ${at}`], at * 65_536]))
  const index = createPoolIndex()
  const count = (q: string, from = entries) =>
    index.find(from, { q, prefix: null }).reduce((sum, flag) => sum + flag, 0)
  expect(count('meme 299')).toBe(11)
  expect(count('moon')).toBe(0)
  expect(count('moon', entries.with(2500, entryOf([['moon'], 7])))).toBe(1)
  expect(count('meme 2500', entries.with(2500, entryOf([['moon'], 7])))).toBe(0)
  const head = index.find(entries, { q: '0x0bb7', prefix: '0x0bb7' })
  expect(head.indexOf(1)).toBe(0x0bb7)
})
