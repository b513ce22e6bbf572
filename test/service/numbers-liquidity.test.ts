import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Burned,
  burnAll,
  type Decimals,
  readDecimals,
  readTicks,
} from './numbers/contracts.ts'
import { depthOf } from './numbers/depth.ts'
import { approx, type Fraction, relativeError, wholeOf } from './numbers/exact.ts'
import { atOneMoment, type Moment, openService } from './numbers/moment.ts'
import {
  principalOf,
  type Replayed,
  replayAll,
  type TickRow,
  tickRowsOf,
} from './numbers/replay.ts'

/*
 * Where each pool's liquidity lies and what it is worth in tokens, to the wei: the service's store
 * against the contracts' own tick tables, and against what burning every position would pay.
 */

const service = openService()
afterAll(() => service.stored.close())

type Facts = {
  readonly moment: Moment
  readonly pools: readonly Replayed[]
  readonly ticks: ReadonlyMap<Hex, readonly TickRow[]>
  readonly burned: ReadonlyMap<Hex, readonly Burned[]>
  readonly decimals: Decimals
}

let facts: Facts

beforeAll(async () => {
  const { chain, manifest } = service
  const { moment, found } = await atOneMoment(service, async ({ block, stored }) => {
    const all = replayAll(await service.events.upTo(block))
    const pools = [...all.values()].filter(({ created }) => stored.pools.has(created.pool))
    const burned = await burnAll(chain, manifest.contracts, pools, block)
    const ticks = await readTicks(chain, manifest.contracts, pools, block)
    const decimals = await readDecimals(chain, pools, block)
    return { pools, burned, ticks, decimals }
  })
  facts = { moment, ...found }
})

/** Every indexed pool with its served row. */
const each = () =>
  facts.pools.flatMap((pool) => {
    const stored = facts.moment.stored.pools.get(pool.created.pool)
    const burned = facts.burned.get(pool.created.pool) ?? []
    const row = facts.moment.pools.find(({ id }) => id === pool.created.pool) ?? null
    return stored === undefined ? [] : [{ id: pool.created.pool, pool, stored, burned, row }]
  })

test('stores exactly the ticks of each contract', () => {
  const onChain = Object.fromEntries(facts.ticks)
  expect(Object.fromEntries(facts.moment.stored.ticks)).toEqual(onChain)
  expect(Object.values(onChain).flat().length).toBeGreaterThan(300)
})

test('the ticks match the positions in the logs', () => {
  const positions = facts.pools.map((pool) => [pool.created.pool, tickRowsOf(pool)])
  expect(Object.fromEntries(positions)).toEqual(Object.fromEntries(facts.ticks))
})

describe('the reserves of a pool', () => {
  // A burn rounds down each position, the liquidity map each segment between two ticks.
  test('are what burning all positions pays, but for less than a unit for each rounding', () => {
    const wrong = each().filter(({ pool, stored, burned }) => {
      const segments = BigInt(Math.max(0, tickRowsOf(pool).length - 1))
      const [least, most] = [-segments, BigInt(burned.length)]
      const isNear = (reserve: bigint | null, side: keyof Burned): boolean => {
        const paid = burned.reduce((sum, amounts) => sum + amounts[side], 0n)
        if (reserve === null) return false
        return reserve === paid || (least < reserve - paid && reserve - paid < most)
      }
      return !isNear(stored.reserve0, 'amount0') || !isNear(stored.reserve1, 'amount1')
    })
    expect(wrong).toEqual([])
  })

  test('are to the wei what burning pays where there is one position', () => {
    const alone = each().filter(({ burned }) => burned.length === 1)
    expect(alone.length).toBeGreaterThanOrEqual(2)
    for (const { stored, burned } of alone) {
      const { reserve0: amount0, reserve1: amount1 } = stored
      expect({ amount0, amount1 }).toEqual(burned[0])
    }
  })

  test('follow from the definition of concentrated liquidity', () => {
    for (const { id, pool, stored } of each()) {
      for (const [side, reserve] of [stored.reserve0, stored.reserve1].entries()) {
        const expected = principalOf(pool)[side] as Fraction
        const gap = Math.abs(Number(reserve) - approx(expected))
        const rounding = Math.max(1, tickRowsOf(pool).length)
        expect(gap, `${id} side ${side}`).toBeLessThan(rounding + 1e-9 * approx(expected))
      }
    }
  })

  test('are nothing without a position, and never negative', () => {
    const empty = each().filter(({ burned }) => burned.length === 0)
    expect(empty.length).toBeGreaterThanOrEqual(5)
    for (const { stored } of empty) expect([stored.reserve0, stored.reserve1]).toEqual([0n, 0n])
    for (const { stored } of each()) {
      expect(stored.reserve0).toBeGreaterThanOrEqual(0n)
      expect(stored.reserve1).toBeGreaterThanOrEqual(0n)
    }
  })

  test('are served in whole tokens', () => {
    const served = each().flatMap(({ stored, row }) =>
      row?.reserveSource === 'ticks' ? [{ stored, row }] : [],
    )
    expect(served.length).toBeGreaterThanOrEqual(45)
    for (const { stored, row } of served) {
      const [stock, other] = row.stockIsToken0
        ? [stored.reserve0, stored.reserve1]
        : [stored.reserve1, stored.reserve0]
      for (const [amount, raw, token] of [
        [row.stockReserve, stock, row.stockAddress],
        [row.otherReserve, other, row.otherAddress],
      ] as const) {
        const decimals = facts.decimals.get(token) ?? null
        const isExact =
          decimals === null
            ? amount === null
            : relativeError(amount ?? Number.NaN, wholeOf(raw ?? -1n, decimals)) < 1e-15
        expect(isExact, `${row.id} holds ${amount} of ${token}, raw ${raw}`).toBe(true)
      }
    }
  })
})

test('the depth of a pool is what moves its price by 2 %, the less of the two directions', () => {
  const deep = each().filter(({ id, pool, stored }) => {
    for (const side of [0, 1] as const) {
      const expected = depthOf(pool, side) ?? 0n
      const depth = side === 0 ? stored.depth0 : stored.depth1
      const gap = Math.abs(Number((depth ?? -1n) - expected))
      const rounding = Math.max(2, tickRowsOf(pool).length)
      expect(gap, `${id} side ${side}`).toBeLessThan(rounding + 1e-9 * Number(expected))
    }
    return (stored.depth0 ?? 0n) > 0n
  })
  expect(deep.length).toBeGreaterThanOrEqual(40)
})
