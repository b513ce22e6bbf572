import { describe, expect, test } from 'vitest'
import type { PoolDetailView, PoolView } from '../../src/domain/views/pool.ts'
import type { PoolDepthView } from '../../src/domain/views/pool-depth.ts'
import type { PoolQuoteView } from '../../src/domain/views/swap-quote.ts'
import { createApi } from './api.ts'
import { poolDepthShape, poolQuoteShape } from './quote-shapes.ts'
import { misfits } from './shape.ts'
import { baseUrl } from './shared.ts'

const api = createApi(baseUrl)
const pools = await api.readAll<PoolView>('/api/v1/pools')

const quoteAt = (pool: PoolView, query: string): Promise<PoolQuoteView> =>
  api.read<PoolQuoteView>(`/api/v1/pools/${pool.id}/quote?${query}`)

const depthAt = (pool: PoolView): Promise<PoolDepthView> =>
  api.read<PoolDepthView>(`/api/v1/pools/${pool.id}/depth?segments=all`)

const expectClose = (one: number, other: number, digits: number, what: string): void =>
  expect(one / (other || 1), what).toBeCloseTo(other === 0 ? 0 : 1, digits)

describe('a swap quote of every pool', () => {
  test.each(['buy', 'sell'] as const)(
    'to %s has its documented form and is no gain',
    async (side) => {
      for (const pool of pools) {
        const answer = await quoteAt(pool, `side=${side}&stockAmount=0.5`)
        expect(misfits(poolQuoteShape, answer, pool.id)).toEqual([])
        const { quote, reasons } = answer
        expect(reasons.length === 0, pool.id).toBe(quote !== null)
        if (quote === null) continue
        expect([quote.poolId, quote.side]).toEqual([pool.id, side])
        expect(quote.exact).toBe(side === 'buy' ? 'output' : 'input')
        const { midPriceInOther: mid, executionPriceInOther: paid } = quote
        const { priceImpactBps: impact, costBps: cost } = quote
        if (mid === null || paid === null || impact === null || cost === null) continue
        expect(side === 'buy' ? mid / paid : paid / mid, pool.id).toBeLessThanOrEqual(1 + 1e-12)
        expect(cost).toBeGreaterThanOrEqual(impact)
        expectClose(1 - cost / 10_000, side === 'buy' ? mid / paid : paid / mid, 9, pool.id)
      }
    },
  )

  test('back and forth at one block never leaves more', async () => {
    for (const pool of pools) {
      const { quote, asOfBlock } = await quoteAt(pool, 'side=sell&stockAmount=1')
      if (quote === null || !quote.filled) continue
      const back = await quoteAt(pool, `side=sell&otherAmountRaw=${quote.amountOutRaw}`)
      if (back.quote === null || back.asOfBlock !== asOfBlock) continue
      expect(BigInt(back.quote.amountInRaw)).toBeLessThanOrEqual(BigInt(quote.amountInRaw))
    }
  })
})

/** The record and the depth of one block, if they can be had in a few attempts. */
const readTogether = async (pool: PoolView) => {
  for (let attempt = 0; attempt < 5; attempt++) {
    const depth = await depthAt(pool)
    const { pool: record } = await api.read<PoolDetailView>(`/api/v1/pools/${pool.id}`)
    if (record.asOfBlock === depth.asOfBlock) return { depth, record }
  }
  return null
}

test('the depth of every pool has its documented form and belongs to its record', async () => {
  let compared = 0
  for (const pool of pools) {
    const together = await readTogether(pool)
    if (together === null) continue
    const { record, depth: answer } = together
    expect(misfits(poolDepthShape, answer, pool.id)).toEqual([])
    if (answer.depth === null) {
      const reasons = (await quoteAt(pool, 'side=buy&otherAmount=1')).reasons
      expect(reasons.length, pool.id).toBeGreaterThan(0)
      continue
    }
    const { midPriceInOther, bands, segments } = answer.depth
    expect(midPriceInOther).toBe(record.stockPriceInOther)
    const sumOf = (name: 'stockAmount' | 'otherAmount') =>
      segments.reduce((sum, segment) => sum + segment[name], 0)
    if (record.reserveSource === 'ticks') {
      expectClose(sumOf('stockAmount'), record.stockReserve ?? 0, 6, pool.id)
      expectClose(sumOf('otherAmount'), record.otherReserve ?? 0, 6, pool.id)
    }
    const two = bands.find(({ bps }) => bps === 200)
    const least = Math.min(two?.buy.usd ?? 0, two?.sell.usd ?? 0)
    if (record.depthUsd !== null && record.kind !== 'meme') {
      expectClose(least, record.depthUsd, 3, pool.id)
    }
    compared += 1
  }
  expect(compared).toBeGreaterThan(pools.length / 2)
})
