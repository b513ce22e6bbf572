import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poolSorts } from '../market.ts'
import { createPoolOrders } from './pool-orders.ts'
import type { PoolRow, PoolRows } from './pool-rows.ts'

const values = fc.option(fc.integer({ min: -2, max: 3 }), { freq: 3 })

type Values = {
  readonly liquidityUsd: number | null
  readonly vol1hUsd: number | null
  readonly vol24hUsd: number | null
  readonly premiumBps: number | null
  readonly createdBlock: number
  readonly lastSwapTs: number | null
}
const anyValues: fc.Arbitrary<Values> = fc.record({
  liquidityUsd: values,
  vol1hUsd: values,
  vol24hUsd: values,
  premiumBps: values,
  createdBlock: fc.nat(3),
  lastSwapTs: values,
})

/** Ids in no order of the numbers. */
const idOf = (number: number): `0x${string}` => `0x${((number * 7919) % 1009).toString(16)}`

const rowOf = (number: number, { createdBlock, lastSwapTs, ...rest }: Values): PoolRow =>
  ({
    id: idOf(number),
    ...rest,
    entry: { pool: { number, createdBlock, lastSwapTs } },
  }) as PoolRow

const keys = {
  liquidity: ({ liquidityUsd }: PoolRow) => liquidityUsd,
  vol1h: ({ vol1hUsd }: PoolRow) => vol1hUsd,
  vol24h: ({ vol24hUsd }: PoolRow) => vol24hUsd,
  created: ({ entry }: PoolRow) => entry.pool.createdBlock,
  lastSwap: ({ entry }: PoolRow) => entry.pool.lastSwapTs,
  premium: ({ premiumBps }: PoolRow) => premiumBps,
}

/** The contract in its own words: known before unknown, by value, then by id. */
const plainly = (rows: PoolRows, sort: keyof typeof keys | null, order: 'asc' | 'desc') => {
  const by = sort === null ? [keys.liquidity, keys.vol24h] : [keys[sort]]
  return rows
    .filter((row) => row !== undefined)
    .sort((a, b) => {
      for (const key of by) {
        const [x, y] = [key(a), key(b)]
        if (x === y) continue
        if (x === null) return 1
        if (y === null) return -1
        return order === 'asc' ? x - y : y - x
      }
      return a.id < b.id ? -1 : 1
    })
    .map(({ id }) => id)
}

const change = fc.record({ number: fc.nat(40), values: fc.option(anyValues) })

test('however rows come, change and go, each order is that of sorting them all', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 8 }), (steps) => {
      const orders = createPoolOrders()
      let rows: PoolRows = []
      for (const [index, changes] of steps.entries()) {
        const next = rows.slice()
        for (const { number, values: given } of changes) {
          next[number] = given === null ? undefined : rowOf(number, given)
        }
        rows = next
        // Not every order is asked for each time: some have more to catch up with.
        for (const [place, sort] of [...poolSorts, null].entries()) {
          if ((index + place) % 3 === 0) continue
          for (const order of ['asc', 'desc'] as const) {
            const ordered = orders.of(rows, { sort, order })
            expect(ordered.map(({ id }) => id)).toEqual(plainly(rows, sort, order))
            expect(orders.of(rows, { sort, order })).toBe(ordered)
            const some = rows.filter((row) => row !== undefined)
            expect(orders.sort(some, { sort, order })).toEqual(ordered)
          }
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('pools of another history may bear the same numbers', () => {
  const orders = createPoolOrders()
  const first = rowOf(1, { liquidityUsd: 1 } as Values)
  orders.of([undefined, first], { sort: null, order: 'desc' })
  const other = { ...first, id: '0x5' } as PoolRow
  expect(orders.of([other], { sort: null, order: 'desc' })).toEqual([other])
})
