import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, hexOf, noon } from '../../../test/support/domain/sample-inputs.ts'
import { createMemoryStore } from '../../../test/support/market/memory-store.ts'
import {
  allTokens,
  anchorAt,
  poolOf,
  stocks,
  swapOf,
  trusted,
} from '../../../test/support/market/sample-market.ts'
import { figuresOf } from '../../../test/support/volume/judge-swaps.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import type { StoreReader } from '../../ports/store.ts'
import { createStoreSync } from '../sync/store-sync.ts'
import { getByNumber } from './chunked-table.ts'

/*
 * Filtered volumes that follow the store, against the rule over all swaps of the day
 * (docs/methodology.md §5).
 */

const day = 86_400
const poolNumbers = [1, 2]

const anySwap = fc.record({
  pool: fc.constantFrom(...poolNumbers),
  trader: fc.option(fc.integer({ min: 1, max: 3 }).map(addressOf), { freq: 6 }),
  buys: fc.boolean(),
  stock: fc.constantFrom(10n ** 18n, 123_456_789_123_456_789n, 987_654_321_987_654_321n),
})

const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      wait: fc.constantFrom(0, 1, 61, 1800, 4000, day - 1, day),
      swaps: fc.array(anySwap, { maxLength: 12 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ learned: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ dropped: fc.integer({ min: 1, max: 4 }) }) },
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never
type Given = typeof anySwap extends fc.Arbitrary<infer T> ? T : never

const toSwap = (given: Given, place: Pick<StoredSwap, 'block' | 'ts' | 'logIndex'>) => {
  const { block, logIndex, ts } = place
  const amount1 = given.stock / 10n ** 10n
  return swapOf(block, {
    ...{ pool: given.pool, logIndex, ts, txHash: hexOf(block * 10_000 + logIndex, 32) },
    amount0: given.buys ? -given.stock : given.stock,
    amount1: given.buys ? amount1 : -amount1,
    usdMicro: Number(amount1),
    trader: given.trader,
  })
}

const createWorld = (isLate: boolean) => {
  const store = createMemoryStore()
  let swaps: readonly StoredSwap[] = []
  /** What the chain says, which the store may learn later. */
  const senders = new Map<string, StoredSwap['trader']>()
  let blocks = [anchorAt(1000, noon)]
  let epoch = 0
  const last = () => blocks.at(-1) as (typeof blocks)[number]
  const write = () =>
    store.write({
      header: { cursor: last(), epoch },
      pools: poolNumbers.map((number) => poolOf(number)),
      tokens: allTokens,
      stocks,
      swaps,
    })
  write()
  return {
    store,
    take: (step: Step) => {
      if ('learned' in step) {
        swaps = swaps.map((row) => ({ ...row, trader: senders.get(row.txHash) ?? row.trader }))
      } else if ('dropped' in step) {
        blocks = blocks.slice(0, Math.max(1, blocks.length - step.dropped))
        swaps = swaps.filter(({ block }) => block <= last().block)
        epoch += 1
        store.forget()
      } else {
        const { block, ts } = last()
        const at = anchorAt(block + 1, ts + step.wait)
        blocks.push(at)
        const added = step.swaps.map((given, logIndex) => toSwap(given, { ...at, logIndex }))
        for (const { txHash, trader } of added) senders.set(txHash, trader)
        swaps = [...swaps, ...added.map((row) => (isLate ? { ...row, trader: null } : row))]
      }
      write()
    },
    figures: (pool: number) => {
      const { ts } = last()
      const own = swaps.filter((row) => row.pool === pool && row.ts > ts - day && row.ts <= ts)
      return figuresOf(own, ts)
    },
  }
}

test('follow the store as the rule says, through late traders and replaced branches', async () => {
  const steps = fc.array(fc.record({ step: anyStep, isSeen: fc.boolean() }), { maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (all, isLate) => {
      const world = createWorld(isLate)
      const sync = createStoreSync({ store: world.store, trusted, hasTraders: true })
      for (const { step, isSeen } of all) {
        world.take(step)
        if (!isSeen) continue
        // Of two reads the second one finds every trader that is known by now.
        const pools = await sync.read(async (_, model) => model.pools)
        for (const number of poolNumbers) {
          const { vol24hFilteredUsd, traders24h, washShare24h, leftOutMicro } =
            getByNumber(pools ?? [], number)?.volume ?? {}
          const figures = { vol24hFilteredUsd, traders24h, washShare24h, leftOutMicro }
          expect(figures).toEqual(world.figures(number))
        }
      }
    }),
    { numRuns: 150 },
  )
})

test('says nothing where traders are not read', async () => {
  const world = createWorld(false)
  const given = { pool: 1, trader: addressOf(1), buys: true, stock: 10n ** 18n }
  world.take({ wait: 1, swaps: [given] })
  const sync = createStoreSync({ store: world.store, trusted })
  const pools = await sync.read(async (_, model) => model.pools)
  expect(getByNumber(pools ?? [], 1)?.volume).toMatchObject({
    vol24hFilteredUsd: null,
    traders24h: null,
    washShare24h: null,
  })
  expect(getByNumber(pools ?? [], 2)?.volume).toMatchObject({ vol24hFilteredUsd: 0 })
})

test('reads a day of many swaps in parts, and nothing twice', async () => {
  const world = createWorld(false)
  const many = Array.from({ length: 7000 }, (_, n) => ({
    ...{ pool: 1, trader: addressOf(1 + (n % 50)), buys: n % 3 === 0 },
    stock: 10n ** 18n + BigInt(n) * 10n ** 14n + 123_456_789n,
  }))
  for (let at = 0; at < many.length; at += 700) {
    world.take({ wait: 1, swaps: many.slice(at, at + 700) })
  }
  let rows = 0
  const counting: StoreReader = {
    snapshot: (read) =>
      world.store.snapshot((snapshot) =>
        read({
          ...snapshot,
          swapPage: async (query) => {
            const page = await snapshot.swapPage(query)
            rows += page.length
            return page
          },
        }),
      ),
  }
  const sync = createStoreSync({ store: counting, trusted, hasTraders: true })
  const filteredOf = async () => {
    const pools = await sync.read(async (_, model) => model.pools)
    return getByNumber(pools ?? [], 1)?.volume.vol24hFilteredUsd
  }
  expect(await filteredOf()).toBeNull()
  const later = many.reduce((sum, { stock }) => sum + stock / 10n ** 10n, 0n)
  expect(await filteredOf()).toBe(Number(later) / 1e6)
  rows = 0
  world.take({ wait: 1, swaps: many.slice(0, 3) })
  expect(await filteredOf()).toBeGreaterThan(Number(later) / 1e6)
  expect(rows).toBe(3)
})
