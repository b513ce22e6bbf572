import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolDetailView, PoolView } from '../../src/domain/views/pool.ts'
import { eventually } from './api.ts'
import {
  type Burned,
  burnAll,
  type ContractState,
  type Decimals,
  readDecimals,
  readStates,
} from './numbers/contracts.ts'
import type { ChainEvent } from './numbers/events.ts'
import { atOneMoment, type Moment, openService } from './numbers/moment.ts'
import { type Replayed, replayAll, tickRowsOf } from './numbers/replay.ts'

/*
 * Records of past blocks, asked for when the chain is further: against the contracts at those
 * blocks, against the logs of long ago, and against what was published at the time.
 */

const service = openService()
afterAll(() => service.stored.close())

/** How far before the moment; the node keeps the states of two hundred blocks. */
const stepsBack = [0, 1, 7, 30]

type Contracts = {
  readonly block: number
  readonly pools: readonly Replayed[]
  readonly states: ReadonlyMap<Hex, ContractState>
  readonly burned: ReadonlyMap<Hex, readonly Burned[]>
}

type Facts = {
  readonly moment: Moment
  readonly details: readonly PoolDetailView[]
  readonly contracts: readonly Contracts[]
  readonly events: readonly ChainEvent[]
  readonly decimals: Decimals
}

let facts: Facts

const detailOf = ({ id }: Pick<PoolView, 'id'>, query: string) =>
  service.api.read<PoolDetailView>(`/api/v1/pools/${id}?${query}`)

/** Details as they are published now, each of its own block: the chain does not wait for them. */
const readPublished = async ({ pools }: Moment): Promise<readonly PoolDetailView[]> => {
  const busiest = pools.toSorted((one, other) => other.swaps24h - one.swaps24h).slice(0, 6)
  return Promise.all(busiest.map((pool) => detailOf(pool, 'range=1h')))
}

beforeAll(async () => {
  const { chain, manifest, stored } = service
  const { moment, found } = await atOneMoment(service, async (read) => {
    const details = await readPublished(read)
    const events = await service.events.upTo(read.block)
    const contracts: Contracts[] = []
    for (const back of stepsBack) {
      const block = read.block - back
      const past = events.filter((event) => event.block <= block)
      const listed = new Set<string>(read.pools.map(({ id }) => id))
      const pools = [...replayAll(past).values()].filter(({ created }) => listed.has(created.pool))
      const states = await readStates(chain, manifest.contracts, pools, block)
      const burned = await burnAll(chain, manifest.contracts, pools, block)
      contracts.push({ block, pools, states, burned })
    }
    const all = contracts.flatMap(({ pools }) => pools)
    const decimals = await readDecimals(chain, all, read.block)
    return { details, events, contracts, decimals }
  })
  facts = { moment, ...found }
  await eventually(
    () => stored.state().block,
    (block) => block > moment.block + 12,
  )
})

/** Null before the first swap of a pool, where no stored row shows its price. */
const recordAt = async (pool: Replayed, query: string): Promise<PoolDetailView | null> => {
  const path = `/api/v1/pools/${pool.created.pool}?range=1h&${query}`
  const { status, text } = await service.api.ask(path)
  if (status === 410) {
    expect(pool.lastSwap, path).toBeNull()
    return null
  }
  expect([path, status]).toEqual([path, 200])
  return JSON.parse(text) as PoolDetailView
}

const textOf = (value: bigint, isInitialised: boolean): string | null =>
  isInitialised ? String(value) : null

/** A reserve may lack a unit for each rounding (numbers-liquidity.test.ts). */
const isPaid = (reserve: number | null, raw: bigint, places: number, roundings: number) =>
  reserve !== null &&
  Math.abs(reserve * 10 ** places - Number(raw)) <= roundings + Number(raw) * 1e-12

