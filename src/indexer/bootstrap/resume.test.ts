import { beforeAll, describe, expect, test } from 'vitest'
import type { LongChain } from '../../../test/support/indexer/long-chain.ts'
import {
  apple,
  createSampleWorld,
  openMemoryStore,
  origin,
  rowsOf,
  type SampleWorld,
  simulateActivity,
  startManualIndexer,
  ticksOf,
  withoutYields,
} from '../../../test/support/indexer/sample-world.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'

// chain   ├──────────────────────────────────────────────┤
//          found ▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░  a kill forgets ░ at most
//          maps  ▓▓▓▓▓▓░░
//          states ░░  (all of one block: read again)

const last = 30_000
const bootstrapBlocksMin = 1000

class Killed extends Error {}

/** A world whose node answers so few logs at once that every stage takes several ranges. */
const createWorld = (): SampleWorld => {
  const world = createSampleWorld()
  simulateActivity(world, { from: origin, to: last, acts: 70 }, [])
  world.chain.node.logsMax = 5
  return world
}

const readAll = async (chain: LongChain, store: Store): Promise<void> => {
  const running = await startManualIndexer(chain, { bootstrapBlocksMin, store })
  expect(await running.follow()).toBe(true)
  expect(await running.backfill()).toBe(true)
}

const contentsOf = async (store: Store) => {
  const { header, pools, swaps, candles } = withoutYields(await rowsOf(store))
  return {
    header: {
      indexed: header?.cursor,
      history: header?.backfillCursor,
      backfill: header?.progress,
    },
    pools: pools.map(({ lastHotTs: _, ...pool }) => pool),
    ticks: await ticksOf(store),
    swaps,
    // The undrawn part of a bucket is all that an interruption may lose: its reserves.
    candles: candles
      .filter((candle) => candle.swaps > 0)
      .map(({ reserve0: _, reserve1: __, ...candle }) => candle),
  }
}

/** What each question is: asked of a chain that goes silent for ever after the `deadline`th. */
const withDeadline = (chain: LongChain, deadline: number): LongChain => {
  let asked = 0
  const mortal =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (asked >= deadline) throw new Killed()
      asked += 1
      return ask(...args)
    }
  const { reader } = chain
  return {
    ...chain,
    reader: Object.fromEntries(
      Object.entries(reader).map(([name, ask]) => [name, mortal(ask as () => Promise<unknown>)]),
    ) as unknown as ChainReader,
  }
}

/** A store whose process ends right before or right after its so-many-th write. */
const withLastWrite = (store: Store, deadline: number, isDone: boolean): Store => {
  let written = 0
  const write =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const isLast = written >= deadline
      written += 1
      if (isLast && !isDone) throw new Killed()
      const result = await work(...args)
      if (isLast) throw new Killed()
      return result
    }
  return {
    ...store,
    commitBootstrap: write(store.commitBootstrap),
    recordProgress: write(store.recordProgress),
    seedPools: write(store.seedPools),
    commitBackfill: write(store.commitBackfill),
  }
}

/** The same chain, but its blocks have other names. */
const otherBranch = (chain: LongChain): LongChain => ({
  ...chain,
  reader: {
    ...chain.reader,
    getBlockRef: async (block) => {
      const answer = await chain.reader.getBlockRef(block)
      if (!answer.ok || block < origin + 1) return answer
      return { ok: true, value: { ...answer.value, hash: `0xf${answer.value.hash.slice(3)}` } }
    },
  },
})

/** Lives until it is killed; true if it came to its end. */
const live = async (life: () => Promise<void>): Promise<boolean> => {
  try {
    await life()
    return true
  } catch (cause) {
    if (cause instanceof Killed) return false
    throw cause
  }
}

describe('a bootstrap that is killed', () => {
  let world: SampleWorld
  let undisturbed: Awaited<ReturnType<typeof contentsOf>>
  let requests: number

  beforeAll(async () => {
    world = createWorld()
    const store = openMemoryStore()
    world.chain.asked.length = 0
    await readAll(world.chain, store)
    requests = world.chain.asked.length
    undisturbed = await contentsOf(store)
  })

  test('after any answer comes to the same end, and asks little twice', async () => {
    const { chain } = world
    const costs: number[] = []
    for (let deadline = 1; ; deadline++) {
      const store = openMemoryStore()
      chain.asked.length = 0
      const isOver = await live(() => readAll(withDeadline(chain, deadline), store))
      if (isOver) break
      await readAll(chain, store)
      costs.push(chain.asked.length)
      expect(await contentsOf(store)).toEqual(undisturbed)
    }
    expect(costs.length).toBeGreaterThan(60)
    // A restart costs eight questions, the prices of the past and the states that were read.
    expect(Math.max(...costs) - requests).toBeLessThan(35)
  })

  test.each([false, true])('at any write comes to the same end (written: %s)', async (isDone) => {
    const { chain } = world
    for (let deadline = 0; ; deadline++) {
      const store = openMemoryStore()
      const mortal = withLastWrite(store, deadline, isDone)
      if (await live(() => readAll(chain, mortal))) break
      await readAll(chain, store)
      expect(await contentsOf(store)).toEqual(undisturbed)
    }
  })

  test('again and again, after every few answers, gets on all the same', async () => {
    const { chain } = world
    const store = openMemoryStore()
    chain.asked.length = 0
    let lives = 0
    while (!(await live(() => readAll(withDeadline(chain, 40), store)))) {
      lives += 1
      expect(lives).toBeLessThan(50)
    }
    expect(lives).toBeGreaterThan(2)
    expect(await contentsOf(store)).toEqual(undisturbed)
    expect(chain.asked.length).toBeLessThan(requests + 25 * lives)
  })

  test('starts over if its branch was replaced', async () => {
    const { chain } = world
    let store = openMemoryStore()
    for (let deadline = 1; !(await store.readBootstrap())?.tickMapCursors.length; deadline++) {
      expect(deadline).toBeLessThan(100)
      store = openMemoryStore()
      expect(await live(() => readAll(withDeadline(chain, deadline), store))).toBe(false)
    }
    const running = await startManualIndexer(otherBranch(chain), { bootstrapBlocksMin, store })
    await running.follow(1)
    expect(await store.readBootstrap()).toBe(null)
    expect(await rowsOf(store)).toMatchObject({ header: { epoch: 1, cursor: null }, pools: [] })
    const { sources } = await store.snapshot(async (each) => ({ sources: await each.sources() }))
    const swaps = sources.find(({ source }) => source === 'swaps')
    expect(swaps?.lastError).toMatch(/block \d+ was replaced after 5 confirmations/)
    await readAll(chain, store)
    expect(await contentsOf(store)).toEqual(undisturbed)
  })

  test('finds the pools of a stock that was listed while it was dead', async () => {
    const { chain } = world
    const store = openMemoryStore()
    const young = await startManualIndexer(withDeadline(chain, 20), {
      bootstrapBlocksMin,
      store,
      stocks: [apple],
    })
    expect(
      await live(async () => {
        await young.follow()
      }),
    ).toBe(false)
    expect(await store.readBootstrap()).not.toBe(null)
    await readAll(chain, store)
    const { pools, swaps } = await contentsOf(store)
    const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).toSorted()
    expect(ids(pools)).toEqual(ids(undisturbed.pools))
    expect(swaps).toHaveLength(undisturbed.swaps.length)
  })
})
