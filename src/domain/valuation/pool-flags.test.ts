import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sqrtPriceMaxX96, sqrtPriceMinX96 } from '../math/tick-math.ts'
import type { StatusReason } from '../status/data-status.ts'
import type { PoolKind } from '../views/pool.ts'
import {
  activityValidUntil,
  computeLiquidityUsd,
  isActive,
  isComparable,
  isHot,
  isThin,
  mayRepresentStock,
  meetsHotConditions,
  type SideValues,
} from './pool-flags.ts'

const day = 86_400
/** The indexed head stands here. */
const head = 1_000_000_000

type Pool = Parameters<typeof isActive>[0]

const pool: Pool = {
  price: { sqrtPriceX96: 1n << 96n, tick: 0 },
  liquidity: 1n,
  lastSwapTs: head - 60,
  createdTs: head - 30 * day,
}
const atPrice = (sqrtPriceX96: bigint): Partial<Pool> => ({ price: { sqrtPriceX96, tick: 0 } })

describe('active (methodology §6)', () => {
  const table: readonly [string, Partial<Pool>, boolean][] = [
    ['trading', {}, true],
    ['a swap seven days ago', { lastSwapTs: head - 7 * day }, true],
    ['a second more', { lastSwapTs: head - 7 * day - 1 }, false],
    ['never swapped, a day old', { lastSwapTs: null, createdTs: head - day }, true],
    ['never swapped, older', { lastSwapTs: null, createdTs: head - day - 1 }, false],
    ['not initialised', { price: null }, false],
    ['nothing in range', { liquidity: 0n }, false],
    ['at the lower bound', atPrice(sqrtPriceMinX96), false],
    ['one step from it', atPrice(sqrtPriceMinX96 + 1n), false],
    ['two steps', atPrice(sqrtPriceMinX96 + 2n), true],
    ['at the upper bound', atPrice(sqrtPriceMaxX96 - 1n), false],
    ['two steps from it', atPrice(sqrtPriceMaxX96 - 2n), true],
  ]
  test.each(table)('%s', (_, rest, active) => {
    expect(isActive({ ...pool, ...rest }, head)).toBe(active)
  })
})

describe('hot (methodology §6)', () => {
  const trade = { active: true, lastSwapTs: head - 1, vol1hUsd: 1000, liquidityUsd: 0 }
  test.each([
    ['a thousand dollars in the hour', {}, true],
    ['a cent less', { vol1hUsd: 999.99 }, false],
    ['or fifty thousand in it', { vol1hUsd: 0, liquidityUsd: 50_000 }, true],
    ['unknown volume, deep', { vol1hUsd: null, liquidityUsd: 50_000 }, true],
    ['unknown volume, unknown depth', { vol1hUsd: null, liquidityUsd: null }, false],
    ['the swap a quarter of an hour ago', { lastSwapTs: head - 900 }, true],
    ['a second more', { lastSwapTs: head - 901 }, false],
    ['never swapped', { lastSwapTs: null }, false],
    ['not active', { active: false }, false],
  ] as const)('%s', (_, rest, hot) => {
    expect(meetsHotConditions({ ...trade, asOfTs: head, ...rest })).toBe(hot)
  })

  const quiet = { lastSwapTs: null, vol1hUsd: null, liquidityUsd: null }
  test.each([
    ['it held a moment ago', true, head - 1, true],
    ['it held half an hour ago', true, head - 1800, true],
    ['a second more', true, head - 1801, false],
    ['never', true, null, false],
    ['not active any more', false, head - 1, false],
  ] as const)('stays for half an hour: %s', (_, active, lastHotTs, hot) => {
    expect(isHot({ ...quiet, active, lastHotTs, asOfTs: head })).toBe(hot)
  })

  test('is not left to a record that is a moment old: the conditions of now count', () => {
    const busy = { active: true, lastSwapTs: head - 900, vol1hUsd: 1000, liquidityUsd: null }
    expect(isHot({ ...busy, lastHotTs: null, asOfTs: head })).toBe(true)
    expect(isHot({ ...busy, lastHotTs: null, asOfTs: head + 1 })).toBe(false)
  })
})

test('nothing changes by the passing of time before the second that is promised', () => {
  const ago = fc.option(fc.integer({ min: 0, max: 9 * day }))
  fc.assert(
    fc.property(ago, ago, fc.nat(9 * day), fc.nat(9 * day), (swapped, heated, created, passed) => {
      const [lastSwapTs, lastHotTs] = [swapped, heated].map((age) => age && head - age)
      const quiet = {
        ...pool,
        lastSwapTs: lastSwapTs ?? null,
        lastHotTs: lastHotTs ?? null,
        createdTs: head - created,
      }
      const stateAt = (asOfTs: number) => {
        const active = isActive(quiet, asOfTs)
        const { lastHotTs, lastSwapTs } = quiet
        const business = { lastSwapTs, vol1hUsd: 1000, liquidityUsd: null }
        return [active, isHot({ ...business, active, lastHotTs, asOfTs })]
      }
      const until = activityValidUntil(quiet, head)
      expect(stateAt(Math.min(until, head + passed))).toEqual(stateAt(head))
    }),
  )
})

