import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candle, candleWidths } from '../../src/domain/pool/stored-rows.ts'
import { toStoredTicks } from '../../src/domain/pool/tracked-pool.ts'
import { bucketStart } from '../../src/domain/series/series-range.ts'
import { foldPool, readPastPrice } from '../../src/market/past/fold-pool.ts'
import { readOpenCandles } from '../../src/market/past/past-candles.ts'
import { readPastVolume } from '../../src/market/past/past-volume.ts'
import { resolveBlock } from '../../src/market/past/resolve-block.ts'
import type { StoreSnapshot } from '../../src/ports/store.ts'
import type { StoredPool } from '../../src/ports/store-batches.ts'
import { anyStep } from '../support/domain/sample-history.ts'
import { volumeOf } from '../support/market/memory-store.ts'
import { type DrawnBlock, firstBlock } from './drawn-chain.ts'
import { stateOf, undisturbed } from './drawn-index.ts'
import { catchUp, start, type World } from './reorg-world.ts'

/* What is said of a past block is what an index says that has read no further. */

const anyBlock: fc.Arbitrary<DrawnBlock> = fc.record({
  acts: fc.array(
    anyStep.filter((act) => act.kind !== 'mine'),
    { maxLength: 4 },
  ),
  // Many blocks of one second, some across the end of a minute, an hour, a day.
  seconds: fc.oneof(fc.constant(0), fc.nat(40), fc.constant(3000), fc.constant(50_000)),
})

const blocks = (min: number, max: number) => fc.array(anyBlock, { minLength: min, maxLength: max })

type Rows = Awaited<ReturnType<typeof undisturbed>>[number]

const figuresOf = (pool: StoredPool) => {
  const { price, liquidity, reserves, depth, mapFault } = pool
  const { lastSwapTs, lastSwapBlock, lastSwapFee } = pool
  return { price, liquidity, reserves, depth, mapFault, lastSwapTs, lastSwapBlock, lastSwapFee }
}

const traded = (candles: readonly Candle[], ts: number) =>
  candleWidths.flatMap((width) =>
    candles
      .filter((each) => each.width === width && each.swaps > 0)
      .filter((each) => each.ts === bucketStart(ts, width))
      .map((each) => ({ ...each, reserve0: null, reserve1: null })),
  )

const sumSince = ({ swaps }: Rows, fromTs: number) => {
  const [sum] = volumeOf(swaps.filter(({ ts }) => ts > fromTs))
  return sum?.unpriced === 0 || sum === undefined ? Number(sum?.usdMicro ?? 0n) / 1e6 : null
}

/** Returns whether the price of that time is known. */
const checkPool = async (
  snapshot: StoreSnapshot,
  present: StoredPool,
  { block, ts, expected }: { block: number; ts: number; expected: Rows },
): Promise<boolean> => {
  const timed = await snapshot.timedBlock(block)
  const at = { block, timed: timed ?? { block, ts } }
  const price = await readPastPrice(snapshot, present, at)
  if (price === null) {
    // Nothing that is stored shows the price before the first swap.
    expect(expected.pool.lastSwapBlock).toBeNull()
    return false
  }
  const past = await foldPool(snapshot, present, { at, price })
  expect(figuresOf({ ...present, ...past.state })).toEqual(figuresOf(expected.pool))
  expect(toStoredTicks(past)).toEqual(expected.ticks)
  const own = { block, timed: { block, ts } }
  const volume = await readPastVolume(snapshot, { pool: present, at: own, keptSince: 0 })
  expect(volume).toMatchObject({
    vol1hUsd: sumSince(expected, ts - 3600),
    vol24hUsd: sumSince(expected, ts - 86_400),
    swaps24h: expected.swaps.filter((swap) => swap.ts > ts - 86_400).length,
    isGap: false,
  })
  const open = await readOpenCandles(snapshot, { pool: past, at: own })
  expect(traded(open ?? [], ts)).toEqual(traded(expected.candles, ts))
  return true
}

const checkBlock = async ({ chain, drawn }: World, block: number) => {
  const ts = chain.anchor(block)?.ts ?? 0
  const rows = await undisturbed(chain, block)
  const last = (await stateOf(drawn)).header.cursor ?? { block, ts }
  return drawn.store.snapshot(async (snapshot) => {
    const checks = rows.map(async (expected) => {
      const { number } = expected.pool
      const [present] = await snapshot.poolsBetween({ from: number, to: number })
      if (present === undefined) throw new Error(`pool ${number} is gone`)
      return checkPool(snapshot, present, { block, ts, expected })
    })
    const known = (await Promise.all(checks)).filter(Boolean).length
    const first = { block: firstBlock, ts: chain.anchor(firstBlock)?.ts ?? 0 }
    const byTime = await resolveBlock({ snapshot, first, last }, { ts })
    return { known, pools: rows.length, byTime }
  })
}

test('a pool at any block is what an index of that block holds, also after a fork', async () => {
  let known = 0
  let pools = 0
  const depth = fc.integer({ min: 1, max: 8 })
  const branches = fc.tuple(blocks(12, 20), depth, blocks(12, 20))
  await fc.assert(
    fc.asyncProperty(branches, async ([first, back, branch]) => {
      const world = await start(first)
      await catchUp(world)
      world.chain.fork(back, branch)
      await catchUp(world)
      const { header } = await stateOf(world.drawn)
      const cursor = header.cursor?.block ?? 0
      for (let block = cursor; block > firstBlock; block -= 3) {
        const found = await checkBlock(world, block)
        known += found.known
        pools += found.pools
        // The last stored block of that second, or of before.
        const timed = found.byTime.ok ? found.byTime.value.timed : null
        const ts = world.chain.anchor(block)?.ts ?? 0
        expect(timed?.ts).toBe(world.chain.anchor(timed?.block ?? 0)?.ts)
        expect(timed?.ts).toBeLessThanOrEqual(ts)
      }
    }),
    { numRuns: 8, endOnFailure: true },
  )
  expect(known).toBeGreaterThan(100)
  expect(known / pools).toBeGreaterThan(0.5)
})
