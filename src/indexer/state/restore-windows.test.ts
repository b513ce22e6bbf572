import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createSampleIndex,
  decimalsOf,
  rootPrice,
  tokens,
  venues,
} from '../../../test/support/domain/sample-market.ts'
import { keccak } from '../../../test/support/domain/sample-pool.ts'
import { createFakeChain, type FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { createMarket, type Market, one } from '../../../test/support/indexer/market.ts'
import { openClaimedStore } from '../../../test/support/indexer/stored.ts'
import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { poolAtBlock } from '../../domain/pool/pool-at-block.ts'
import { depthOf } from '../../domain/pool/pool-depth.ts'
import { everyState } from '../../domain/price/pool-window.ts'
import { createReferenceHistory } from '../../domain/price/reference-history.ts'
import type { Address } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'
import { createIndexerEvents } from '../events.ts'
import { createIndexState, type IndexState } from './index-state.ts'

/*
 *  followed   |--o----o-o---o---o|   the states as they came
 *  restored   |--o----o-o---o---o|   the same, from the stored events
 */

const { apple, weth, usdg, tesla } = tokens
const progress = { phase: 'done', done: 1, total: 1 } as const

let store: Store
let chain: FakeChain
let market: Market
beforeEach(async () => {
  store = await openClaimedStore()
  chain = createFakeChain()
  market = createMarket(chain)
})
afterEach(() => store.close())

const createIndex = (commitRange: Store['commitRange'] = store.commitRange) =>
  createIndexState({
    store: { ...store, commitRange },
    roles: createSampleIndex().roles,
    venues,
    keccak256: keccak,
    random: Math.random,
    references: createReferenceHistory(),
    feeds: { refresh: async () => true, aggregators: () => [], decodePrices: () => [] },
    decimalsOf,
    reviewedHooks: new Map(),
    events: createIndexerEvents(),
  })

/** Price, depth and seconds of each state of a token's pools; null without a known start. */
const statesOf = (index: IndexState, token: Address, toTs = index.cursor()?.ts ?? 0) =>
  index
    .windows()
    .sidesOf(token)
    .map(({ window }) => {
      const states: unknown[] = []
      const isKnown = everyState(window, toTs, ({ pool }, seconds) => {
        const { price, liquidity, mapFault } = pool.state
        const root = price?.sqrtPriceX96 ?? 0n
        states.push([root, liquidity, mapFault, depthOf(pool.tickMap, root), seconds])
        return true
      })
      return isKnown ? states : null
    })

const restored = async (): Promise<IndexState> => {
  const index = createIndex()
  await index.load()
  return index
}

const ingestLast = async (index: IndexState): Promise<void> => {
  const last = chain.blocks().at(-1)
  if (last === undefined) throw new Error('no block')
  await index.ingestRange(last.logs, { to: last.blockRef, head: last.blockRef, progress })
}

/** Two pools that trade and change, and one that does nothing. */
const createLife = async (index: IndexState) => {
  const live = async (seconds: number): Promise<BlockRef> => {
    const to = market.mine(seconds)
    await ingestLast(index)
    await index.flush()
    return to
  }
  const busy = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n, 4n))
  busy.mint(-60_000, 60_000, 100_000n * one)
  const other = market.open('v4', { token0: usdg, token1: apple }, rootPrice(100_000n))
  other.mint(180_000, 300_000, one)
  const quiet = market.open('v4', { token0: apple, token1: weth, fee: 100 }, rootPrice(1n, 4n))
  quiet.mint(-60_000, 60_000, one)
  await live(1)
  busy.swapTo(rootPrice(26n, 100n))
  other.swapTo(rootPrice(101_000n))
  await live(1)
  await live(400)
  const acts = [
    () => busy.swapTo(rootPrice(27n, 100n)),
    () => busy.burn(-60_000, 60_000, 40_000n * one),
    () => other.mint(180_000, 300_000, 7n * one),
    () => {
      busy.swapTo(rootPrice(2n))
      busy.mint(-120, 60_000, 3n * one)
      busy.swapTo(rootPrice(28n, 100n))
    },
    () => other.swapTo(rootPrice(99_000n)),
    () => busy.mint(-60_000, 60_000, one),
  ]
  const refs: BlockRef[] = []
  for (const act of acts) {
    act()
    refs.push(await live(30))
  }
  return { busy, other, live, refs }
}

