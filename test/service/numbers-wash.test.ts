import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { eventually } from './api.ts'
import { openService } from './numbers/moment.ts'
import type { StoredSwap } from './numbers/stored.ts'

/*
 * The sandbox's wash bots and its honest traders, which differ by their accounts, against what the
 * service leaves out of the volume (docs/methodology.md §5).
 */

const service = openService()
afterAll(() => service.stored.close())

const secondsPerDay = 86_400

type Traded = StoredSwap & { readonly trader: string | null }

let rows: readonly PoolView[]
let swaps: readonly Traded[]

/** Rows of one moment or another, of which each has all of its figures. */
beforeAll(async () => {
  const { api, stored } = service
  rows = await eventually(
    () => api.readAll<PoolView>('/api/v1/pools'),
    (all) =>
      all.length > 0 &&
      all.every((row) => (row.vol24hUsd === null) === (row.vol24hFilteredUsd === null)),
  )
  const block = Math.max(...rows.map(({ asOfBlock }) => asOfBlock ?? 0))
  const traders = stored.traders(block)
  swaps = stored.swaps(block).map((swap, at) => ({ ...swap, trader: traders[at]?.trader ?? null }))
})

const { washers } = service.manifest.accounts
const isWasher = ({ trader }: Traded): boolean => washers.some((washer) => washer === trader)

const swapsOf = ({ id, asOfBlock, stateTs }: PoolView): readonly Traded[] =>
  swaps.filter(
    ({ pool, block, ts }) =>
      pool === id && block <= (asOfBlock ?? -1) && ts > (stateTs ?? 0) - secondsPerDay,
  )

const usdOf = (own: readonly Traded[]): number =>
  own.reduce((sum, { usdMicro }) => sum + (usdMicro ?? 0), 0) / 1e6

const rowOf = (role: string): PoolView => {
  const { id } = service.manifest.pools.find(({ roles }) => roles.includes(role)) ?? {}
  const row = rows.find((each) => each.id === id)
  if (row === undefined) throw new Error(`no pool has the role ${role}`)
  return row
}

test.each(['wash-round-trip', 'wash-flash'])('%s: exactly the bot is left out', (role) => {
  const row = rowOf(role)
  const own = swapsOf(row)
  const counted = own.filter((swap) => !isWasher(swap) && !swap.implausible)
  expect(own.length - counted.length).toBeGreaterThanOrEqual(20)
  expect(row.vol24hFilteredUsd).toBeCloseTo(usdOf(counted), 6)
})

test.each(['wash-ping-pong', 'wash-ring'])('%s: the bot is left out, and no one else', (role) => {
  const row = rowOf(role)
  const own = swapsOf(row)
  const washed = own.filter(isWasher)
  expect(washed.length).toBeGreaterThanOrEqual(20)
  const honestUsd = usdOf(own.filter((swap) => !isWasher(swap)))
  // A purchase whose sale is still to come counts, and a sale that happened to gain.
  expect(row.vol24hFilteredUsd).toBeGreaterThanOrEqual(honestUsd - 1e-6)
  expect(row.vol24hFilteredUsd).toBeLessThanOrEqual(honestUsd + 0.2 * usdOf(washed))
})

test('honest traders are spared in every pool, the busy ones too', () => {
  const honest = rows.filter((row) => (row.vol24hUsd ?? 0) > 0 && !swapsOf(row).some(isWasher))
  expect(honest.length).toBeGreaterThan(30)
  expect(Math.max(...honest.map(({ swaps24h }) => swaps24h))).toBeGreaterThan(200)
  for (const row of honest) {
    const implausible = swapsOf(row).filter((swap) => swap.implausible)
    const left = (row.vol24hUsd ?? 0) - (row.vol24hFilteredUsd ?? 0)
    expect(left, row.id).toBeCloseTo(usdOf(implausible), 6)
  }
})

test('the traders of a pool are the senders of its transactions', () => {
  for (const row of rows.filter(({ traders24h }) => traders24h !== null)) {
    const known = new Set(swapsOf(row).flatMap(({ trader }) => trader ?? []))
    // Those of the last minute may still be read.
    expect(row.traders24h, row.id).toBeLessThanOrEqual(known.size)
    const settled = swapsOf(row).filter(({ ts }) => ts < (row.stateTs ?? 0) - 60)
    const before = new Set(settled.flatMap(({ trader }) => trader ?? []))
    expect(row.traders24h, row.id).toBeGreaterThanOrEqual(before.size)
  }
})
