import { describe, expect, test } from 'vitest'
import {
  addressOf,
  identityOf,
  keyOf,
  readingOf,
  referenceOf,
  sampleContext,
  samplePoolInputs,
  sampleStockInputs,
  stateOf,
  tokens,
} from '../../../test/support/domain/sample-inputs.ts'
import { dynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import { sqrtPriceAtTick } from '../math/tick-math.ts'
import { depthOf } from '../pool/pool-depth.ts'
import type { PoolKey } from '../pool/pool-event.ts'
import { applyLiquidityDelta, emptyTickMap, type TickMap } from '../pool/tick-map.ts'
import { reservesFromTickMap } from '../pool/tick-map-reserves.ts'
import { known } from '../reading.ts'
import type { StatusReason } from '../status/data-status.ts'
import { nativeAddress } from '../units.ts'
import type { PoolInputs } from './pool-inputs.ts'
import { toPoolView } from './value-pool.ts'

/* What makes a pool comparable (docs/methodology.md §6), also on tick maps made to deceive. */

const tsla = sampleStockInputs({ address: tokens.tsla, symbol: 'TSLA' })
const listed = addressOf(0x1_0080)
const context = sampleContext({ reviewedHooks: new Map([[listed, 'adds points']]) })

const viewOf = (pool: Partial<PoolInputs['pool']>, key: Partial<PoolKey> = {}, rest = {}) =>
  toPoolView(
    samplePoolInputs({
      pool: { ...identityOf({ key: keyOf(key) }), ...stateOf(), lastHotTs: null, ...pool },
      ...rest,
    }),
    context,
  )

type Range = readonly [tickLower: number, tickUpper: number]
type Position = readonly [range: Range, liquidity: bigint]

/** Liquidity that holds this many dollars as token1 in a range below the price. */
const liquidityFor = (usd: number, [lower, upper]: Range): bigint =>
  (BigInt(usd * 1e6) << 96n) / (sqrtPriceAtTick(upper) - sqrtPriceAtTick(lower))

/** The state of a pool of NVDA and USDG at this tick; -230,271 is the reference of 100 dollars. */
const stateAt = (tick: number, positions: readonly Position[]) => {
  const map = positions.reduce<TickMap>((before, [[tickLower, tickUpper], liquidityDelta]) => {
    const after = applyLiquidityDelta(before, { tickLower, tickUpper, liquidityDelta })
    if (!after.known) throw new Error(after.reason)
    return after.value
  }, emptyTickMap)
  const sqrtPriceX96 = sqrtPriceAtTick(tick)
  return {
    price: { sqrtPriceX96, tick },
    liquidity: 10n ** 6n,
    reserves: reservesFromTickMap(map, sqrtPriceX96),
    depth: depthOf(map, sqrtPriceX96),
  }
}

const fairTick = -230_271
/** 49 % above the reference. */
const wrongTick = fairTick + 3988
const around = (tick: number): Range => [tick - 198, tick + 198]
const farBelow: Range = [-246_000, -240_000]
const farAbove: Range = [-220_000, -215_000]

describe('money that is shown but not risked', () => {
  test('one unit in range and $10,001 far away', () => {
    const positions: Position[] = [
      [around(wrongTick), 1n],
      [farBelow, liquidityFor(10_001, farBelow)],
    ]
    const view = viewOf(stateAt(wrongTick, positions))
    expect(view.otherReserve).toBeGreaterThan(10_000)
    expect(view.premiumBps).toBeGreaterThan(4800)
    expect(view).toMatchObject({ comparable: false, depthUsd: 0, dataStatus: 'fresh' })
    expect(view.statusReasons).toEqual(['depth_thin'])
  })

  test('millions on both sides, beyond 2 %', () => {
    const gap = 210
    const positions: Position[] = [
      [[wrongTick - gap - 600, wrongTick - gap], 10n ** 19n],
      [[wrongTick + gap, wrongTick + gap + 600], 10n ** 19n],
      [around(wrongTick), 1n],
    ]
    const view = viewOf(stateAt(wrongTick, positions))
    expect(view.liquidityUsd).toBeGreaterThan(1e6)
    expect(view).toMatchObject({ comparable: false, depthUsd: 0, statusReasons: ['depth_thin'] })
  })

  test('a wall on one side of the price only', () => {
    const wall: Range = [wrongTick - 600, wrongTick]
    const positions: Position[] = [
      [wall, liquidityFor(1_000_000, wall)],
      [farAbove, 10n ** 18n],
      [around(wrongTick), 1n],
    ]
    const view = viewOf(stateAt(wrongTick, positions))
    expect(view).toMatchObject({ comparable: false, depthUsd: 0, statusReasons: ['depth_thin'] })
  })

  test('what stands around the price counts, to the dollar', () => {
    const depthFor = (usd: number) => {
      const below: Range = [fairTick - 203, fairTick]
      const positions: Position[] = [[[-260_000, -200_000], liquidityFor(usd, below)]]
      return viewOf(stateAt(fairTick, positions))
    }
    const [thin, deep] = [depthFor(9900), depthFor(10_300)]
    expect(thin).toMatchObject({ comparable: false, statusReasons: ['depth_thin'] })
    expect(thin.depthUsd).toBeGreaterThan(9500)
    expect(deep).toMatchObject({ comparable: true, statusReasons: [] })
    expect(deep.depthUsd).toBeLessThan(10_300)
  })
})

test('an unknown depth is not thin, and not comparable', () => {
  expect(viewOf({ depth: null })).toMatchObject({ comparable: false, statusReasons: [] })
})

const kinds = {
  canonical: {},
  'stock-stock': {
    decimals1: known(18),
    stock: sampleStockInputs({ reading: readingOf(referenceOf(100)) }),
    other: readingOf(referenceOf(1)),
    otherStock: tsla,
  },
  meme: { other: null },
} as const

/** Dollars of depth and the same in raw token1 of a pool of these kinds; null: not known. */
const depths = [null, 0, 9999, 10_000, 1e9] as const

const fees = [
  { fee: 0, lastSwapFee: 500, current: 0 },
  { fee: 50_000, lastSwapFee: 60_000, current: 50_000 },
  { fee: 50_001, lastSwapFee: 50_001, current: 50_001 },
  { fee: 990_000, lastSwapFee: 3000, current: 990_000 },
  { fee: dynamicFee, lastSwapFee: 50_000, current: 50_000 },
  { fee: dynamicFee, lastSwapFee: 990_000, current: 990_000 },
  { fee: dynamicFee, lastSwapFee: null, current: null },
] as const

const hooks = [
  { hooks: nativeAddress, isListed: false, actsOnSwaps: false },
  { hooks: addressOf(0x3f30), isListed: false, actsOnSwaps: false },
  { hooks: addressOf(0x80), isListed: false, actsOnSwaps: true },
  { hooks: addressOf(0x2040), isListed: false, actsOnSwaps: true },
  { hooks: listed, isListed: true, actsOnSwaps: true },
] as const

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('every mixture: %s', (kind) => {
  const isStockOther = kind === 'stock-stock'
  const key = { token1: isStockOther ? tokens.tsla : tokens.usdg }
  const unit = isStockOther ? 10n ** 18n : 10n ** 6n
  const price = isStockOther ? { sqrtPriceX96: 10n << 96n, tick: 46_054 } : stateOf().price
  const reserves = { amount0: 10n ** 21n, amount1: 10n ** 6n * unit }
  const rest = { ...kinds[kind], classification: { kind, stockIsToken0: true } }

  test.each(depths)('depth of %s dollars', (usd) => {
    // A meme pool's dollars are the stock's, at 100.
    const depth =
      usd === null ? null : { amount0: BigInt(usd) * 10n ** 16n, amount1: BigInt(usd) * unit }
    for (const { fee, lastSwapFee, current } of fees) {
      for (const hook of hooks) {
        const isUnreviewed = !hook.isListed && (hook.actsOnSwaps || fee === dynamicFee)
        const reasons: StatusReason[] = []
        if (kind !== 'meme' && usd !== null && usd < 10_000) reasons.push('depth_thin')
        if ((current ?? 0) > 50_000) reasons.push('fee_excessive')
        if (isUnreviewed) reasons.push('hook_unreviewed')
        const isGood = kind !== 'meme' && reasons.length === 0 && usd !== null && current !== null
        const state = {
          price,
          reserves,
          depth,
          lastSwapFee,
          version: 'v4',
          protocol: 'uniswap-v4',
        } as const
        const view = viewOf(state, { ...key, fee, hooks: hook.hooks }, rest)
        const name = `${hook.hooks} ${fee} ${lastSwapFee}`
        expect([view.comparable, view.dataStatus, view.depthUsd], name).toEqual([
          isGood,
          'fresh',
          usd,
        ])
        expect(view.statusReasons, name).toEqual(reasons)
      }
    }
  })
})
