import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tableOf } from '../../../test/support/market/pool-table.ts'
import type { SlicedWork } from '../../util/time-slice.ts'
import { poolSorts } from '../market.ts'
import { editTable, iterateValues } from '../model/chunked-table.ts'
import type { PoolRow, PoolRows } from '../valuation/pool-rows.ts'
import { createLiveRankings } from './live-rankings.ts'
import { createPoolComparator, sortAll } from './pool-sort.ts'

const values = fc.option(fc.integer({ min: -2, max: 3 }), { freq: 3 })

type Values = {
  readonly liquidityUsd: number | null
  readonly vol1hUsd: number | null
  readonly vol24hUsd: number | null
  readonly vol24hFilteredUsd: number | null
  readonly premiumBps: number | null
  readonly depthUsd: number | null
  readonly feeApr24h: number | null
  readonly createdBlock: number
  readonly lastSwapTs: number | null
}
const anyValues: fc.Arbitrary<Values> = fc.record({
  liquidityUsd: values,
  vol1hUsd: values,
  vol24hUsd: values,
  vol24hFilteredUsd: values,
  premiumBps: values,
  depthUsd: values,
  feeApr24h: values,
  createdBlock: fc.nat(3),
  lastSwapTs: values,
})

/** Ids in no order of the numbers, many of which begin with the same letters. */
const idOf = (number: number): `0x${string}` => {
  const head = number % 3 === 0 ? 'c0ffee00' : ''
  return `0x${head}${((number * 7919) % 1009).toString(16)}`
}

const rowOf = (
  number: number,
  { createdBlock, lastSwapTs, vol1hUsd, vol24hUsd, vol24hFilteredUsd, ...rest }: Values,
): PoolRow =>
  ({
    ...rest,
    pool: {
      id: idOf(number),
      number,
      createdBlock,
      lastSwapTs,
      volume: { vol1hUsd, vol24hUsd, vol24hFilteredUsd },
    },
  }) as PoolRow

const keys = {
  liquidity: ({ liquidityUsd }: PoolRow) => liquidityUsd,
  vol1h: ({ pool }: PoolRow) => pool.volume.vol1hUsd,
  vol24h: ({ pool }: PoolRow) => pool.volume.vol24hUsd,
  vol24hFiltered: ({ pool }: PoolRow) => pool.volume.vol24hFilteredUsd,
  created: ({ pool }: PoolRow) => pool.createdBlock,
  lastSwap: ({ pool }: PoolRow) => pool.lastSwapTs,
  premium: ({ premiumBps }: PoolRow) => premiumBps,
  depth: ({ depthUsd }: PoolRow) => depthUsd,
  feeApr24h: ({ feeApr24h }: PoolRow) => feeApr24h,
}

/** The contract in its own words: known before unknown, by value, then by id. */
const plainly = (rows: PoolRows, sort: keyof typeof keys | null, order: 'asc' | 'desc') => {
  const by = sort === null ? [keys.liquidity, keys.vol24h] : [keys[sort]]
  return [...iterateValues(rows)].sort((a, b) => {
    for (const key of by) {
      const [x, y] = [key(a), key(b)]
      if (x === y) continue
      if (x === null) return 1
      if (y === null) return -1
      return order === 'asc' ? x - y : y - x
    }
    return a.pool.id < b.pool.id ? -1 : 1
  })
}

/** Over some pieces of a table. */
const change = fc.record({ number: fc.nat(700), values: fc.option(anyValues) })
const steps = fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 8 })

/** Tables, each made from the one before. */
const tablesOf = (all: readonly (readonly { number: number; values: Values | null }[])[]) => {
  const tables: PoolRows[] = []
  for (const changes of all) {
    const draft = editTable(tables.at(-1) ?? [])
    for (const { number, values: given } of changes) {
      draft.set(number, given === null ? undefined : rowOf(number, given))
    }
    tables.push(draft.finish())
  }
  return tables
}

/** Does work of few slices at once. */
const atOnce = <T>(work: SlicedWork<T>): T => {
  for (;;) {
    const slice = work.next()
    if (slice.done) return slice.value
  }
}

// biome-ignore lint/correctness/useYield: few rows are no work of slices.
const given = function* (rows: readonly PoolRow[]): SlicedWork<readonly PoolRow[]> {
  return rows
}

test('keeps every ranking equal to a full sort through any changes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const rankings = createLiveRankings(14)
      for (const [index, rows] of tablesOf(all).entries()) {
        // Not every order is asked for each time: some have more to catch up with.
        for (const [place, sort] of [...poolSorts, null].entries()) {
          if ((index + place) % 3 === 0) continue
          for (const order of ['asc', 'desc'] as const) {
            const query = { sort, order }
            const [name, compare] = [`${sort}:${order}`, createPoolComparator(query)]
            const build = () => sortAll(rows, query)
            const wanted = { name, rows, now: index, compare, includes: () => true, build }
            const sorted = plainly(rows, sort, order)
            expect(atOnce(build())).toEqual(sorted)
            expect((await rankings(wanted)).flat()).toEqual(sorted)
          }
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('keeps a filtered ranking equal to a full sort', async () => {
  const includes = ({ liquidityUsd }: PoolRow) => (liquidityUsd ?? 0) > 0
  const query = { sort: null, order: 'desc' } as const
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const rankings = createLiveRankings(1)
      for (const rows of tablesOf(all)) {
        const wanted = plainly(rows, null, 'desc').filter(includes)
        const shared = { name: 'some', rows, now: 0, compare: createPoolComparator(query) }
        const list = await rankings({ ...shared, includes, build: () => given(wanted) })
        expect(list.flat()).toEqual(wanted)
      }
    }),
  )
})

test('updates for few changes, sorts again for many, and evicts unused rankings', async () => {
  const values = { liquidityUsd: 1 } as Values
  const rowsFrom = (numbers: readonly number[]) => numbers.map((number) => rowOf(number, values))
  const all = tableOf(rowsFrom([...Array(600).keys()]))
  const rankings = createLiveRankings(2)
  const made: string[] = []
  const ask = (name: string, rows: PoolRows, now: number) =>
    rankings({
      name,
      rows,
      now,
      compare: createPoolComparator({ sort: null, order: 'desc' }),
      includes: () => true,
      build: () => {
        made.push(`${name} at ${now}`)
        return given(plainly(rows, null, 'desc'))
      },
    })
  const changed = (numbers: readonly number[]) => {
    const draft = editTable(all)
    for (const row of rowsFrom(numbers)) draft.set(row.pool.number, row)
    return draft.finish()
  }
  await ask('a', all, 0)
  await ask('a', changed([3]), 1)
  await ask('a', changed([...Array(90).keys()]), 2)
  await ask('b', all, 30)
  // It is of rows of long ago, which are others now.
  await ask('a', changed([4]), 33)
  await ask('c', changed([4]), 33)
  // Of three names the one that was not asked for the longest.
  await ask('a', changed([4]), 34)
  await ask('b', changed([4]), 34)
  expect(made).toEqual(['a at 0', 'a at 2', 'b at 30', 'a at 33', 'c at 33', 'b at 34'])
})
