import { expect, it } from 'vitest'
import type { PoolIdentity } from '../pool/pool-state.ts'
import { createPoolBook } from './pool-book.ts'
import { newlyCreated } from './tracked-pool.ts'

const identity = (number: number): PoolIdentity => ({
  number,
  id: `0x${number.toString(16).padStart(40, '0')}`,
  version: 'v3',
  venue: '0xf0',
  key: { token0: '0x01', token1: '0x02', fee: 500, tickSpacing: 10, hooks: null },
  createdBlock: 1,
  createdTs: 1,
})

it('finds pools by number and by id, in their latest state, and never gives a number twice', () => {
  const book = createPoolBook()
  expect(book.nextNumber()).toBe(1)
  // After a restart the store's numbers come in any order, and one may be missing.
  for (const number of [4, 2]) book.put(newlyCreated(identity(number), null))
  expect(book.nextNumber()).toBe(5)
  const later = newlyCreated(identity(4), { sqrtPriceX96: 1n << 96n, tick: 0 })
  book.put(later)
  expect(book.byNumber(4)).toBe(later)
  expect(book.byId(identity(4).id)).toBe(later)
  expect([book.byNumber(3), book.byId('0x03')]).toEqual([undefined, undefined])
  expect([...book.all()].map((pool) => pool.identity.number)).toEqual([4, 2])
  expect(book.size()).toBe(2)
})

it('shows whoever watches the pools that are there and those that come', () => {
  const book = createPoolBook()
  const [first, second] = [newlyCreated(identity(1), null), newlyCreated(identity(2), null)]
  book.put(first)
  const seen: unknown[] = []
  book.watch((pool) => seen.push(pool))
  book.put(second)
  book.put(first)
  expect(seen).toEqual([first, second, first])
})
