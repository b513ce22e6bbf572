import { describe, expect, test } from 'vitest'
import type { StoredLiquidityChange } from '../../src/domain/pool/stored-rows.ts'
import type { StoreSnapshot } from '../../src/ports/store.ts'
import type { OpenBench } from './bench.ts'
import { batchOf, blockRefAt, day, hashOf, noOrigin, swapAt } from './fixtures.ts'

/* What the record of a past block is read from. */

const changeAt = (
  position: { readonly pool: number; readonly block: number; readonly logIndex: number },
  liquidityDelta: bigint,
): StoredLiquidityChange => ({
  ...position,
  ts: day + position.block,
  txHash: hashOf(position.block),
  ...noOrigin,
  tickLower: -60,
  tickUpper: 120,
  liquidityDelta,
})

const describeRows = (open: OpenBench): void => {
  test('the newest swaps of a pool are found up to a block', async () => {
    const { store } = await open()
    // Four blocks a second, two swaps of each pool in a block.
    const swaps = Array.from({ length: 20 }, (_, block) =>
      [1, 2].flatMap((pool) =>
        [0, 10].map((logIndex) =>
          swapAt(
            { pool, block, logIndex: logIndex + pool },
            {
              ts: day + Math.floor(block / 4),
              usdMicro: block % 7 === 0 ? null : 10 ** (block % 9),
            },
          ),
        ),
      ),
    ).flat()
    await store.commitRange(batchOf({ before: null, to: 19 }, { swaps }))
    const ask = <T>(read: (snapshot: StoreSnapshot) => Promise<T>) => store.snapshot(read)
    const own = swaps.filter(({ pool }) => pool === 2)
    for (const toBlock of [-1, 0, 5, 7, 19, 40]) {
      const until = own.filter(({ block }) => block <= toBlock)
      const [last, all] = await ask((of) =>
        Promise.all([
          of.swaps({ pool: 2, fromTs: 0, toBlock, rowsMax: 1 }),
          of.swaps({ pool: 2, fromTs: day + 1, toBlock, rowsMax: 99 }),
        ]),
      )
      expect(last).toEqual(until.slice(-1))
      expect(all).toEqual(until.filter(({ ts }) => ts >= day + 1).toReversed())
      const span = { fromTs: day + 1, toTs: day + 3 }
      const within = until.filter(({ ts }) => ts >= span.fromTs && ts < span.toTs)
      const priced = within.flatMap(({ usdMicro }) => (usdMicro === null ? [] : [usdMicro]))
      expect(await ask((of) => of.poolVolume({ pool: 2, ...span, toBlock }))).toEqual(
        within.length === 0
          ? null
          : {
              pool: 2,
              usdMicro: priced.reduce((sum, each) => sum + BigInt(each), 0n),
              swaps: within.length,
              unpriced: within.length - priced.length,
              estimated: 0,
              implausible: 0,
              feeYield: 0n,
              yielded: 0,
            },
      )
    }
  })

  test('changes of a pool come in chain order from a place on, and only so many', async () => {
    const { store } = await open()
    const liquidity = [3, 4, 4, 9].flatMap((block, at) =>
      [1, 2].map((pool) => changeAt({ pool, block, logIndex: at * 2 + pool }, BigInt(at + 1))),
    )
    await store.commitRange(batchOf({ before: null, to: 9 }, { liquidity }))
    const own = liquidity.filter(({ pool }) => pool === 2)
    for (const [block, logIndex, rowsMax] of [
      [-1, 0, 99],
      [3, 1, 99],
      [3, 2, 99],
      [4, 4, 99],
      [4, 4, 1],
      [9, 8, 99],
    ] as const) {
      const rows = await store.snapshot((of) =>
        of.liquidityChanges({ pool: 2, after: { block, logIndex }, rowsMax }),
      )
      const later = own.filter(
        (each) => each.block > block || (each.block === block && each.logIndex > logIndex),
      )
      expect(rows).toEqual(
        later
          .slice(0, rowsMax)
          .map(({ block, logIndex, tickLower, tickUpper, liquidityDelta }) => ({
            ...{ block, logIndex, tickLower, tickUpper, liquidityDelta },
          })),
      )
    }
  })
}

const describeTimes = (open: OpenBench): void => {
  test('a block has the time of the newest block, swap or change up to it', async () => {
    const { store } = await open()
    await store.commitRange(
      batchOf(
        { before: null, to: 100 },
        {
          blocks: [blockRefAt(40)],
          swaps: [10, 30, 60, 61].map((block) => swapAt({ pool: 1, block })),
          liquidity: [20, 50, 80].map((block) => changeAt({ pool: 1, block, logIndex: 1 }, 1n)),
        },
      ),
    )
    const timed = [10, 20, 30, 40, 50, 60, 61, 80, 100]
    for (const block of [0, 9, 10, 11, 25, 30, 39, 40, 45, 55, 60, 61, 70, 99, 100, 500]) {
      const last = timed.findLast((each) => each <= block)
      const expected = last === undefined ? null : { block: last, ts: day + last }
      const until = day + block
      const found = await store.snapshot((of) =>
        Promise.all([of.timedBlock(block), of.timedBlockUntil(until)]),
      )
      expect(found, `${block}`).toEqual([expected, expected])
    }
    expect(await store.snapshot((of) => of.timedBlockUntil(day - 1))).toBeNull()
  })

  test('of blocks in one second the last one counts', async () => {
    const { store } = await open()
    const swaps = Array.from({ length: 12 }, (_, block) =>
      swapAt({ pool: 1, block }, { ts: day + Math.floor(block / 4) }),
    )
    await store.commitRange(batchOf({ before: null, to: 100 }, { swaps }))
    for (let block = 0; block < 12; block++) {
      const found = await store.snapshot((of) => of.timedBlock(block))
      expect(found).toEqual({ block, ts: day + Math.floor(block / 4) })
    }
    for (const [second, block] of [3, 7, 11].entries()) {
      const found = await store.snapshot((of) => of.timedBlockUntil(day + second))
      expect(found).toEqual({ block, ts: day + second })
    }
  })

  test('a time without swaps around it has the last block or change before', async () => {
    const { store } = await open()
    const blocks = [2, 7, 9, 30].map(blockRefAt)
    const liquidity = [3, 8, 40].map((block) => changeAt({ pool: 1, block, logIndex: 1 }, 1n))
    await store.commitRange(batchOf({ before: null, to: 100 }, { blocks, liquidity }))
    for (const [second, block] of [
      [2, 2],
      [6, 3],
      [8, 8],
      [29, 9],
      [39, 30],
      [99, 40],
      [100, 100],
    ] as const) {
      const found = await store.snapshot((of) => of.timedBlockUntil(day + second))
      expect(found).toEqual({ block, ts: day + block })
    }
  })
}

export const describePast = (open: OpenBench): void => {
  describe('past blocks', () => {
    describeRows(open)
    describeTimes(open)
  })
}
