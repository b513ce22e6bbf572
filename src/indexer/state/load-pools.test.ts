import { expect, it } from 'vitest'
import { batchOf, identityOf, stateOf } from '../../../test/store-contract/fixtures.ts'
import { openClaimedStore } from '../../../test/support/indexer/stored.ts'
import { createPoolSet } from '../../domain/pool/pool-set.ts'
import type { Store } from '../../ports/store.ts'
import { loadPools } from './load-pools.ts'

const tick = (pool: number, tick: number, net: bigint) => ({ pool, tick, net, gross: 5n })

/** Three pools: the first has a map, the second ticks that make none, the third no tick at all. */
const openFilledStore = async (): Promise<Store> => {
  const store = await openClaimedStore()
  const pools = [1, 2, 3].map(identityOf)
  const states = pools.map(({ number }) => ({
    pool: number,
    state: { ...stateOf(7n), lastSwapTs: null, lastSwapBlock: null, lastSwapFee: null },
  }))
  const ticks = [tick(1, -60, 5n), tick(1, 60, -5n), tick(2, 60, 5n)]
  await store.commitRange(batchOf({ before: null, to: 1 }, { pools, states, ticks }))
  return store
}

it('loads every pool with its map, and says whose ticks make none', async () => {
  const store = await openFilledStore()
  const book = createPoolSet({ packing: { unpackedMax: 1, random: Math.random } })
  const seen: number[] = []
  const indexed = await loadPools(store, book, ({ identity }) => seen.push(identity.number))
  expect(indexed.cursor?.block).toBe(1)
  expect(seen).toEqual([1, 2, 3])
  expect(
    [...book.all()].map(({ identity, state, tickMap: map }) => [
      identity,
      state.mapFault,
      map.ticks,
    ]),
  ).toEqual([
    [identityOf(1), null, [-60, 60]],
    [identityOf(2), 'index_gap', []],
    [identityOf(3), null, []],
  ])
})

// A concurrent backfill adds last swaps to pools that have none.
it('knows what was filled in of the past while it was loading', async () => {
  const store = await openFilledStore()
  const filled = { lastSwapTs: 9, lastSwapBlock: 1, lastSwapFee: 500 }
  const isServed = { mapFault: 'hook_custom_accounting', reserves: null, depth: null } as const
  const book = createPoolSet()
  const readPools = async function* () {
    yield* store.readPools()
    await store.replaceTickMap(1, { ...stateOf(7n), ...filled }, [])
    await store.replaceTickMap(2, { ...stateOf(7n), ...filled }, [])
    await store.replaceTickMap(3, { ...stateOf(7n), ...filled, ...isServed }, [])
  }
  await loadPools({ ...store, readPools }, book, () => {})
  expect([...book.all()].map(({ state }) => state)).toMatchObject([
    { ...filled, mapFault: null, reserves: stateOf(7n).reserves },
    { ...filled, mapFault: 'index_gap', reserves: null },
    { ...filled, ...isServed },
  ])
  expect(book.byNumber(1)?.tickMap.ticks).toEqual([-60, 60])
})

it('is empty and without a cursor during bootstrap', async () => {
  const book = createPoolSet()
  expect(await loadPools(await openClaimedStore(), book, () => {})).toEqual({
    cursor: null,
    depthsToRecord: [],
  })
  expect(book.size()).toBe(0)
})
