import { expect, test } from 'vitest'
import { policyDefault } from '../../src/domain/status/freshness.ts'
import { createMarket } from '../../src/market/create-market.ts'
import { tokens } from '../support/domain/sample-market.ts'
import { beaconStandard } from '../support/domain/sample-standard.ts'
import { blockTs } from '../support/indexer/long-chain.ts'
import {
  createSampleWorld,
  openMemoryStore,
  origin,
  simulateActivity,
  startManualIndexer,
  ticksOf,
} from '../support/indexer/sample-world.ts'
import { anyPool } from '../support/market/sample-market.ts'

const last = 60_000
const say = (): void => {}

// Rows while a long chain is read for the first time, as a client of the API sees them.
//
//   discover   a row per pool: who it is; no state, `index_gap`
//   liquidity  the same, its map is on the way
//   state      price and liquidity, all at once and of one block; volumes unknown, `index_gap`
//   swaps      the last hour, then the last day: volumes
test('rows appear with the pools and get better step by step', async () => {
  const world = createSampleWorld()
  simulateActivity(world, { from: origin, to: last, acts: 240 }, [])
  const { node } = world.chain
  node.logsMax = 2
  const store = openMemoryStore()
  const running = await startManualIndexer(world.chain, { bootstrapBlocksMin: 1000, store })
  const market = createMarket({
    store,
    clock: { now: () => blockTs(node.head) },
    logger: { debug: say, info: say, warn: say, error: say },
    policy: policyDefault,
    reviewedHooks: new Map(),
    standardOf: beaconStandard(null),
    venues: new Map(),
    trusted: [
      { symbol: 'USDG', address: tokens.usdg },
      { symbol: 'WETH', address: tokens.weth },
    ],
    methodologyVersion: '1.2.0',
    network: { name: 'sample', chainId: 4663 },
    isScreenerEnabled: false,
  })

  const look = async () => {
    await market.refresh()
    const { items, total } = await market.pools(anyPool)
    const { phase } = market.status().chain.backfill
    const count = (isSo: (row: (typeof items)[number]) => boolean) => items.filter(isSo).length
    return {
      phase,
      total,
      gaps: count(({ statusReasons }) => statusReasons.includes('index_gap')),
      volumes: count(({ vol24hUsd }) => vol24hUsd !== null),
      prices: count(({ stockPriceInOther }) => stockPriceInOther !== null),
      unavailable: count(({ dataStatus }) => dataStatus === 'unavailable'),
      ticks: (await ticksOf(store)).length,
    }
  }

  const seen: Awaited<ReturnType<typeof look>>[] = []
  for (let steps = 0; steps < 200; steps++) {
    await running.follow(1)
    seen.push(await look())
    if (seen.at(-1)?.phase === 'swaps') break
  }
  node.logsMax = 100
  for (const rows of seen.slice(0, -1)) {
    expect(rows).toMatchObject({ gaps: rows.total, volumes: 0, prices: 0, unavailable: rows.total })
  }
  const totals = seen.map(({ total }) => total)
  expect(totals).toEqual(totals.toSorted((a, b) => a - b))
  expect(totals[0]).toBeLessThan(5)
  const mapping = seen.filter(({ phase }) => phase === 'liquidity').map(({ ticks }) => ticks)
  expect(new Set(mapping).size).toBeGreaterThan(2)
  expect(seen.at(-1)).toMatchObject({ total: 5, gaps: 5, prices: 5, volumes: 0, unavailable: 0 })

  expect(await running.follow()).toBe(true)
  expect(await running.backfill()).toBe(true)
  expect(await look()).toMatchObject({ phase: 'done', gaps: 0, volumes: 5, prices: 5 })
})
