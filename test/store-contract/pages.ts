import fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyOrders } from '../../src/domain/views/history.ts'
import type { StoredSwapFilter } from '../../src/ports/store-history.ts'
import type { OpenBench } from './bench.ts'
import { addressOf, batchOf, day, noOrigin, swapAt } from './fixtures.ts'

const blocks = 60
const secondOf = (block: number): number => day + Math.floor(block / 4)

/** Four blocks a second, many of them without swaps, in the others up to five of three pools. */
const swaps = Array.from({ length: blocks }, (_, block) =>
  Array.from({ length: block % 7 === 3 ? 0 : 1 + ((block * 5) % 5) }, (_none, at) =>
    swapAt(
      { pool: 1 + ((block + at * at) % 3), block, logIndex: at * 2 + (block % 2) },
      {
        ts: secondOf(block),
        // Some have no value or no known trader.
        usdMicro: block % 9 === 4 ? null : block * 10 + at,
        sender: addressOf(20 + (block % 3)),
        trader: at % 2 === 0 ? addressOf(30 + (block % 2)) : null,
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

const filters = fc.record({
  pools: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 4 }))),
  usdMicroMin: fc.option(fc.integer({ min: 0, max: blocks * 10 })),
  sender: fc.option(fc.constantFrom(addressOf(20), addressOf(22), addressOf(29))),
  trader: fc.option(fc.constantFrom(addressOf(30), addressOf(31), addressOf(39))),
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

const foundOf = (
  query: Drawn,
  { pools, usdMicroMin, sender, trader }: StoredSwapFilter,
  searchedMax: number,
) =>
  expectedOf(swaps, { ...query, rowsMax: searchedMax })
    .map((swap, at) => ({ swap, place: at + 1 }))
    .filter(({ swap, place }) => {
      if (place === searchedMax) return true
      if (pools !== null && !pools.includes(swap.pool)) return false
      if (usdMicroMin !== null && (swap.usdMicro === null || swap.usdMicro < usdMicroMin)) {
        return false
      }
      if (sender !== null && swap.sender !== sender) return false
      return trader === null || swap.trader === trader
    })
    .slice(0, query.rowsMax)

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

  test('a search finds what matches among so many swaps, and the last of them', async () => {
    const { store } = await open()
    await store.commitRange(batchOf({ before: null, to: blocks }, { swaps, liquidity: changes }))
    const searches = fc.integer({ min: 1, max: 200 })
    await fc.assert(
      fc.asyncProperty(drawn, filters, searches, async (query, filter, searchedMax) => {
        const search = { ...query, filter, searchedMax }
        const found = await store.snapshot((snapshot) => snapshot.searchSwaps(search))
        expect(found).toEqual(foundOf(query, filter, searchedMax))
      }),
      { numRuns: 150 },
    )
  })
}
