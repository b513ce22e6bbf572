import { expect, test } from 'vitest'
import { noon } from '../../test/support/domain/sample-inputs.ts'
import { marketOver, samplePools, sampleStore } from '../../test/support/market/sample-market.ts'

/*
 * What a screener says of a pool stands beside its record, and takes the place of reserves only
 * where there are no others.
 */

const { pair } = samplePools
const row = { pool: pair.number, source: 'screener', ts: noon } as const
const unmapped = { ...pair, reserves: null, mapFault: 'index_gap' } as const

const told = async (...given: Parameters<ReturnType<typeof sampleStore>['write']>) => {
  const store = sampleStore()
  const { market } = marketOver(store)
  store.write(...given)
  await market.refresh()
  const detail = await market.pool(pair.id, '1h')
  if (detail === null) throw new Error('the sample pool is not listed')
  return detail
}

test('nobody has said anything', async () => {
  expect((await told({})).screener).toBeNull()
})

test('what it says is shown beside what we say', async () => {
  const before = await told({})
  const liquidityUsd = (before.pool.liquidityUsd ?? 0) * 2
  const reserves = [{ ...row, amount0: 9, amount1: 9, liquidityUsd }]
  const { pool, screener } = await told({ reserves })
  expect(screener).toEqual({ liquidityUsd, ts: noon, differenceBps: 10_000, agrees: false })
  expect(pool).toEqual(before.pool)
})

test('without a map it is the last resort, and no witness for itself', async () => {
  const reserves = [{ ...row, amount0: 9, amount1: 8, liquidityUsd: 7 }]
  const { pool, screener } = await told({ pools: [unmapped], reserves })
  expect(pool).toMatchObject({ reserveSource: 'screener', stockReserve: 9, otherReserve: 8 })
  expect(pool.comparable).toBe(false)
  expect(screener).toEqual({ liquidityUsd: 7, ts: noon, differenceBps: null, agrees: null })
})

test('one that tells a worth and no tokens is no resort', async () => {
  const reserves = [{ ...row, amount0: null, amount1: null, liquidityUsd: 7 }]
  const { pool, screener } = await told({ pools: [unmapped], reserves })
  expect(pool).toMatchObject({ reserveSource: null, enrichedTs: null, stockReserve: null })
  expect(pool.statusReasons).toContain('reserve_missing')
  expect(screener).toMatchObject({ liquidityUsd: 7 })
})

test('half a balance gives way to a screener that tells both sides', async () => {
  const balance = { ...row, source: 'balance', amount0: 4, liquidityUsd: null } as const
  const screener = { ...row, amount0: 9, amount1: 8, liquidityUsd: null } as const
  const sourceWith = async (amount1: number | null) => {
    const reserves = [{ ...balance, amount1 }, screener]
    return (await told({ pools: [unmapped], reserves })).pool.reserveSource
  }
  expect([await sourceWith(5), await sourceWith(null)]).toEqual(['balance', 'screener'])
})
