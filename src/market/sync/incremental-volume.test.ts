import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noon } from '../../../test/support/domain/sample-inputs.ts'
import { createMemoryStore, volumeOf } from '../../../test/support/market/memory-store.ts'
import {
  allTokens,
  anchorAt,
  poolOf,
  stocks,
  swapOf,
  trusted,
} from '../../../test/support/market/sample-market.ts'
import { type StoredSwap, usdMicroMax } from '../../domain/pool/stored-rows.ts'
import type { StoreReader } from '../../ports/store.ts'
import { getByNumber } from '../model/chunked-table.ts'
import { createStoreSync } from './store-sync.ts'

/*
 * Windows whose sums are kept while blocks come, branches are replaced and the past is filled in,
 * against a plain recount of all swaps there are (docs/methodology.md §5).
 */

const hour = 3600
const day = 86_400
const numbers = [1, 2, 3]

const anySwap = fc.record({
  pool: fc.constantFrom(...numbers),
  usdMicro: fc.option(fc.oneof(fc.nat(2 ** 45), fc.constant(usdMicroMax)), { freq: 9 }),
  estimated: fc.boolean(),
  implausible: fc.boolean(),
})
const someSwaps = fc.array(anySwap, { maxLength: 4 })

/** To the edges of both windows, and a second to either side of them. */
const anyWait = fc.oneof(
  fc.constantFrom(0, 0, 1, hour - 1, hour, hour + 1, day - 1, day, day + 1),
  fc.nat(900),
)

const anyPast = fc.oneof(anyWait, fc.integer({ min: 4 * hour, max: 14 * hour }))

const anyStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ wait: anyWait, swaps: someSwaps }) },
  { weight: 1, arbitrary: fc.record({ dropped: fc.nat(6), swaps: someSwaps }) },
  { weight: 4, arbitrary: fc.record({ past: anyPast, swaps: someSwaps }) },
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

const createWorld = () => {
  const store = createMemoryStore()
  let swaps: readonly StoredSwap[] = []
  let epoch = 0
  let blocks = [anchorAt(1000, noon)]
  let after = anchorAt(900, noon - 60)
  const indexed = () => blocks.at(-1) as (typeof blocks)[number]
  const put = (rows: Step['swaps'], { block, ts }: { block: number; ts: number }) => {
    swaps = [...swaps, ...rows.map((row, logIndex) => swapOf(block, { ...row, logIndex, ts }))]
  }
  const write = () => {
    const history = {
      completeAfter: after,
      firstBlock: 0,
      startedAt: 900,
      lastPoolNumber: numbers.length,
    }
    store.write({
      header: { cursor: indexed(), epoch, backfillCursor: history },
      pools: numbers.map((number) => poolOf(number)),
      tokens: allTokens,
      stocks,
      swaps,
    })
  }
  write()
  return {
    store,
    take: (step: Step) => {
      if ('past' in step) {
        put(step.swaps, after)
        after = anchorAt(after.block - 1, after.ts - step.past)
      } else if ('wait' in step) {
        blocks.push(anchorAt(indexed().block + 1, indexed().ts + step.wait))
        put(step.swaps, indexed())
      } else {
        epoch += 1
        blocks = blocks.slice(0, Math.max(1, blocks.length - step.dropped))
        swaps = swaps.filter(({ block }) => block <= indexed().block)
        blocks.push(anchorAt(indexed().block + 1, indexed().ts))
        put(step.swaps, indexed())
        store.forget()
      }
      write()
    },
    recount: (pool: number) => {
      const sumOf = (seconds: number) => {
        const fromTs = indexed().ts - seconds
        const own = swaps.filter((swap) => swap.pool === pool && swap.ts > fromTs)
        const {
          usdMicro = 0n,
          swaps: count = 0,
          unpriced = 0,
          estimated = 0,
          implausible = 0,
        } = volumeOf(own)[0] ?? {}
        const isKnown = unpriced === 0 && fromTs >= after.ts
        return { usd: isKnown ? Number(usdMicro) / 1e6 : null, count, estimated, implausible }
      }
      const whole = sumOf(day)
      return {
        vol1hUsd: sumOf(hour).usd,
        vol24hUsd: whole.usd,
        swaps24h: whole.count,
        estimatedSwaps24h: whole.estimated,
        implausibleSwaps24h: whole.implausible,
      }
    },
  }
}

test('keeps the sums equal to a recount through new, expired and replaced swaps', async () => {
  const steps = fc.array(fc.record({ step: anyStep, isSeen: fc.boolean() }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const world = createWorld()
      const sync = createStoreSync({ store: world.store, trusted })
      for (const { step, isSeen } of all) {
        world.take(step)
        if (!isSeen) continue
        const pools = await sync.read(async (_, model) => model.pools)
        for (const number of numbers) {
          expect(getByNumber(pools ?? [], number)?.volume).toMatchObject(world.recount(number))
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('queries only entered and left swaps while blocks are added', async () => {
  const { store, take } = createWorld()
  const asked: (readonly [afterTs: number, toTs: number, afterBlock: number])[] = []
  const counting: StoreReader = {
    snapshot: (read) =>
      store.snapshot((snapshot) =>
        read({
          ...snapshot,
          volume: (span) => {
            asked.push([span.afterTs - noon, span.toTs - noon, span.afterBlock])
            return snapshot.volume(span)
          },
        }),
      ),
  }
  const sync = createStoreSync({ store: counting, trusted })
  const read = async () => {
    asked.length = 0
    await sync.read(async () => undefined)
    return asked
  }
  await read()
  take({ wait: 2, swaps: [] })
  expect(await read()).toEqual([
    [-1, 2, 1000],
    [-hour, 2 - hour, -1],
    [-day, 2 - day, -1],
  ])
  take({ wait: 0, swaps: [] })
  expect(await read()).toEqual([[1, 2, 1001]])
  // After a long time there are fewer to begin with than have left.
  take({ wait: hour, swaps: [] })
  expect(await read()).toEqual([
    [hour + 2 - day, 2 * hour - 1 - day, -1],
    [2, hour - 1, -1],
    [hour - 1, hour + 2, -1],
  ])
})
