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

const readDetail = async (...given: Parameters<ReturnType<typeof sampleStore>['write']>) => {
  const store = sampleStore()
  const { market } = marketOver(store)
  store.write(...given)
  await market.refresh()
  const detail = await market.pool(pair.id, '1h')
  if (detail === null) throw new Error('the sample pool is not listed')
  return detail
}

test('reports no screener check without a screener row', async () => {
  expect((await readDetail({})).screener).toBeNull()
})

test('shows the screener figure beside the computed liquidity', async () => {
  const before = await readDetail({})
  const liquidityUsd = (before.pool.liquidityUsd ?? 0) * 2
  const reserves = [{ ...row, amount0: 9, amount1: 9, liquidityUsd }]
  const { pool, screener } = await readDetail({ reserves })
  expect(screener).toEqual({ liquidityUsd, ts: noon, differenceBps: 10_000, agrees: false })
  expect(pool).toEqual(before.pool)
})

test('uses screener reserves without a tick map, and then has no screener check', async () => {
  const reserves = [{ ...row, amount0: 9, amount1: 8, liquidityUsd: 7 }]
  const { pool, screener } = await readDetail({ pools: [unmapped], reserves })
  expect(pool).toMatchObject({ reserveSource: 'screener', stockReserve: 9, otherReserve: 8 })
  expect(pool.comparable).toBe(false)
  expect(screener).toEqual({ liquidityUsd: 7, ts: noon, differenceBps: null, agrees: null })
})

test('ignores a screener row without token amounts', async () => {
  const reserves = [{ ...row, amount0: null, amount1: null, liquidityUsd: 7 }]
  const { pool, screener } = await readDetail({ pools: [unmapped], reserves })
  expect(pool).toMatchObject({ reserveSource: null, enrichedTs: null, stockReserve: null })
  expect(pool.statusReasons).toContain('reserve_missing')
  expect(screener).toMatchObject({ liquidityUsd: 7 })
})

test('prefers a screener row with both sides to a balance with one', async () => {
  const balance = { ...row, source: 'balance', amount0: 4, liquidityUsd: null } as const
  const screener = { ...row, amount0: 9, amount1: 8, liquidityUsd: null } as const
  const sourceWith = async (amount1: number | null) => {
    const reserves = [{ ...balance, amount1 }, screener]
    return (await readDetail({ pools: [unmapped], reserves })).pool.reserveSource
  }
  expect([await sourceWith(5), await sourceWith(null)]).toEqual(['balance', 'screener'])
})
