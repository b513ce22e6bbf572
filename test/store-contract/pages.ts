import fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyOrders } from '../../src/domain/views/history.ts'
import type { OpenBench } from './bench.ts'
import { batchOf, day, noOrigin, swapAt } from './fixtures.ts'

const blocks = 60
const secondOf = (block: number): number => day + Math.floor(block / 4)

/** Four blocks a second, many of them without swaps, in the others up to five of three pools. */
const swaps = Array.from({ length: blocks }, (_, block) =>
  Array.from({ length: block % 7 === 3 ? 0 : 1 + ((block * 5) % 5) }, (_none, at) =>
    swapAt(
      { pool: 1 + ((block + at * at) % 3), block, logIndex: at * 2 + (block % 2) },
      {
        ts: secondOf(block),
        usdMicro: block * 10 + at,
        sqrtPriceX96: BigInt(1000 + block * 10 + at),
      },
    ),
  ),
).flat()

const seconds = fc.option(fc.integer({ min: day - 2, max: secondOf(blocks) + 2 }))
const places = fc
  .record({
    block: fc.integer({ min: -1, max: blocks }),
    logIndex: fc.integer({ min: -1, max: 9 }),
  })
  .map((place) => ({ ...place, ts: secondOf(place.block) }))

const drawn = fc.record({
  pool: fc.option(fc.integer({ min: 1, max: 4 })),
  after: fc.option(places),
  fromTs: seconds,
  toTs: seconds,
  order: fc.constantFrom(...historyOrders),
  rowsMax: fc.integer({ min: 1, max: 200 }),
})

/** In the places of the swaps; the price is that of the swap before. */
const changes = swaps.map(({ pool, block, logIndex, ts, txHash }, at) => ({
  ...{ pool, block, logIndex, ts, txHash, ...noOrigin },
  ...{ tickLower: -60, tickUpper: 60, liquidityDelta: BigInt(at - 20) },
  sqrtPriceX96:
    swaps.findLast(
      (swap) =>
        swap.pool === pool &&
        (swap.block < block || (swap.block === block && swap.logIndex < logIndex)),
    )?.sqrtPriceX96 ?? null,
}))

type Drawn = {
  readonly pool: number | null
  readonly after: { readonly block: number; readonly logIndex: number } | null
  readonly fromTs: number | null
  readonly toTs: number | null
  readonly order: (typeof historyOrders)[number]
  readonly rowsMax: number
}

const expectedOf = <Row extends (typeof changes)[number] | (typeof swaps)[number]>(
  rows: readonly Row[],
  { pool, after, fromTs, toTs, order, rowsMax }: Drawn,
): readonly Row[] => {
  const isForward = order === 'asc'
  const inOrder = isForward ? rows : rows.toReversed()
  return inOrder
    .filter((row) => {
      if (pool !== null && row.pool !== pool) return false
      if (row.ts < (fromTs ?? 0) || row.ts > (toTs ?? day * 2)) return false
      const ahead = after === null ? 0 : row.block - after.block || row.logIndex - after.logIndex
      return after === null || (isForward ? ahead > 0 : ahead < 0)
    })
    .slice(0, rowsMax)
}

export const describePages = (open: OpenBench): void => {
  test('pages of events lie behind a place, in either order, within times', async () => {
    const { store } = await open()
    const rest = { swaps, liquidity: changes }
    await store.commitRange(batchOf({ before: null, to: blocks }, rest))
    await fc.assert(
      fc.asyncProperty(drawn, async (query) => {
        const pool = query.pool ?? 1
        const [found, changed] = await store.snapshot((snapshot) =>
          Promise.all([snapshot.swapPage(query), snapshot.liquidityPage({ ...query, pool })]),
        )
        expect(found).toEqual(expectedOf(swaps, query))
        expect(changed).toEqual(expectedOf(changes, { ...query, pool }))
      }),
      { numRuns: 150 },
    )
  })
}
