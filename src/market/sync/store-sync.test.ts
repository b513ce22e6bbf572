import { describe, expect, test } from 'vitest'
import { noon } from '../../../test/support/domain/sample-inputs.ts'
import {
  anchorAt,
  samplePools,
  sampleStore,
  trusted,
} from '../../../test/support/market/sample-market.ts'
import type { StoreReader, StoreSnapshot } from '../../ports/store.ts'
import type { StoredPool } from '../../ports/store-batches.ts'
import { getByNumber } from '../model/chunked-table.ts'
import { toStoredPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import { createStoreSync } from './store-sync.ts'

const revisionOf = async (_: StoreSnapshot, model: { readonly header: { revision: number } }) =>
  model.header.revision

const poolIn = (model: ReadModel | null, number: number) => {
  const pool = getByNumber(model?.pools ?? [], number)
  return pool && toStoredPool(pool)
}

const nextBlock = (block: number) => ({ header: { cursor: anchorAt(block, noon) } })

/** A store that is asked on one server after the other. */
const between = (stores: readonly StoreReader[]): StoreReader => {
  let turn = 0
  return { snapshot: (read) => (stores[turn++ % stores.length] as StoreReader).snapshot(read) }
}

test('a snapshot that was overtaken while it waited is taken anew', async () => {
  const store = sampleStore()
  const gates: (() => void)[] = []
  // Snapshots see the store as of their opening, but reach the follower in any order.
  const slow: StoreReader = {
    snapshot: (read) =>
      store.snapshot(async (snapshot) => {
        if (gates.length === 0) await new Promise<void>((resolve) => gates.push(resolve))
        return read(snapshot)
      }),
  }
  const follower = createStoreSync({ store: slow, trusted })
  const early = follower.read(revisionOf)
  await expect.poll(() => gates.length).toBe(1)
  store.write(nextBlock(1001))
  expect(await follower.read(revisionOf)).toBe(1)
  gates[0]?.()
  expect(await early).toBe(1)
  expect(follower.model()?.header.cursor?.block).toBe(1001)
})

test('many readers at once see one model of their own revision', async () => {
  const store = sampleStore()
  const follower = createStoreSync({ store, trusted })
  const reads: Promise<number | null>[] = []
  for (let block = 1001; block < 1030; block++) {
    store.write(nextBlock(block))
    reads.push(follower.read(revisionOf), follower.read(revisionOf))
  }
  const revisions = await Promise.all(reads)
  expect(revisions.every((revision) => revision !== null)).toBe(true)
  expect(follower.model()?.header.revision).toBe(29)
})

// begun     ── 1001 ── (another writer) ── 1002
test('a file is read on from where it was, whoever begins to write it', async () => {
  const store = sampleStore()
  const asked: ('all' | number)[] = []
  const counting: StoreReader = {
    snapshot: (read) =>
      store.snapshot((snapshot) =>
        read({
          ...snapshot,
          pools: () => {
            asked.push('all')
            return snapshot.pools()
          },
          poolsChangedAfter: (revision) => {
            asked.push(revision)
            return snapshot.poolsChangedAfter(revision)
          },
        }),
      ),
  }
  const follower = createStoreSync({ store: counting, trusted, hasOneCopy: true })
  for (const [block, writerStartedTs] of [
    [1001, noon],
    [1001, noon + 60],
    [1002, noon + 60],
  ] as const) {
    store.write({ header: { cursor: anchorAt(block, noon), writerStartedTs } })
    await follower.read(revisionOf)
    const model = follower.model() as ReadModel
    const { header } = model
    expect([header.cursor?.block, header.writerStartedTs]).toEqual([block, writerStartedTs])
    expect(poolIn(model, samplePools.pair.number)).toEqual(samplePools.pair)
  }
  expect(asked).toEqual(['all', 1, 2])
})

// kept      ── 1001 ── 1002          (revision 2)
// put back  ── 1001, another writer  (revision 1)
test('a file that was put back is read anew once it has a writer', async () => {
  const [kept, back] = [sampleStore(), sampleStore()]
  kept.write(nextBlock(1001))
  kept.write({ ...nextBlock(1002), pools: [{ ...samplePools.pair, liquidity: 0n }] })
  const servers: StoreReader[] = [kept]
  const follower = createStoreSync({ store: between(servers), trusted, hasOneCopy: true })
  await follower.read(revisionOf)
  servers[0] = back
  back.write({ header: { cursor: anchorAt(1001, noon), writerStartedTs: noon + 60 } })
  await follower.read(revisionOf)
  const { number, liquidity } = samplePools.pair
  expect(poolIn(follower.model(), number)?.liquidity).toBe(liquidity)
})

test('a writer that has begun and written nothing yet is seen', async () => {
  const store = sampleStore()
  const follower = createStoreSync({ store, trusted, hasOneCopy: true })
  await follower.read(revisionOf)
  const began = (follower.model() as ReadModel).header
  const claimed: StoreReader = {
    snapshot: (read) =>
      store.snapshot((snapshot) =>
        read({ ...snapshot, header: async () => ({ ...began, writerStartedTs: noon + 60 }) }),
      ),
  }
  const other = createStoreSync({ store: between([store, claimed]), trusted, hasOneCopy: true })
  await other.read(revisionOf)
  await other.read(revisionOf)
  expect(other.model()?.header).toMatchObject({ revision: 0, writerStartedTs: noon + 60 })
})

describe('a store of several servers', () => {
  const [calm, soon] = [noon, noon + 60]
  const at = (block: number, writerStartedTs: number, epoch = 0) => ({
    header: { cursor: anchorAt(block, noon), writerStartedTs, epoch },
  })

  // primary   ── 1001 ── 1002 (another writer, another epoch)
  // replica   ── 1001
  test.each([
    ['after some blocks', calm, 0],
    ['after another writer took over', soon, 0],
    ['after a branch was replaced', calm, 1],
  ])('one that lags is passed over %s', async (_, writerStartedTs, epoch) => {
    const [primary, replica] = [sampleStore(), sampleStore()]
    for (const store of [primary, replica]) store.write(at(1001, calm))
    const follower = createStoreSync({ store: between([primary, replica]), trusted })
    await follower.read(revisionOf)
    await follower.read(revisionOf)
    primary.write(at(1002, writerStartedTs, epoch))
    for (let look = 0; look < 6; look++) expect(await follower.read(revisionOf)).toBe(2)
    expect(follower.model()?.header.cursor?.block).toBe(1002)
  })

  test('while every server is behind, nothing is told that was overtaken', async () => {
    const [primary, replica] = [sampleStore(), sampleStore()]
    for (const store of [primary, replica]) store.write(at(1001, calm))
    primary.write(at(1002, calm))
    const servers: StoreReader[] = [primary]
    const follower = createStoreSync({ store: between(servers), trusted })
    await follower.read(revisionOf)
    servers[0] = replica
    await expect(follower.read(revisionOf)).rejects.toThrow('of an earlier state')
    expect(follower.model()?.header.cursor?.block).toBe(1002)
  })

  // lost      ── 1001 ── 1002 ✗        (revision 2: the pair's liquidity)
  // promoted  ── 1001 ───────── 1002   (revision 2: something else)
  test('one that lost the last commits is read anew once it has a writer', async () => {
    const [lost, promoted] = [sampleStore(), sampleStore()]
    for (const store of [lost, promoted]) store.write(at(1001, calm))
    lost.write({ ...at(1002, calm), pools: [{ ...samplePools.pair, liquidity: 0n }] })
    const servers: StoreReader[] = [lost]
    const follower = createStoreSync({ store: between(servers), trusted })
    await follower.read(revisionOf)
    servers[0] = promoted
    promoted.write(at(1002, soon))
    await follower.read(revisionOf)
    const { number, liquidity } = samplePools.pair
    expect(poolIn(follower.model(), number)?.liquidity).toBe(liquidity)
  })
})

describe('when something throws', () => {
  test('in a read of the store: nothing is lost, the next one goes on', async () => {
    const store = sampleStore()
    let isBroken = false
    const flaky: StoreReader = {
      snapshot: (read) =>
        store.snapshot((snapshot) =>
          read({
            ...snapshot,
            sources: () => (isBroken ? Promise.reject(new Error('disk')) : snapshot.sources()),
          }),
        ),
    }
    const follower = createStoreSync({ store: flaky, trusted })
    await follower.read(revisionOf)
    const before = follower.model()
    store.write({ ...nextBlock(1001), pools: [{ ...samplePools.pair, liquidity: 0n }] })
    isBroken = true
    await expect(follower.read(revisionOf)).rejects.toThrow('disk')
    expect(follower.model()).toBe(before)
    isBroken = false
    await follower.read(revisionOf)
    expect(poolIn(follower.model(), samplePools.pair.number)?.liquidity).toBe(0n)
  })

  test('in taking in what was read: the model stands, the next is made anew', async () => {
    const store = sampleStore()
    let isBroken = false
    const junk = [{ number: 99 } as StoredPool]
    const lying: StoreReader = {
      snapshot: (read) =>
        store.snapshot((snapshot) =>
          read({
            ...snapshot,
            poolsChangedAfter: (revision) =>
              isBroken ? Promise.resolve(junk) : snapshot.poolsChangedAfter(revision),
          }),
        ),
    }
    const follower = createStoreSync({ store: lying, trusted })
    await follower.read(revisionOf)
    const before = follower.model()
    store.write(nextBlock(1001))
    isBroken = true
    await expect(follower.read(revisionOf)).rejects.toThrow()
    expect(follower.model()).toBe(before)
    isBroken = false
    expect(await follower.read(revisionOf)).toBe(1)
    expect(follower.model()?.pools).toEqual(before?.pools)
  })

  test('in a reader: the model stands', async () => {
    const follower = createStoreSync({ store: sampleStore(), trusted })
    await expect(follower.read(() => Promise.reject(new Error('bug')))).rejects.toThrow('bug')
    expect(follower.model()?.header.revision).toBe(0)
  })
})