type Input = Parameters<typeof isComparable>[0]

const comparable: Input = {
  kind: 'canonical',
  active: true,
  fresh: true,
  independentReference: true,
  depthUsd: 10_000,
  reserveSource: 'ticks',
  fee: 50_000,
  premiumBps: 100,
  reasons: [],
}

/** Methodology §6: every condition alone is enough to say no. */
const table: readonly [string, Partial<Input>, boolean][] = [
  ['all conditions hold', {}, true],
  ['a stock pair', { kind: 'stock-stock' }, true],
  ['a meme', { kind: 'meme' }, false],
  ['not active', { active: false }, false],
  ['not fresh', { fresh: false }, false],
  ['no independent reference', { independentReference: false }, false],
  ['an unknown depth', { depthUsd: null }, false],
  ['reserves by balance', { reserveSource: 'balance' }, false],
  ['reserves by a screener', { reserveSource: 'screener' }, false],
  ['an unknown dynamic fee', { fee: null }, false],
  ['no premium', { premiumBps: null }, false],
  ...(
    [
      'market_closed',
      'trading_halt',
      'oracle_paused',
      'multiplier_pending',
      'hook_custom_accounting',
      'reference_conflict',
      'premium_implausible',
      'depth_thin',
      'fee_excessive',
      'hook_unreviewed',
      'quote_unconfirmed',
      'multiplier_old',
      'reserve_short',
    ] as const
  ).map((reason): [string, Partial<Input>, boolean] => [reason, { reasons: [reason] }, false]),
]

test.each(table)('%s: %o', (_, rest, expected) => {
  expect(isComparable({ ...comparable, ...rest })).toBe(expected)
})

test.each([
  ['canonical', 10_000, false],
  ['canonical', 9999.99, true],
  ['canonical', 0, true],
  ['canonical', null, false],
  ['stock-stock', 9999.99, true],
  ['meme', 0, false],
] as const)('a %s pool of $%d is thin: %s', (kind, depthUsd, expected) => {
  expect(isThin(kind, depthUsd)).toBe(expected)
})

test('a reason among others is found', () => {
  const reasons: StatusReason[] = ['quote_old', 'trading_halt']
  expect(isComparable({ ...comparable, reasons })).toBe(false)
})

const sidesOf = (values: readonly (number | null)[]): SideValues => {
  const [stockReserve = null, stockRefUsd = null, otherReserve = null, otherPriceUsd = null] =
    values
  return { stockReserve, stockRefUsd, otherReserve, otherPriceUsd }
}

describe('dollars in a pool (methodology §4)', () => {
  const table: readonly [string, PoolKind, readonly (number | null)[], number | null][] = [
    ['both sides by their references', 'canonical', [10, 200, 1000, 1], 3000],
    ['two stocks', 'stock-stock', [10, 200, 5, 400], 4000],
    ['a meme counts as much as the stock at most', 'meme', [10, 200, 1e9, 1], 4000],
    ['and less if it is less', 'meme', [10, 200, 1e3, 0.5], 2500],
    ['a launch of a billion memes against nothing', 'meme', [0, 200, 1e9, 1], 0],
    ['even if no price is known', 'meme', [0, null, 1e9, null], 0],
    ['stock alone, all memes sold', 'meme', [10, 200, 0, 1], 2000],
    ['a needed reference is missing', 'canonical', [10, null, 1000, 1], null],
    ['the other price is missing', 'canonical', [10, 200, 1000, null], null],
    ['the meme has no price', 'meme', [10, 200, 1000, null], null],
    ['a reserve is unknown', 'canonical', [null, 200, 1000, 1], null],
    ['the other reserve is unknown', 'canonical', [10, 200, null, 1], null],
    ['an empty pool', 'canonical', [0, 200, 0, 1], 0],
    ['an empty pool without prices', 'canonical', [0, null, 0, null], 0],
    ['an empty side needs no price', 'canonical', [0, null, 500, 1], 500],
    ['more than numbers hold', 'canonical', [1e200, 1e200, 1, 1], null],
  ]
  test.each(table)('%s', (_, kind, values, usd) => {
    expect(computeLiquidityUsd(kind, sidesOf(values))).toBe(usd)
  })
})

describe('a pool represents its stock while none is comparable', () => {
  const fit = { kind: 'canonical', active: true, stockPriceUsd: 200, reasons: [] } as const

  test.each([
    ['canonical, active and priced', {}, true],
    ['after hours', { reasons: ['quote_old', 'market_closed'] }, true],
    ['thin: nothing better is there', { reasons: ['depth_thin'] }, true],
    ['a meme pool', { kind: 'meme' }, false],
    ['two stocks', { kind: 'stock-stock' }, false],
    ['inactive', { active: false }, false],
    ['without a price', { stockPriceUsd: null }, false],
    ['a hook that may refuse every trader but its owner', { reasons: ['hook_unreviewed'] }, false],
    ['a fee at which no trade corrects the price', { reasons: ['fee_excessive'] }, false],
    ['a price that contradicts the last quote', { reasons: ['premium_implausible'] }, false],
  ] as const)('%s', (_, change, expected) => {
    expect(mayRepresentStock({ ...fit, ...change })).toBe(expected)
  })
})