const checkReserves = (
  { pool: row }: PoolDetailView,
  { pool, burned }: { readonly pool: Replayed; readonly burned: readonly Burned[] },
): boolean => {
  if (row.reserveSource !== 'ticks') return false
  const paid = (side: keyof Burned) => burned.reduce((sum, amounts) => sum + amounts[side], 0n)
  const [stock, other] = row.stockIsToken0
    ? (['amount0', 'amount1'] as const)
    : (['amount1', 'amount0'] as const)
  const roundings = tickRowsOf(pool).length + burned.length
  for (const [amount, side, token] of [
    [row.stockReserve, stock, row.stockAddress],
    [row.otherReserve, other, row.otherAddress],
  ] as const) {
    const decimals = facts.decimals.get(token) ?? null
    if (decimals === null) continue
    expect(isPaid(amount, paid(side), decimals, roundings), `${row.id} ${side}`).toBe(true)
  }
  return true
}

describe('the record of every pool', () => {
  test('at blocks of before is what the contracts answered at them', async () => {
    let known = 0
    let paid = 0
    for (const { block, pools, states, burned } of facts.contracts) {
      for (const pool of pools) {
        const id = pool.created.pool
        const record = await recordAt(pool, `asOfBlock=${block}`)
        if (record === null) continue
        const { sqrtPriceX96, tick, liquidity } = states.get(id) as ContractState
        const isPriced = sqrtPriceX96 !== 0n
        expect([id, record.pool]).toMatchObject([
          id,
          {
            asOfBlock: block,
            sqrtPriceX96: textOf(sqrtPriceX96, isPriced),
            tick: isPriced ? tick : null,
            liquidity: textOf(liquidity, isPriced),
            lastSwapBlock: pool.lastSwap?.block ?? null,
          },
        ])
        expect(record.past).toMatchObject({ block, complete: true })
        known += 1
        if (checkReserves(record, { pool, burned: burned.get(id) ?? [] })) paid += 1
      }
    }
    const asked = facts.contracts.reduce((sum, { pools }) => sum + pools.length, 0)
    expect(known / asked).toBeGreaterThan(0.9)
    expect(paid).toBeGreaterThan(0.7 * known)
  })

  test('at blocks of long ago is what the logs up to them make', async () => {
    const { events, moment } = facts
    const ids = new Set<string>(moment.pools.map(({ id }) => id))
    const own = events.filter((event) => event.kind !== 'answered' && ids.has(event.pool))
    // Blocks with several events of one pool, and others, over all of the past.
    const keys = own.map((event) =>
      event.kind === 'answered' ? '' : `${event.block} ${event.pool}`,
    )
    const crowded = own.filter((_, at) => keys.indexOf(keys[at] ?? '') !== at)
    expect(crowded.length).toBeGreaterThan(5)
    const places = [0.2, 0.4, 0.6, 0.8, 0.95].flatMap((share) => [
      own[Math.floor(own.length * share)],
      crowded[Math.floor(crowded.length * share)],
    ])
    let known = 0
    for (const place of places) {
      const { block = 0, ts = 0 } = place ?? {}
      const pools = replayAll(events.filter((event) => event.block <= block))
      for (const pool of pools.values()) {
        if (!ids.has(pool.created.pool)) continue
        const record = await recordAt(pool, `asOfBlock=${block}`)
        if (record === null) continue
        const isPriced = pool.sqrtPriceX96 !== null
        expect(record.past).toMatchObject({ block, ts, tsBlock: block })
        expect([block, record.pool]).toMatchObject([
          block,
          {
            id: pool.created.pool,
            sqrtPriceX96: textOf(pool.sqrtPriceX96 ?? 0n, isPriced),
            tick: isPriced ? pool.tick : null,
            lastSwapBlock: pool.lastSwap?.block ?? null,
            lastSwapTs: pool.lastSwap?.ts ?? null,
          },
        ])
        const newest = record.swaps[0]
        if (newest !== undefined) expect(newest.block).toBeLessThanOrEqual(block)
        known += 1
      }
    }
    expect(known).toBeGreaterThan(100)
  })
})

test('a time means the last block up to it', async () => {
  const { moment, contracts } = facts
  const [pool] = moment.pools.filter(({ swaps24h }) => swaps24h > 0)
  for (const { block } of contracts.slice(1)) {
    const byBlock = await detailOf(pool as PoolView, `range=1h&asOfBlock=${block}`)
    const byTime = await detailOf(pool as PoolView, `range=1h&asOfTs=${byBlock.past?.ts}`)
    expect(byTime.past?.ts).toBe(byBlock.past?.ts)
    expect(byTime.past?.block).toBeGreaterThanOrEqual(byBlock.past?.tsBlock ?? 0)
  }
})

