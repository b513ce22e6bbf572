import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { HealthView } from '../../src/domain/views/service.ts'
import { eventually } from './api.ts'
import { depthOf } from './numbers/depth.ts'
import { approx, wholeOf } from './numbers/exact.ts'
import {
  expectNearly,
  isInConflict,
  lastOutsideUsdOf,
  type MarketFacts,
  readMarketFacts,
  refUsdOf,
  stockOf,
} from './numbers/market-facts.ts'
import { openService } from './numbers/moment.ts'
import {
  changesDeltas,
  hasUnreviewedHook,
  isFeeUnknown,
  isTooDear,
  reviewedHookOf,
} from './numbers/trust.ts'

/*
 * Every dollar figure of every pool recomputed from the references, and what a pool is called for
 * them, by docs/methodology.md §3, §4 and §6.
 */

const service = openService()
afterAll(() => service.stored.close())

let facts: MarketFacts
beforeAll(async () => {
  facts = await readMarketFacts(service)
})

const inSessionOf = (row: PoolView): boolean =>
  stockOf(facts, row.stockAddress).marketSession !== 'closed'

describe('the dollar prices of a pool', () => {
  test('canonical: the stock is worth what the other token is, times the price', () => {
    for (const row of facts.moment.pools.filter(({ kind }) => kind === 'canonical')) {
      const { stockPriceInOther: price, otherPriceUsd } = row
      if (price === null) expect(row.stockPriceUsd).toBeNull()
      else expectNearly(row.stockPriceUsd, price * (otherPriceUsd ?? 0), row.id)
    }
  })

  test('meme: the stock is worth its reference, the meme what follows from it', () => {
    for (const row of facts.moment.pools.filter(({ kind }) => kind === 'meme')) {
      const { stockPriceInOther: price } = row
      const usd = refUsdOf(facts, row.stockAddress)
      expectNearly(row.stockPriceUsd, usd, row.id)
      if (price === null) expect(row.otherPriceUsd).toBeNull()
      else expectNearly(row.otherPriceUsd, usd / price, row.id)
    }
  })

  test('stock-stock: the other stock is worth its reference, the first what follows', () => {
    const rows = facts.moment.pools.filter(({ kind }) => kind === 'stock-stock')
    expect(rows.length).toBeGreaterThanOrEqual(5)
    for (const row of rows) {
      const usd = refUsdOf(facts, row.otherAddress)
      expectNearly(row.otherPriceUsd, usd, row.id)
      expectNearly(row.stockPriceUsd, (row.stockPriceInOther ?? 0) * usd, row.id)
    }
  })

  test('premium in session, drift against the last price off it, neither beyond 50 %', () => {
    for (const row of facts.moment.pools) {
      const isOpen = inSessionOf(row)
      const base = (isOpen ? refUsdOf : lastOutsideUsdOf)(facts, row.stockAddress)
      const bps = row.stockPriceUsd === null ? null : 10_000 * (row.stockPriceUsd / base - 1)
      const isShown = row.kind !== 'meme' && bps !== null && Math.abs(bps) <= 5000
      const [shown, hidden] = isOpen
        ? [row.premiumBps, row.driftBps]
        : [row.driftBps, row.premiumBps]
      expect(hidden, row.id).toBeNull()
      if (!isShown) expect(shown, row.id).toBeNull()
      else expect(shown, row.id).toBeCloseTo(bps, 6)
      const isImplausible = row.kind !== 'meme' && bps !== null && Math.abs(bps) > 5000
      expect(row.statusReasons.includes('premium_implausible'), row.id).toBe(isImplausible)
    }
  })
})

const product = (amount: number | null, usd: number | null): number | null =>
  amount === 0 ? 0 : amount === null || usd === null ? null : amount * usd

describe('the dollars in a pool', () => {
  test('are both sides; of a meme at most as much as of the stock', () => {
    for (const row of facts.moment.pools) {
      const stockUsd = product(row.stockReserve, refUsdOf(facts, row.stockAddress))
      const otherUsd = product(row.otherReserve, row.otherPriceUsd)
      const isWorthless = row.kind === 'meme' && stockUsd === 0
      if (isWorthless) expect(row.liquidityUsd, row.id).toBe(0)
      else if (stockUsd === null || otherUsd === null) {
        expect(row.liquidityUsd, row.id).toBeNull()
      } else {
        const capped = row.kind === 'meme' ? Math.min(otherUsd, stockUsd) : otherUsd
        expectNearly(row.liquidityUsd, stockUsd + capped, row.id)
      }
    }
  })
})

const weekSeconds = 7 * 86_400
const daySeconds = 86_400

/** A swap without liquidity ends one step before TickMath's bounds. */
const isInside = ({ sqrtPriceX96 }: PoolView): boolean => {
  const price = BigInt(sqrtPriceX96 ?? 0)
  return (
    price > 4_295_128_740n &&
    price < 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n
  )
}