describe('windows from stored events', () => {
  it('after a restart are those that were followed, at every moment', async () => {
    const followed = createIndex()
    const { live, busy } = await createLife(followed)
    for (const seconds of [0, 1, 100, 150, 200, 301]) {
      const [again, ts] = [await restored(), (followed.cursor()?.ts ?? 0) + seconds]
      expect(statesOf(again, apple, ts)).toEqual(statesOf(followed, apple, ts))
      expect(statesOf(again, apple, ts)).not.toContain(null)
    }
    expect(statesOf(followed, apple)[0]?.length).toBe(5)
    // And a swap later both still agree.
    const again = await restored()
    busy.swapTo(rootPrice(25n, 100n))
    await live(20)
    await ingestLast(again)
    await again.flush()
    expect(statesOf(again, apple)).toEqual(statesOf(followed, apple))
  })

  it('after a failed commit are those of the store', async () => {
    let isBroken = false
    const index = createIndex(async (batch) => {
      if (isBroken) throw new Error('the disk is full')
      return store.commitRange(batch)
    })
    const { busy } = await createLife(index)
    const before = statesOf(index, apple)
    isBroken = true
    busy.swapTo(rootPrice(9n))
    market.mine(1)
    await ingestLast(index)
    expect(statesOf(index, apple)).not.toEqual(before)
    await expect(index.flush()).rejects.toThrow('the disk is full')
    expect(statesOf(index, apple)).toEqual(before)
  })

  it('after a branch replacement are those of the new branch', async () => {
    const index = createIndex()
    const { refs, other } = await createLife(index)
    const ancestor = refs[3]
    if (ancestor === undefined) throw new Error('no ancestor')
    const changed = await store.readPoolsChangedAfter(ancestor)
    const pools = await Promise.all(
      changed.map(async (number) => {
        const history = await store.readPoolHistory(number, ancestor.block)
        const pool = index.pools().byNumber(number)
        const at = pool === undefined ? null : poolAtBlock(pool, history, ancestor.block)
        if (at === null) throw new Error('no pool at the ancestor')
        return { pool: at, candles: [] }
      }),
    )
    other.swapTo(rootPrice(98_000n))
    market.mine(60)
    const last = chain.blocks().at(-1)
    if (last === undefined) throw new Error('no block')
    const header = await store.snapshot((snapshot) => snapshot.header())
    const from = { ancestor, epoch: header?.epoch ?? 0, restored: pools, repairs: 0 }
    const end = { to: last.blockRef, head: last.blockRef, progress }
    expect(await index.replaceBranch(last.logs, end, from)).toBe('committed')
    expect(statesOf(index, apple)).toEqual(statesOf(await restored(), apple))
    // The blocks above the ancestor are gone: its last states held until the new swap.
    const [ofBusy, ofOther] = statesOf(index, apple)
    expect(ofBusy?.[0]).toMatchObject([rootPrice(28n, 100n), 60_000n * one, null, {}, 120])
    expect(ofOther?.[0]).toMatchObject([rootPrice(98_000n), 8n * one, null, {}, 0])
    expect(ofOther?.[1]).toMatchObject([rootPrice(101_000n), 8n * one, null, {}, 150])
  })

  it('hold no copy of a pool without an event, which the store may list as changed', async () => {
    await createLife(createIndex())
    store = { ...store, readPoolsChangedAfter: async () => [1, 2, 3] }
    const index = await restored()
    const windows = index.windows().sidesOf(apple)
    const rested = windows.filter(({ window }) => window.present.pool.identity.key.fee === 100)
    expect(rested).toHaveLength(1)
    for (const { window } of rested) {
      expect(window.past).toEqual([])
      expect(window.present.ts).toBe(window.present.pool.identity.createdTs)
    }
  })

  it('after a reset are empty', async () => {
    const index = createIndex()
    await createLife(index)
    await index.reset()
    expect(statesOf(index, apple)).toEqual([])
  })

  it('of pools that are added with their past are not the price of the moment', async () => {
    const followed = createIndex()
    await createLife(followed)
    const late = createIndex()
    await late.load()
    const pools = [...late.pools().all()]
    // As a newly listed stock adds them.
    const adding = createIndex()
    await adding.load()
    for (const pool of pools) adding.pools().put({ ...pool, tickMap: { ...pool.tickMap } })
    await adding.addPools(pools)
    expect(statesOf(adding, apple)).toEqual(statesOf(followed, apple))
  })

  it('begin late where the swaps of before are not stored yet', async () => {
    const index = createIndex()
    const { refs } = await createLife(index)
    const [first, second] = refs
    if (first === undefined || second === undefined) throw new Error('no blocks')
    const backfillCursor = {
      completeAfter: second,
      firstBlock: 0,
      startedAt: second.block,
      lastPoolNumber: 9,
    }
    const whole = store
    store = {
      ...whole,
      snapshot: <T>(
        read: (snapshot: Parameters<Parameters<Store['snapshot']>[0]>[0]) => Promise<T>,
      ) =>
        whole.snapshot((snapshot) =>
          read({
            ...snapshot,
            header: async () => {
              const header = await snapshot.header()
              return header === null ? null : { ...header, backfillCursor }
            },
          }),
        ),
    }
    const again = await restored()
    expect(statesOf(again, apple)).toEqual([null, null, null])
    const ts = second.ts + 300
    expect(statesOf(again, apple, ts - 1)).toEqual([null, null, null])
    expect(statesOf(again, apple, ts)).not.toContain(undefined)
    expect(statesOf(again, apple, ts).slice(2)).not.toEqual([null])
  })

  it('before its first swap a pool has the price of the hour before', async () => {
    const index = createIndex()
    const { live } = await createLife(index)
    const young = market.open('v4', { token0: weth, token1: tesla }, rootPrice(1n))
    young.mint(-60_000, 60_000, one)
    await live(1)
    young.swapTo(rootPrice(2n))
    await live(20)
    // Created and traded within one hour: no candle of before, and too young to price anything.
    expect(statesOf(await restored(), tesla)).toEqual([null])
    const old = market.open('v4', { token0: usdg, token1: tesla }, rootPrice(1n))
    old.mint(-60_000, 60_000, one)
    await live(1)
    await live(7200)
    old.swapTo(rootPrice(2n))
    await live(100)
    await live(50)
    expect(statesOf(await restored(), tesla)).toEqual(statesOf(index, tesla))
    expect(statesOf(index, tesla)[1]).toMatchObject([
      [rootPrice(2n), one, null, {}, 50],
      [rootPrice(1n), one, null, {}, 250],
    ])
  })
})
