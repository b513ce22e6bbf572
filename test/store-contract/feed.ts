import fc from 'fast-check'
import { expect, test } from 'vitest'
import { known } from '../../src/domain/reading.ts'
import type { OpenBench } from './bench.ts'
import { addressOf, batchOf, day, swapAt } from './fixtures.ts'

const blocks = 40
const secondOf = (block: number): number => day + Math.floor(block / 3)
const everySwap = Array.from({ length: blocks }, (_, block) =>
  Array.from({ length: block % 4 }, (_none, at) =>
    swapAt(
      { pool: 1 + ((block + at) % 3), block, logIndex: 2 * at },
      { ts: secondOf(block), trader: (block + at) % 3 === 0 ? null : addressOf(30) },
    ),
  ),
).flat()

/** Right behind some of the swaps, of the same pools. */
const everyChange = everySwap
  .filter(({ block }) => block % 2 === 1)
  .map(({ pool, block, ts, txHash, logIndex }, at) => ({
    ...{ pool, block, ts, txHash, logIndex: logIndex + 1, txIndex: 4 },
    ...{ owner: addressOf(9), sender: null, salt: null },
    ...{ tickLower: -60 * (1 + (at % 3)), tickUpper: 60, liquidityDelta: BigInt(at - 5) },
  }))

const everyTick = [1, 2].flatMap((pool) =>
  [-120, 60].map((tick) => ({ pool, tick, net: BigInt(-tick), gross: 120n })),
)

const openFilled = async (open: OpenBench) => {
  const { store } = await open()
  const rest = { swaps: everySwap, liquidity: everyChange, ticks: everyTick }
  await store.commitRange(batchOf({ before: null, to: blocks }, rest))
  return store
}

const somePools = fc.uniqueArray(fc.integer({ min: 1, max: 4 }))
const someBlock = fc.integer({ min: 0, max: blocks + 2 })
const someRows = fc.integer({ min: 1, max: 30 })

/** What aggregators read follows from these. */
export const describeFeed = (open: OpenBench): void => {
  test('changes of liquidity of some blocks come with the price before', async () => {
    const store = await openFilled(open)
    const query = fc.record({ fromBlock: someBlock, toBlock: someBlock, rowsMax: someRows })
    await fc.assert(
      fc.asyncProperty(query, async ({ fromBlock, toBlock, rowsMax }) => {
        const found = await store.snapshot((snapshot) =>
          snapshot.liquidityOfBlocks({ fromBlock, toBlock, rowsMax }),
        )
        const expected = everyChange
          .filter(({ block }) => block >= fromBlock && block <= toBlock)
          .slice(0, rowsMax)
        expect(found).toEqual(
          expected.map((change) => ({ ...change, sqrtPriceX96: swapAt(change).sqrtPriceX96 })),
        )
      }),
      { numRuns: 30 },
    )
  })

  test('several pools have their ticks, changes and first swaps read at once', async () => {
    const store = await openFilled(open)
    await fc.assert(
      fc.asyncProperty(somePools, someBlock, someRows, async (pools, fromBlock, rowsMax) => {
        const [ticks, changes, firsts] = await store.snapshot((snapshot) =>
          Promise.all([
            snapshot.ticksOfPools(pools),
            snapshot.changesOfPools({ pools, fromBlock, rowsMax }),
            snapshot.firstSwaps({ pools, fromBlock }),
          ]),
        )
        const each = <Row, Found>(rows: readonly Row[], of: (pool: number) => readonly Found[]) =>
          expect(new Set(rows)).toEqual(new Set(pools.flatMap(of)))
        each(ticks, (pool) => everyTick.filter((tick) => tick.pool === pool))
        const later = <Row extends { readonly pool: number; readonly block: number }>(
          rows: readonly Row[],
          pool: number,
        ) => rows.filter((row) => row.pool === pool && row.block >= fromBlock)
        each(firsts, (pool) => later(everySwap, pool).slice(0, 1))
        const ofPool = Map.groupBy(changes, ({ pool }) => pool)
        for (const pool of pools) {
          const expected = later(everyChange, pool).slice(0, rowsMax)
          expect(ofPool.get(pool) ?? []).toEqual(
            expected.map(({ block, logIndex, tickLower, tickUpper, liquidityDelta }) => ({
              ...{ pool, block, logIndex, tickLower, tickUpper, liquidityDelta },
            })),
          )
        }
      }),
      { numRuns: 30 },
    )
  })

  test('the first swap without a trader is found by time and block', async () => {
    const store = await openFilled(open)
    await fc.assert(
      fc.asyncProperty(someBlock, someBlock, async (sinceBlock, toBlock) => {
        const fromTs = secondOf(sinceBlock)
        const found = await store.snapshot((snapshot) =>
          snapshot.firstWithoutTrader({ fromTs, toBlock }),
        )
        const expected = everySwap.find(
          ({ trader, ts, block }) => trader === null && ts >= fromTs && block <= toBlock,
        )
        expect(found).toEqual(
          expected === undefined ? null : { block: expected.block, ts: expected.ts },
        )
      }),
      { numRuns: 60 },
    )
  })

  test('a token is found by its address', async () => {
    const { store } = await open()
    const token = {
      address: addressOf(100),
      ...{ symbol: known('A'), name: known('Ay'), decimals: known(6) },
    }
    await store.recordTokens([token])
    const read = (address: typeof token.address) =>
      store.snapshot((snapshot) => snapshot.token(address))
    expect(await read(token.address)).toEqual(token)
    expect(await read(addressOf(101))).toBeNull()
  })
}