describe('active and comparable', () => {
  test('active: a price inside the range, liquidity around it, and a swap or a birth', () => {
    const { ts } = facts.moment
    for (const row of facts.moment.pools) {
      const createdTs = facts.replayed.get(row.id)?.created.ts ?? 0
      const isAlive = ts - (row.lastSwapTs ?? 0) <= weekSeconds || ts - createdTs <= daySeconds
      const isActive = isInside(row) && BigInt(row.liquidity ?? 0) > 0n && isAlive
      expect(row.active, row.id).toBe(isActive)
    }
    expect(facts.moment.pools.some((row) => row.active)).toBe(true)
    expect(facts.moment.pools.some((row) => !row.active)).toBe(true)
  })

  test('comparable: by the definition, from what the rows themselves say', () => {
    const reviewedHook = reviewedHookOf(service)
    for (const row of facts.moment.pools) {
      const other = row.kind === 'stock-stock' ? [stockOf(facts, row.otherAddress)] : []
      const stocks = [stockOf(facts, row.stockAddress), ...other]
      const isQuiet = stocks.every(
        (stock) =>
          stock.tradingHalt === false &&
          stock.oraclePaused !== true &&
          stock.pendingMultiplier === null &&
          stock.marketSession !== 'closed' &&
          !isInConflict(facts, stock),
      )
      const isComparable =
        row.kind !== 'meme' &&
        row.active &&
        row.dataStatus === 'fresh' &&
        isQuiet &&
        (row.depthUsd ?? 0) >= 10_000 &&
        row.reserveSource === 'ticks' &&
        !changesDeltas(row) &&
        !isTooDear(row) &&
        !isFeeUnknown(row) &&
        !hasUnreviewedHook(row, reviewedHook) &&
        row.premiumBps !== null
      expect(row.comparable, row.id).toBe(isComparable)
    }
    const isOpen = facts.moment.stocks.some(({ marketSession }) => marketSession !== 'closed')
    expect(facts.moment.pools.some(({ comparable }) => comparable)).toBe(isOpen)
  })
})

describe('the depth of a pool', () => {
  const tokensOf = (row: PoolView, side: 0 | 1): number | null => {
    const token = side === 0 ? row.token0 : row.token1
    const decimals = facts.moment.stored.decimals.get(token) ?? null
    const pool = facts.replayed.get(row.id)
    const raw = pool === undefined ? null : depthOf(pool, side)
    return raw === null || decimals === null ? null : approx(wholeOf(raw, decimals))
  }

  test('is that of the stock in a meme pool, else of the other token, in dollars', () => {
    for (const row of facts.moment.pools) {
      const isStock = row.kind === 'meme'
      const amount = tokensOf(row, row.stockIsToken0 === isStock ? 0 : 1)
      const usd = isStock ? refUsdOf(facts, row.stockAddress) : row.otherPriceUsd
      const expected = row.reserveSource === 'ticks' ? product(amount, usd) : null
      if (expected === null) expect(row.depthUsd, row.id).toBeNull()
      else expect(row.depthUsd, row.id).toBeCloseTo(expected, 4)
    }
    expect(facts.moment.pools.some(({ depthUsd }) => (depthUsd ?? 0) > 100_000)).toBe(true)
  })

  test('below $10,000 is thin where a price could be compared', () => {
    const thin = facts.moment.pools.filter(
      ({ kind, depthUsd, sqrtPriceX96 }) =>
        kind !== 'meme' && sqrtPriceX96 !== null && depthUsd !== null && depthUsd < 10_000,
    )
    const marked = facts.moment.pools.filter(({ statusReasons }) =>
      statusReasons.includes('depth_thin'),
    )
    expect(marked.map(({ id }) => id)).toEqual(thin.map(({ id }) => id))
    expect(thin.some(({ active, liquidityUsd }) => active && (liquidityUsd ?? 0) > 50_000)).toBe(
      true,
    )
    const isDeep = ({ kind, depthUsd }: PoolView) =>
      kind === 'canonical' && (depthUsd ?? 0) >= 10_000
    expect(facts.moment.pools.filter(isDeep).length).toBeGreaterThanOrEqual(12)
  })
})

test('pools of every kind say that their fee or their hook proves no price', () => {
  const reviewedHook = reviewedHookOf(service)
  for (const row of facts.moment.pools) {
    const isPriced = row.sqrtPriceX96 !== null
    const { statusReasons } = row
    expect(statusReasons.includes('fee_excessive'), row.id).toBe(isPriced && isTooDear(row))
    const isHooked = isPriced && hasUnreviewedHook(row, reviewedHook)
    expect(statusReasons.includes('hook_unreviewed'), row.id).toBe(isHooked)
  }
  const { pools } = facts.moment
  const holding = (code: PoolView['statusReasons'][number], kind: PoolView['kind']) =>
    pools.filter((row) => row.kind === kind && row.statusReasons.includes(code)).length
  expect(holding('fee_excessive', 'meme')).toBeGreaterThan(0)
  expect(holding('fee_excessive', 'canonical')).toBeGreaterThan(0)
  expect(holding('hook_unreviewed', 'meme')).toBeGreaterThan(0)
  expect(holding('hook_unreviewed', 'canonical')).toBeGreaterThan(0)
  const isOpen = facts.moment.stocks.some(({ marketSession }) => marketSession !== 'closed')
  const isListed = ({ comparable, hooks }: PoolView) => comparable && hooks === reviewedHook
  expect(pools.some(isListed)).toBe(isOpen)
})

test('the health reply counts the rows of the list', async () => {
  const countsOf = (pools: readonly PoolView[]) => {
    const count = (matches: (row: PoolView) => boolean): number => pools.filter(matches).length
    return {
      total: pools.length,
      active: count((row) => row.active),
      hot: count((row) => row.hot),
      v3: count((row) => row.version === 'v3'),
      v4: count((row) => row.version === 'v4'),
      meme: count((row) => row.kind === 'meme'),
      canonical: count((row) => row.kind === 'canonical'),
    }
  }
  const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  // The list moves between two requests: one pair of replies of the same moment is enough.
  await eventually(
    async () => {
      const pools = await service.api.readAll<PoolView>('/api/v1/pools')
      const health = await service.api.read<HealthView>('/api/v1/health')
      return { counted: countsOf(pools), reported: health.pools }
    },
    ({ counted, reported }) => isEqual(counted, reported),
  )
})
