import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolSeriesRow, PoolView } from '../../src/domain/views/pool.ts'
import { eventually, sleep } from './api.ts'
import { type Decimals, readDecimals } from './numbers/contracts.ts'
import { atOneMoment, type Moment, openService } from './numbers/moment.ts'
import { type PricedSwap, priceSwaps, type Roles, rolesOf, usdOfSwap } from './numbers/pricing.ts'
import { type Pools, replayAll } from './numbers/replay.ts'
import { liveFromTsOf, type StoredPoint, type StoredSwap } from './numbers/stored.ts'
import { countedAt, swapsByPool, volumeOf } from './numbers/volume.ts'

/*
 * The swaps of the store against the logs, each one's dollars against the prices of its own time,
 * and the windows of the API recounted from them (docs/methodology.md §5, §6).
 */

const service = openService()
afterAll(() => service.stored.close())

type Facts = {
  readonly moment: Moment
  readonly roles: Roles
  readonly decimals: Decimals
  readonly pools: Pools
  readonly priced: readonly PricedSwap[]
  readonly swaps: readonly StoredSwap[]
  readonly points: readonly StoredPoint[]
}

let facts: Facts

beforeAll(async () => {
  const { chain, manifest, stored } = service
  const { moment, found } = await atOneMoment(service, async ({ block }) => {
    const events = await service.events.upTo(block)
    const pools = replayAll(events)
    return { events, pools, decimals: await readDecimals(chain, [...pools.values()], block) }
  })
  const { events, pools, decimals } = found
  const roles = rolesOf(manifest)
  const priced = priceSwaps(events, { roles, decimals })
  const swaps = stored.swaps(moment.block)
  facts = { moment, roles, pools, decimals, priced, swaps, points: stored.references(60) }
})

test('every swap of every pool is stored once, as its log has it', () => {
  const expected = facts.priced.map(({ kind: _, usd: __, ...swap }) => swap)
  const stored = facts.swaps.map(
    ({ usdMicro: _, estimated: __, implausible: ___, ...swap }) => swap,
  )
  expect(stored).toEqual(expected)
  expect(expected.length).toBeGreaterThan(3000)
})

/** Both lists are in chain order and of the same swaps. */
const pairs = () =>
  facts.swaps.flatMap((stored, index) => {
    const expected = facts.priced[index]
    return expected === undefined ? [] : [{ stored, expected }]
  })

const isPast = ({ ts }: { readonly ts: number }): boolean => ts < liveFromTsOf(facts.points)

/** On a busy machine quotes are in force for minutes before the first block stores them. */
const startSeconds = 300
const isBeforeQuotes = ({ ts }: { readonly ts: number }): boolean =>
  ts < liveFromTsOf(facts.points) - startSeconds

const nameOf = ({ txHash, logIndex }: StoredSwap): string => `${txHash} ${logIndex}`

/** References move within the minute whose close is kept, and the first minute is not whole. */
const toleranceAt = (ts: number): number => (ts < liveFromTsOf(facts.points) + 60 ? 0.03 : 0.01)

/** The recorded reference of the minute, else of the one before it. */
const createReferences = () => {
  const byToken = new Map<Hex, StoredPoint[]>()
  for (const point of facts.points) {
    const points = byToken.get(point.address)
    if (points === undefined) byToken.set(point.address, [point])
    else points.push(point)
  }
  return (token: Hex, ts: number): number | null =>
    byToken.get(token)?.findLast((point) => point.ts <= ts)?.usd ?? null
}

const otherPoolShareMax = 0.01

