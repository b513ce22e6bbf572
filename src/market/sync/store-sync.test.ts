import { describe, expect, test } from 'vitest'
import { noon } from '../../../test/support/domain/sample-inputs.ts'
import { createMemoryStore } from '../../../test/support/market/memory-store.ts'
import {
  allTokens,
  anchorAt,
  samplePools,
  sampleStore,
  stocks,
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

test('opens another snapshot if one is outdated after waiting', async () => {
  const store = sampleStore()
  const gates: (() => void)[] = []
  // Snapshots see the store as of their opening, but reach the sync in any order.
  const slow: StoreReader = {
    snapshot: (read) =>
      store.snapshot(async (snapshot) => {
        if (gates.length === 0) await new Promise<void>((resolve) => gates.push(resolve))
        return read(snapshot)
      }),
  }
  const sync = createStoreSync({ store: slow, trusted })
  const early = sync.read(revisionOf)
  await expect.poll(() => gates.length).toBe(1)
  store.write(nextBlock(1001))
  expect(await sync.read(revisionOf)).toBe(1)
  gates[0]?.()
  expect(await early).toBe(1)
  expect(sync.model()?.header.cursor?.block).toBe(1001)
})

test('gives concurrent readers one model, of their own revision', async () => {
  const store = sampleStore()
  const sync = createStoreSync({ store, trusted })
  const reads: Promise<number | null>[] = []
  for (let block = 1001; block < 1030; block++) {
    store.write(nextBlock(block))
    reads.push(sync.read(revisionOf), sync.read(revisionOf))
  }
  const revisions = await Promise.all(reads)
  expect(revisions.every((revision) => revision !== null)).toBe(true)
  expect(sync.model()?.header.revision).toBe(29)
})

// begun     ── 1001 ── (another writer) ── 1002
test('reads only the changes of a file when its writer changes', async () => {
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
  const sync = createStoreSync({ store: counting, trusted, hasOneCopy: true })
  for (const [block, writerStartedTs] of [
    [1001, noon],
    [1001, noon + 60],
    [1002, noon + 60],
  ] as const) {
    store.write({ header: { cursor: anchorAt(block, noon), writerStartedTs } })
    await sync.read(revisionOf)
    const model = sync.model() as ReadModel
    const { header } = model
    expect([header.cursor?.block, header.writerStartedTs]).toEqual([block, writerStartedTs])
    expect(poolIn(model, samplePools.pair.number)).toEqual(samplePools.pair)
  }
  expect(asked).toEqual(['all', 1, 2])
})

// kept      ── 1001 ── 1002          (revision 2)
// put back  ── 1001, another writer  (revision 1)
test('reads a restored file from scratch once it has a writer', async () => {
  const [kept, back] = [sampleStore(), sampleStore()]
  kept.write(nextBlock(1001))
  kept.write({ ...nextBlock(1002), pools: [{ ...samplePools.pair, liquidity: 0n }] })
  const servers: StoreReader[] = [kept]
  const sync = createStoreSync({ store: between(servers), trusted, hasOneCopy: true })
  await sync.read(revisionOf)
  servers[0] = back
  back.write({ header: { cursor: anchorAt(1001, noon), writerStartedTs: noon + 60 } })
  await sync.read(revisionOf)
  const { number, liquidity } = samplePools.pair
  expect(poolIn(sync.model(), number)?.liquidity).toBe(liquidity)
})

test('notices a new writer before its first write', async () => {
  const store = sampleStore()
  const sync = createStoreSync({ store, trusted, hasOneCopy: true })
  await sync.read(revisionOf)
  const began = (sync.model() as ReadModel).header
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

// The order in which an indexer stores them depends on how long its requests take.
test.each([
  ['tokens', 'stocks', 'pools'],
  ['tokens', 'pools', 'stocks'],
  ['stocks', 'tokens', 'pools'],
  ['stocks', 'pools', 'tokens'],
  ['pools', 'tokens', 'stocks'],
  ['pools', 'stocks', 'tokens'],
] as const)('pools have the decimals of their tokens: %s, %s, then %s', async (...order) => {
  const parts = { tokens: allTokens, stocks, pools: Object.values(samplePools) }
  const store = createMemoryStore()
  store.write({ header: { cursor: anchorAt(1000, noon) } })
  const sync = createStoreSync({ store, trusted })
  await sync.read(revisionOf)
  for (const part of order) {
    store.write({ [part]: parts[part] })
    await sync.read(revisionOf)
  }
  const pools = [...(sync.model()?.pools ?? [])].flat().filter((pool) => pool !== undefined)
  expect(pools.length).toBeGreaterThan(2)
  const decimals = pools.flatMap(({ token0, token1 }) => [token0.decimals, token1.decimals])
  expect(decimals.filter(({ known }) => !known)).toEqual([])
})

describe('a store with replicas', () => {
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
  ])('skips a lagging replica %s', async (_, writerStartedTs, epoch) => {
    const [primary, replica] = [sampleStore(), sampleStore()]
    for (const store of [primary, replica]) store.write(at(1001, calm))
    const sync = createStoreSync({ store: between([primary, replica]), trusted })
    await sync.read(revisionOf)
    await sync.read(revisionOf)
    primary.write(at(1002, writerStartedTs, epoch))
    for (let look = 0; look < 6; look++) expect(await sync.read(revisionOf)).toBe(2)
    expect(sync.model()?.header.cursor?.block).toBe(1002)
  })

  test('rejects while every replica is outdated', async () => {
    const [primary, replica] = [sampleStore(), sampleStore()]
    for (const store of [primary, replica]) store.write(at(1001, calm))
    primary.write(at(1002, calm))
    const servers: StoreReader[] = [primary]
    const sync = createStoreSync({ store: between(servers), trusted })
    await sync.read(revisionOf)
    servers[0] = replica
    await expect(sync.read(revisionOf)).rejects.toThrow('snapshots were outdated')
    expect(sync.model()?.header.cursor?.block).toBe(1002)
  })

  // lost      ── 1001 ── 1002 ✗        (revision 2: the pair's liquidity)
  // promoted  ── 1001 ───────── 1002   (revision 2: something else)
  test('reads a replica that lost commits from scratch once it has a writer', async () => {
    const [lost, promoted] = [sampleStore(), sampleStore()]
    for (const store of [lost, promoted]) store.write(at(1001, calm))
    lost.write({ ...at(1002, calm), pools: [{ ...samplePools.pair, liquidity: 0n }] })
    const servers: StoreReader[] = [lost]
    const sync = createStoreSync({ store: between(servers), trusted })
    await sync.read(revisionOf)
    servers[0] = promoted
    promoted.write(at(1002, soon))
    await sync.read(revisionOf)
    const { number, liquidity } = samplePools.pair
    expect(poolIn(sync.model(), number)?.liquidity).toBe(liquidity)
  })
})

describe('after an error', () => {
  test('of the store: loses nothing and continues with the next read', async () => {
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
    const sync = createStoreSync({ store: flaky, trusted })
    await sync.read(revisionOf)
    const before = sync.model()
    store.write({ ...nextBlock(1001), pools: [{ ...samplePools.pair, liquidity: 0n }] })
    isBroken = true
    await expect(sync.read(revisionOf)).rejects.toThrow('disk')
    expect(sync.model()).toBe(before)
    isBroken = false
    await sync.read(revisionOf)
    expect(poolIn(sync.model(), samplePools.pair.number)?.liquidity).toBe(0n)
  })

  test('while building: keeps the model and builds the next one from scratch', async () => {
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
    const sync = createStoreSync({ store: lying, trusted })
    await sync.read(revisionOf)
    const before = sync.model()
    store.write(nextBlock(1001))
    isBroken = true
    await expect(sync.read(revisionOf)).rejects.toThrow()
    expect(sync.model()).toBe(before)
    isBroken = false
    expect(await sync.read(revisionOf)).toBe(1)
    expect(sync.model()?.pools).toEqual(before?.pools)
  })

  test('of the caller: keeps the model', async () => {
    const sync = createStoreSync({ store: sampleStore(), trusted })
    await expect(sync.read(() => Promise.reject(new Error('bug')))).rejects.toThrow('bug')
    expect(sync.model()?.header.revision).toBe(0)
  })
})