/** What a record of the past has of another source than the published one (methodology §11). */
const apart: readonly (keyof PoolView)[] = [
  // References are of the minute before.
  'stockPriceUsd',
  'otherPriceUsd',
  'liquidityUsd',
  'depthUsd',
  'premiumBps',
  'driftBps',
  // What depends on our clock, on sources and on when a pool was last hot.
  'enrichedTs',
  'comparable',
  'hot',
  'dataStatus',
  'statusReasons',
  // What the service judges of the last day only (methodology §5).
  'vol24hFilteredUsd',
  'traders24h',
  'washShare24h',
]

const without = (row: PoolView) =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => !apart.includes(name as keyof PoolView)),
  )

const hasNoBalances = ({ reserveSource }: PoolView, published: PoolView): boolean =>
  published.reserveSource === 'balance' && reserveSource === null

/** What is not kept (methodology §11): a fee that no log says, once another is read; balances. */
const forgotten = (past: PoolView, published: PoolView) => {
  const { protocol, lpFee } = past
  const isFeeGone = protocol === 'slipstream' && lpFee === null
  const areBalancesGone = hasNoBalances(past, published)
  const { feeBlock, stockReserve, otherReserve } = published
  return {
    ...(isFeeGone ? { lpFee: published.lpFee, feeBlock } : {}),
    ...(areBalancesGone ? { reserveSource: 'balance', stockReserve, otherReserve } : {}),
  }
}

const usdNames = ['stockPriceUsd', 'otherPriceUsd', 'depthUsd', 'liquidityUsd'] as const

const isNear = (one: number | null, other: number | null): boolean =>
  one === null || other === null
    ? one === other
    : Math.abs(one - other) <= 0.05 * Math.max(Math.abs(one), Math.abs(other))

describe('what was published at a block', () => {
  test('is what the record of that block says later', async () => {
    let [known, priced] = [0, 0]
    const far: string[] = []
    for (const row of facts.moment.pools) {
      const path = `/api/v1/pools/${row.id}?asOfBlock=${facts.moment.block}`
      const { status, text } = await service.api.ask(path)
      if (status === 410 && row.lastSwapBlock === null) continue
      expect([path, status]).toEqual([path, 200])
      const { pool } = JSON.parse(text) as PoolDetailView
      expect({ ...without(pool), ...forgotten(pool, row) }).toEqual(without(row))
      // The reference of the minute before is near that of the moment, if there was one yet.
      const isMissing = pool.statusReasons.includes('quote_missing')
      for (const name of usdNames) {
        const isAbsent = pool[name] === null && (isMissing || hasNoBalances(pool, row))
        if (isAbsent || isNear(pool[name], row[name])) continue
        far.push(`${row.id} ${name}: ${pool[name]}, not ${row[name]}`)
      }
      priced += isMissing ? 0 : 1
      known += 1
    }
    expect(far).toEqual([])
    expect(priced).toBeGreaterThan(20)
    expect(known).toBeGreaterThan(50)
  })

  test('has the same series and swaps later', async () => {
    const { details } = facts
    expect(details.length).toBeGreaterThan(0)
    for (const published of details) {
      const { id, asOfBlock } = published.pool
      const later = await detailOf(published.pool, `range=1h&asOfBlock=${asOfBlock}`)
      expect(later.swaps, id).toEqual(published.swaps)
      const chainOf = ({ series }: PoolDetailView) =>
        series.map(({ ts, open, high, low, close, volumeUsd, swaps, closed }) => ({
          ...{ ts, open, high, low, close, volumeUsd, swaps, closed },
        }))
      expect(chainOf(later), id).toEqual(chainOf(published))
      const closed = ({ series }: PoolDetailView) => series.filter((row) => row.closed)
      expect(closed(later), id).toEqual(closed(published))
    }
  })
})