describe('the dollars of a swap', () => {
  test('of the past are those of the feeds and deepest pools of its own time', () => {
    const past = pairs().filter(({ expected }) => isBeforeQuotes(expected))
    expect(past.length).toBeGreaterThan(3000)
    const known = past.filter(({ expected }) => expected.usd !== null)
    expect(known.length).toBeGreaterThan(3000)
    const others = known.filter(({ stored, expected }) => {
      const micro = (expected.usd ?? Number.NaN) * 1e6
      const gap = Math.abs((stored.usdMicro ?? Number.NaN) - micro)
      return stored.estimated || !(gap < 0.501 + 1e-12 * micro)
    })
    // The backfill knows nothing of the minutes before the first state of a range (methodology §8).
    const names = others.map(({ stored }) => nameOf(stored))
    expect(names.length, names.join(', ')).toBeLessThan(known.length * otherPoolShareMax)
    // Without a pool that is deep and old enough the nearest known reference values a swap.
    expect(past.length - known.length).toBeLessThan(past.length * otherPoolShareMax)
  })

  test('of the present are those of the references that were recorded at its minute', () => {
    const live = pairs().filter(({ expected }) => !isPast(expected))
    expect(live.length).toBeGreaterThan(0)
    const usdAt = createReferences()
    for (const { stored } of live) {
      const { key } = facts.pools.get(stored.pool)?.created ?? {}
      const usd = key === undefined ? null : usdOfSwap(stored, key, { ...facts, usdAt })
      const gap = Math.abs((stored.usdMicro ?? Number.NaN) / 1e6 - (usd ?? Number.NaN))
      const message = `${nameOf(stored)}: ${stored.usdMicro}, not ${usd}`
      expect(gap, message).toBeLessThan(2e-6 + toleranceAt(stored.ts) * (usd ?? 0))
    }
  })
})

const readingsWanted = 12
const readingsWaitMs = 250

test('the volumes of each reply are the sums over the windows that end at its head', async () => {
  const { chain, stored, api } = service
  const readings: (readonly PoolView[])[] = [facts.moment.pools]
  while (readings.length < readingsWanted) {
    readings.push(await api.readAll<PoolView>('/api/v1/pools'))
    await sleep(readingsWaitMs)
  }
  const rows = readings.flat()
  const blocks = [...new Set(rows.map((row) => row.asOfBlock ?? 0))]
  const times = await chain.blockTimes(blocks)
  const byPool = swapsByPool(stored.swaps(Math.max(...blocks)))
  for (const row of rows) {
    const own = byPool.get(row.id) ?? []
    const upTo = own.filter(({ block }) => block <= (row.asOfBlock ?? 0))
    expect(volumeOf(row), row.id).toEqual(countedAt(upTo, times.get(row.asOfBlock ?? 0) ?? 0))
  }
  expect(rows.some((row) => (row.vol1hUsd ?? 0) > 0)).toBe(true)
})

const hotSwapSeconds = 900
const hotHoldSeconds = 1800

/** Whether a pool is hot for its liquidity or volume, given that it is active and traded. */
const isBusy = (vol1hUsd: number | null, liquidityUsd: number | null): boolean =>
  (vol1hUsd ?? 0) >= 1000 || (liquidityUsd ?? 0) >= 50_000

describe('hot', () => {
  test('is every pool whose conditions hold, within a minute', async () => {
    const isMissed = (row: PoolView): boolean =>
      !row.hot &&
      row.active &&
      (row.stateTs ?? 0) - (row.lastSwapTs ?? 0) <= hotSwapSeconds &&
      isBusy(row.vol1hUsd, row.liquidityUsd)
    await eventually(
      () => service.api.readAll<PoolView>('/api/v1/pools'),
      (rows) => !rows.some(isMissed) && rows.some(({ hot }) => hot),
    )
  })

  test('is no pool whose conditions did not hold within half an hour', async () => {
    const { pools, ts } = facts.moment
    const byPool = swapsByPool(facts.swaps)
    const sinceTs = ts - hotHoldSeconds
    for (const row of pools.filter(({ hot }) => hot)) {
      expect(row.active, row.id).toBe(true)
      const swaps = byPool.get(row.id) ?? []
      // Conditions begin to hold with a swap, so it is enough to look at these and at both ends.
      const times = [sinceTs, ts, ...swaps.map((swap) => swap.ts)].filter(
        (at) =>
          at >= sinceTs && swaps.some((swap) => swap.ts <= at && at - swap.ts <= hotSwapSeconds),
      )
      expect(times.length, row.id).toBeGreaterThan(0)
      if (times.some((at) => isBusy(countedAt(swaps, at).vol1hUsd, row.liquidityUsd))) continue
      const { series } = await service.api.read<{ series: readonly PoolSeriesRow[] }>(
        `/api/v1/pools/${row.id}?range=1h`,
      )
      expect(
        series.some(({ liquidityUsd }) => isBusy(null, liquidityUsd)),
        row.id,
      ).toBe(true)
    }
  })
})
