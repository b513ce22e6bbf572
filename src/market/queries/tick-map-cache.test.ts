import { expect, test } from 'vitest'
import { tickMapOf } from '../../../test/support/domain/quoted-pool.ts'
import { listTicks } from '../../domain/pool/tick-map.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { ListedPool } from '../model/model-pool.ts'
import { createTickMapCache } from './tick-map-cache.ts'

const rows = listTicks(tickMapOf([[-60, 60, 5n]]))

/** A snapshot whose pools all have two ticks, and the numbers of those that were read. */
const createReads = () => {
  const numbers: number[] = []
  const ticksOfPool = async (pool: number) => {
    numbers.push(pool)
    return rows.map((tick) => ({ pool, ...tick }))
  }
  return { numbers, snapshot: { ticksOfPool } as unknown as StoreSnapshot }
}

const poolOf = (number: number) => ({ number }) as ListedPool

test('a map is read once for each object of a pool', async () => {
  const { snapshot, numbers } = createReads()
  const cache = createTickMapCache()
  const pool = poolOf(1)
  expect(cache.find(pool)).toBeUndefined()
  const { tickMap } = await cache.read(snapshot, pool)
  expect(tickMap?.ticks).toEqual([-60, 60])
  expect((await cache.read(snapshot, pool)).tickMap).toBe(tickMap)
  expect(cache.find(pool)?.tickMap).toBe(tickMap)
  expect(cache.find(poolOf(1))).toBeUndefined()
  await cache.read(snapshot, poolOf(1))
  expect(cache.find(pool)).toBeUndefined()
  expect(numbers).toEqual([1, 1])
})

test('the maps that were not asked for longest make room', async () => {
  const { snapshot } = createReads()
  const cache = createTickMapCache(36)
  const pools = [1, 2, 3, 4].map(poolOf)
  const [first, second, third, fourth] = pools as [ListedPool, ListedPool, ListedPool, ListedPool]
  for (const pool of [first, second, third]) await cache.read(snapshot, pool)
  cache.find(first)
  await cache.read(snapshot, fourth)
  expect(pools.map((pool) => cache.find(pool) !== undefined)).toEqual([true, false, true, true])
})

test('the map that was read last stays, however large it is', async () => {
  const { snapshot } = createReads()
  const cache = createTickMapCache(1)
  const [first, second] = [poolOf(1), poolOf(2)]
  await cache.read(snapshot, first)
  expect(cache.find(first)).toBeDefined()
  await cache.read(snapshot, second)
  expect([cache.find(first), cache.find(second)]).toEqual([undefined, expect.anything()])
})
