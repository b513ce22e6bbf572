import { describe, expect, test } from 'vitest'
import {
  noon,
  readingOf,
  referenceOf,
  sampleContext,
  samplePoolInputs,
  sampleStockInputs,
} from '../../../test/support/domain/sample-inputs.ts'
import type { PoolView } from '../views/pool.ts'
import { compareWithScreener } from './screener-check.ts'
import { toPoolView } from './value-pool.ts'

const at = sampleContext()
/** 1,000 NVDA at $100, and 150,000 USDG. */
const pool = toPoolView(samplePoolInputs(), at)
/** The same with memes on the other side, of which 100 pay for one NVDA. */
const memePool = toPoolView(
  samplePoolInputs({ classification: { kind: 'meme', stockIsToken0: true }, other: null }),
  at,
)
const checkOf = (liquidityUsd: number, over: Partial<PoolView> = {}, ts = noon) =>
  compareWithScreener({ liquidityUsd, ts }, { ...pool, ...over }, at)

test('the sample pools are worth what is said of them', () => {
  expect([pool.liquidityUsd, memePool.liquidityUsd]).toEqual([250_000, 200_000])
})

describe("a screener's figure beside ours (methodology §4)", () => {
  test.each([
    ['the same', 250_000, 0, true],
    ['a tenth more', 275_000, 1000, true],
    ['a tenth less', 225_000, -1000, true],
    ['more than a tenth more', 275_001, 1000.04, false],
    ['more than a tenth less', 224_999, -1000.04, false],
    ['twice as much', 500_000, 10_000, false],
    ['nothing at all', 0, -10_000, false],
  ])('%s', (_, liquidityUsd, differenceBps, agrees) => {
    const check = checkOf(liquidityUsd)
    expect(check).toEqual({ liquidityUsd, ts: noon, differenceBps: expect.any(Number), agrees })
    expect(check?.differenceBps).toBeCloseTo(differenceBps, 6)
  })

  test('of a meme pool it means all memes, of which ours counts no more than of the stock', () => {
    const check = compareWithScreener({ liquidityUsd: 250_000, ts: noon }, memePool, at)
    expect(check).toMatchObject({ agrees: true })
    expect(check?.differenceBps).toBeCloseTo(0, 6)
  })

  test.each<[string, Partial<PoolView>, number]>([
    ['that is old', {}, noon - 121],
    ['of the future', {}, noon + 31],
    ['while our own reserves are old', { enrichedTs: noon - 121 }, noon],
    ['while our reserves come from the screener itself', { reserveSource: 'screener' }, noon],
    ['while we know none', { reserveSource: null, enrichedTs: null, liquidityUsd: null }, noon],
    ['while we know no price', { liquidityUsd: null }, noon],
    ['of a meme without a price', { kind: 'meme', otherPriceUsd: null }, noon],
  ])('one %s is shown, and compared with nothing', (_, over, ts) => {
    const nothing = { differenceBps: null, agrees: null }
    expect(checkOf(250_000, over, ts)).toEqual({ liquidityUsd: 250_000, ts, ...nothing })
  })

  test.each([
    ['nothing', 0, true],
    ['something', 1, false],
  ])('%s in a pool that is empty', (_, liquidityUsd, agrees) => {
    expect(checkOf(liquidityUsd, { liquidityUsd: 0 })).toMatchObject({
      agrees,
      differenceBps: null,
    })
  })

  test('a difference beyond all numbers is no agreement', () => {
    const check = checkOf(Number.MAX_VALUE, { liquidityUsd: Number.MIN_VALUE })
    expect(check).toMatchObject({ differenceBps: null, agrees: false })
  })

  test('none is none', () => expect(compareWithScreener(null, pool, at)).toBeNull())

  test('a screener never changes a pool whose reserves are known', () => {
    const stock = sampleStockInputs({ reading: readingOf(referenceOf(100)) })
    const fallback = { source: 'screener', amount0: 9, amount1: 9, ts: noon } as const
    expect(toPoolView(samplePoolInputs({ stock, fallback }), at)).toEqual(pool)
  })
})
