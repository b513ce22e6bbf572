import fc from 'fast-check'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { recount as candlesOf } from '../../test/store-contract/candles.ts'
import { batchOf } from '../../test/store-contract/fixtures.ts'
import { startServer } from '../../test/support/api/harness.ts'
import {
  postgresLocation,
  type StoreLocation,
  sqliteLocation,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'
import { noon, stateOf } from '../../test/support/domain/sample-inputs.ts'
import {
  allTokens,
  anchorAt,
  marketOver,
  quotesAt,
  samplePools,
  stocks,
  swapOf,
} from '../../test/support/market/sample-market.ts'
import { type StoredSwap, usdMicroMax } from '../domain/pool/stored-rows.ts'
import type { PoolDetailView, PoolView } from '../domain/views/pool.ts'
import type { Store } from '../ports/store.ts'

/*
 * Thousands of swaps of the largest value that is stored, in one window: 3,000 of them are more
 * than a signed 64-bit integer holds in millionths.
 */

const server = await startPostgres()
afterAll(server.dispose)

const hour = 3600
const pools = [samplePools.canonical, samplePools.meme]
const identities = pools.map(
  ({ number, id, version, protocol, venue, key, createdBlock, createdTs }) => ({
    ...{ number, id, version, protocol, venue, key, createdBlock, createdTs },
  }),
)

const anyStep = fc.record({
  wait: fc.constantFrom(1, 60, hour - 1, hour, 5 * hour, 23 * hour),
  count: fc.constantFrom(1, 700, 1500),
  pool: fc.constantFrom(...pools.map(({ number }) => number)),
  usdMicro: fc.constantFrom(usdMicroMax, usdMicroMax, usdMicroMax - 1, 7),
})
const anySteps = fc.array(anyStep, { minLength: 3, maxLength: 6 })

const prepare = async (store: Store): Promise<void> => {
  await store.claim({ chainId: 4663, network: 'sample', originHash: `0x${'0'.repeat(64)}` }, noon)
  await store.recordTokens(allTokens)
  await store.recordStocks(stocks)
  const rest = { ts: noon, references: [], reserves: [], hot: [] }
  await store.recordEnrichment({ ...rest, quotes: quotesAt(noon) })
}

/** Dollars of a pool's swaps in the window that ends at `ts`. */
const sumOf = (swaps: readonly StoredSwap[], pool: number, [ts, seconds]: [number, number]) => {
  const own = swaps.filter((swap) => swap.pool === pool && swap.ts > ts - seconds)
  const micro = own.reduce((sum, { usdMicro }) => sum + BigInt(usdMicro ?? 0), 0n)
  return { usd: Number(micro) / 1e6, implausible: own.some((swap) => swap.implausible) }
}

const isFiniteNumber = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value)

/** Every dollar of every answer is a number. */
const checkAnswers = async (market: ReturnType<typeof marketOver>['market'], ts: number) => {
  const serving = await startServer({ market, clock: { now: () => ts } })
  const { items } = (await serving.request('/api/v1/pools?limit=50')).json()
  for (const row of items as PoolView[]) {
    expect([row.vol1hUsd, row.vol24hUsd].every(isFiniteNumber)).toBe(true)
    for (const range of ['1h', '24h', '7d', 'all']) {
      const reply = await serving.request(`/api/v1/pools/${row.id}?range=${range}`)
      const { series, swaps } = reply.json() as PoolDetailView
      expect(series.every(({ volumeUsd }) => isFiniteNumber(volumeUsd))).toBe(true)
      expect(swaps.every(({ amountUsd }) => isFiniteNumber(amountUsd))).toBe(true)
    }
  }
  for (const stock of (await serving.request('/api/v1/stocks')).json().items) {
    expect(isFiniteNumber(stock.vol24hUsd)).toBe(true)
  }
  expect((await serving.request('/metrics')).status).toBe(200)
  await serving.close()
}

const followTo = async (
  home: StoreLocation,
  steps: readonly (typeof anyStep extends fc.Arbitrary<infer T> ? T : never)[],
) => {
  const store = unwrap(await home.openStore())
  await prepare(store)
  const { market, clock } = marketOver(store)
  const swaps: StoredSwap[] = []
  for (const [at, { wait, count, pool, usdMicro }] of steps.entries()) {
    clock.ts += wait
    const ts = clock.ts
    const values = { pool, ts, usdMicro, implausible: usdMicro > 7 }
    const own = Array.from({ length: count }, (_, logIndex) =>
      swapOf(1000 + at, { ...values, logIndex }),
    )
    swaps.push(...own)
    const lastSwap = { lastSwapTs: ts, lastSwapBlock: 1000 + at }
    const range = { before: at === 0 ? null : 999 + at, to: 1000 + at }
    await store.commitRange(
      batchOf(range, {
        ...{ to: anchorAt(1000 + at, ts), swaps: own, candles: candlesOf(own) },
        pools: at === 0 ? identities : [],
        states: [{ pool, state: stateOf(lastSwap) }],
      }),
    )
    const rows = async (each: typeof market) => {
      await each.refresh()
      return Promise.all(pools.map(async ({ id }) => (await each.pool(id, '1h'))?.pool))
    }
    const fresh = marketOver(store)
    fresh.clock.ts = ts
    const followed = await rows(market)
    expect(followed).toEqual(await rows(fresh.market))
    for (const [index, { number }] of pools.entries()) {
      const day = sumOf(swaps, number, [ts, 24 * hour])
      expect(followed[index]).toMatchObject({
        vol1hUsd: sumOf(swaps, number, [ts, hour]).usd,
        vol24hUsd: day.usd,
      })
      const reasons = followed[index]?.statusReasons ?? []
      expect(reasons.includes('volume_implausible')).toBe(day.implausible)
    }
  }
  await checkAnswers(market, clock.ts)
  await store.close()
}

describe('thousands of the largest swaps in one window', () => {
  test.each(['SQLite', 'PostgreSQL'])(
    '%s: every sum is exact and every answer a number',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(anySteps, async (steps) => {
          const home =
            name === 'SQLite'
              ? sqliteLocation(temporaryFolder(onTestFinished))
              : postgresLocation(await server.createDatabase())
          await followTo(home, steps)
        }),
        {
          numRuns: 4,
          examples: [
            [
              [
                { wait: 1, count: 1500, pool: pools[0]?.number ?? 1, usdMicro: usdMicroMax },
                { wait: hour, count: 1500, pool: pools[0]?.number ?? 1, usdMicro: usdMicroMax },
                { wait: 60, count: 1500, pool: pools[0]?.number ?? 1, usdMicro: usdMicroMax },
                { wait: 23 * hour, count: 1, pool: pools[1]?.number ?? 2, usdMicro: 7 },
              ],
            ],
          ],
        },
      )
    },
    120_000,
  )
})
