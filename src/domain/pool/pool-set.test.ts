import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPoolSet } from './pool-set.ts'
import type { PoolIdentity } from './pool-state.ts'
import { createTrackedPool, type TrackedPool } from './tracked-pool.ts'

const identity = (number: number): PoolIdentity => ({
  number,
  id: `0x${number.toString(16).padStart(40, '0')}`,
  version: 'v3',
  protocol: 'uniswap-v3',
  venue: '0xf0',
  key: { token0: '0x01', token1: '0x02', fee: 500, tickSpacing: 10, hooks: null },
  createdBlock: 1,
  createdTs: 1,
})

it('finds pools by number and by id, in their latest state, and never gives a number twice', () => {
  const book = createPoolSet()
  expect(book.nextNumber()).toBe(1)
  // After a restart the store's numbers come in any order, and one may be missing.
  for (const number of [4, 2]) book.put(createTrackedPool(identity(number), null))
  expect(book.nextNumber()).toBe(5)
  const later = createTrackedPool(identity(4), { sqrtPriceX96: 1n << 96n, tick: 0 })
  book.put(later)
  expect(book.byNumber(4)).toBe(later)
  expect(book.byId(identity(4).id)).toBe(later)
  expect([book.byNumber(3), book.byId('0x03')]).toEqual([undefined, undefined])
  expect([...book.all()].map((pool) => pool.identity.number)).toEqual([4, 2])
  expect(book.size()).toBe(2)
})

it('notifies a subscriber of the pools it has and of each pool put later', () => {
  const book = createPoolSet()
  const [first, second] = [
    createTrackedPool(identity(1), null),
    createTrackedPool(identity(2), null),
  ]
  book.put(first)
  const seen: unknown[] = []
  book.subscribe((pool) => seen.push(pool))
  book.put(second)
  book.put(first)
  expect(seen).toEqual([first, second, first])
})

const byNumber = (pools: Iterable<TrackedPool>) =>
  [...pools].sort((a, b) => a.identity.number - b.identity.number)

// Of three pools one may be unpacked: 1 and 2 are packed when 3 has come.
it('gives back packed pools as they were, and never shows that they are packed', () => {
  const sample = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.bigInt(0n, 1n << 160n)))
  fc.assert(
    fc.property(sample, fc.integer({ min: 1, max: 4 }), (changes, unpackedMax) => {
      const packing = { unpackedMax, random: Math.random }
      const [book, plain] = [createPoolSet({ packing }), createPoolSet()]
      for (const [number, sqrtPriceX96] of changes) {
        const pool = createTrackedPool(identity(number), { sqrtPriceX96, tick: number })
        const before = plain.byNumber(number)
        expect(book.byNumber(number)).toEqual(before)
        if (before === undefined && number % 2 === 0) book.putPacked(pool)
        else book.put(pool)
        plain.put(pool)
      }
      expect(byNumber(book.all())).toEqual(byNumber(plain.all()))
      expect([book.size(), book.nextNumber()]).toEqual([plain.size(), plain.nextNumber()])
      for (const { identity } of plain.all()) {
        expect(book.byId(identity.id)).toEqual(plain.byNumber(identity.number))
        expect(book.idOf(identity.number)).toBe(identity.id)
        expect(book.numberOf(identity.id)).toBe(identity.number)
      }
    }),
  )
})
