import { expect, test } from 'vitest'
import { tokens } from '../../../test/support/domain/sample-inputs.ts'
import { tableOf } from '../../../test/support/market/pool-table.ts'
import {
  anyPool,
  marketOver,
  poolOf,
  sampleStore,
} from '../../../test/support/market/sample-market.ts'
import { yieldToEventLoop } from '../../util/time-slice.ts'
import type { PoolsQuery } from '../market.ts'
import { editTable, iterateValues } from '../model/chunked-table.ts'
import type { PoolRow, PoolRows } from '../valuation/pool-rows.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'
import { createPoolLister } from './list-pools.ts'
import { createPoolComparator } from './pool-sort.ts'

/* Lists of more pools than are sorted at once; some of them hold no stock and are not listed. */

const count = 20_000

const manyPools = Array.from({ length: count }, (_, at) => {
  const number = at + 10
  const createdBlock = (number * 7919) % 10_007
  const key = { ...poolOf(number).key, ...(number % 100 === 0 ? { token0: tokens.weth } : {}) }
  return poolOf(number, { createdBlock, key, version: number % 3 === 0 ? 'v4' : 'v3' })
})

const listed = manyPools.filter(({ number }) => number % 100 !== 0)

const plainly = (pools: typeof manyPools) =>
  pools.toSorted((a, b) => b.createdBlock - a.createdBlock || (a.id < b.id ? -1 : 1))

const manyMarket = async () => {
  const store = sampleStore()
  store.write({ pools: manyPools })
  const { market } = marketOver(store)
  await market.refresh()
  return market
}

const byCreation: PoolsQuery = { ...anyPool, sort: 'created', limit: 100, offset: 9000 }
const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) =>
  items.map(({ id }) => id)

test('lists pools like a plain filter and sort', async () => {
  const market = await manyMarket()
  const v4 = listed.filter(({ version }) => version === 'v4')
  const [whole, some, again] = await Promise.all([
    market.pools(byCreation),
    market.pools({ ...byCreation, version: 'v4', offset: 6000 }),
    market.pools(byCreation),
  ])
  expect(idsOf(whole)).toEqual(
    plainly(listed)
      .slice(9000, 9100)
      .map(({ id }) => id),
  )
  expect(idsOf(some)).toEqual(
    plainly(v4)
      .slice(6000, 6100)
      .map(({ id }) => id),
  )
  expect(again).toEqual(whole)
})

test('yields to other requests while sorting', async () => {
  const market = await manyMarket()
  const order: string[] = []
  const asked = market.pools(byCreation).then(() => order.push('the order'))
  await yieldToEventLoop()
  await market.pools({ ...anyPool, symbol: 'TSLA' })
  order.push('a few pools')
  await asked
  expect(order).toEqual(['a few pools', 'the order'])
})

const rowOf = (number: number, liquidityUsd: number) => {
  const kind = number % 3 === 0 ? 'meme' : 'canonical'
  const pool = { id: `0x${number}`, classification: { kind }, volume: { vol24hUsd: null } }
  return { pool, liquidityUsd } as PoolRow
}

const marketOf = (rows: PoolRows) => ({ rows, inputs: { context: { now: 0 } } }) as ValuedMarket

test.each([1, 2, 3, 4])(
  'lists one revision although the ranking changes at slice %d',
  async (at) => {
    const before = tableOf(manyPools.map((_, number) => rowOf(number, number)))
    // The last become the first: a mixed list would miss some rows and repeat others.
    const draft = editTable(before)
    for (let number = 0; number < 900; number++) draft.set(number, rowOf(number, count + number))
    const after = draft.finish()
    const listPools = createPoolLister()
    const wanted = { ...anyPool, kind: 'meme' } as const
    const listed = async (rows: PoolRows, query: PoolsQuery) =>
      (await listPools(marketOf(rows), query)).flat()
    await listed(before, anyPool)
    const asked = listed(before, wanted)
    for (let slice = 0; slice < at; slice++) await yieldToEventLoop()
    expect(await listed(after, anyPool)).toEqual(
      [...iterateValues(after)].sort(createPoolComparator(anyPool)),
    )
    const memes = [...iterateValues(before)].filter(
      ({ pool }) => pool.classification.kind === 'meme',
    )
    expect(await asked).toEqual(memes.sort(createPoolComparator(anyPool)))
  },
)
