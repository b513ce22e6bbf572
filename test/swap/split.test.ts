import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SplitPool } from '../../src/domain/swap/marginal-cost.ts'
import { type OrderSplit, type SplitOrder, splitOrder } from '../../src/domain/swap/split-order.ts'
import { swapFeeOf } from '../../src/domain/swap/swap-fee.ts'
import type { SwapSide } from '../../src/domain/views/swap-quote.ts'
import { isDynamic } from './fees.ts'
import { type IndexedPool, type IndexedSandbox, openIndexedSandbox } from './indexed-sandbox.ts'
import { createQuoters, type Quoters } from './quoters.ts'

/*
 * The split of an order against every split into whole parts, by the answers of Uniswap's quoters:
 * of a table with what each pool gives for each number of parts, the best choice that adds up.
 */

const parts = 64
/** Raw units that each pool's rounding may differ by. */
const roundingUnits = 4n

type StockPool = SplitPool & { readonly indexed: IndexedPool }
type Parts = readonly (bigint | null)[]

let sandbox: IndexedSandbox
let quoters: Quoters
let block: number
let pools: readonly IndexedPool[]

beforeAll(async () => {
  sandbox = await openIndexedSandbox()
  quoters = createQuoters(sandbox)
  const read = await sandbox.readPools()
  block = read.block
  pools = read.pools
})
afterAll(() => sandbox?.close())

const addressOf = (key: string): string =>
  sandbox.manifest.tokens.find((token) => token.key === key)?.address ?? ''

/** Dollars per raw unit: a dollar for USDG, and of ETH what a pool of both says. */
const dollarUnits = (): ReadonlyMap<string, bigint> => {
  const [usdg, weth] = [addressOf('USDG'), addressOf('WETH')]
  const dollar = (1n << 256n) / 10n ** 6n
  const both = pools.find(({ key: { currency0, currency1 } }) =>
    [usdg, weth].every((address) => address === currency0 || address === currency1),
  )
  if (both === undefined) throw new Error('the sandbox has no pool of WETH and USDG')
  const squared = both.price.sqrtPriceX96 ** 2n
  const ether =
    both.key.currency0 === weth ? (dollar * squared) >> 192n : (dollar << 192n) / squared
  return new Map([
    [usdg, dollar],
    [weth, ether],
    [`0x${'0'.repeat(40)}`, ether],
  ])
}

/** Pools of a stock with a trusted token, whose fee and swaps no hook or module decides. */
const poolsByStock = () => {
  const canonical = sandbox.manifest.pools.filter(({ kind, isHooked }) => {
    return kind === 'canonical' && !isHooked
  })
  const units = dollarUnits()
  const usable = canonical.flatMap(({ id }) => {
    const found = pools.find((pool) => pool.id === id && pool.liquidity > 0n)
    if (found === undefined || isDynamic(found)) return []
    const { currency0, currency1 } = found.key
    const stockIsToken0 = units.has(currency1)
    const [stock, other] = stockIsToken0 ? [currency0, currency1] : [currency1, currency0]
    return [{ indexed: found, stock, stockIsToken0, otherUsdX256: units.get(other) ?? 0n }]
  })
  return [...Map.groupBy(usable, ({ stock }) => stock).values()].filter((some) => some.length > 1)
}

type Candidate = ReturnType<typeof poolsByStock>[number][number]

const inDirection = (some: readonly Candidate[], side: SwapSide): readonly StockPool[] =>
  some.map(({ indexed, stockIsToken0, otherUsdX256 }) => {
    const zeroForOne = stockIsToken0 === (side === 'sell')
    const fee = swapFeeOf(indexed.stored, zeroForOne) ?? Number.NaN
    return { indexed, pool: indexed, zeroForOne, fee, otherUsdX256 }
  })

/** The amounts of the quoters for amounts of the order. */
const ask = async (pool: StockPool, { exact }: SplitOrder, amounts: readonly bigint[]) => {
  const { indexed, zeroForOne } = pool
  const asks = amounts.map((amount) => ({ pool: indexed, zeroForOne, exact, amount }))
  return (await quoters.ask(asks, block)).map((answer) => answer?.amount ?? null)
}

/** What one raw unit of the received amount, or of the paid one, is worth in the comparison. */
const worthOf = ({ side, exact }: SplitOrder, { otherUsdX256 }: SplitPool): bigint =>
  (side === 'buy') === (exact === 'input') ? 1n : otherUsdX256

const rawOf = (order: SplitOrder, pool: SplitPool, part: bigint, of: bigint): bigint => {
  const whole = 'stock' in order ? order.stock : order.usdX256 / pool.otherUsdX256
  return (whole * part) / of
}

/** What 0 to all parts of the order give in a pool, or cost for an exact output. */
const partsOf = async (pool: StockPool, order: SplitOrder): Promise<Parts> => {
  const amounts = Array.from({ length: parts }, (_, index) =>
    rawOf(order, pool, BigInt(index + 1), BigInt(parts)),
  )
  const answers = await ask(pool, order, amounts)
  return [0n, ...answers.map((amount) => amount && amount * worthOf(order, pool))]
}

const better = (order: SplitOrder, a: bigint | null, b: bigint | null): bigint | null => {
  if (a === null || b === null) return a ?? b
  return (order.exact === 'input') === a > b ? a : b
}

/** The best that whole parts in all pools add up to. */
const bestOfParts = (order: SplitOrder, tables: readonly Parts[]): bigint | null => {
  let best: Parts = [0n]
  for (const table of tables) {
    best = Array.from({ length: parts + 1 }, (_, total) => {
      let found: bigint | null = null
      for (let own = 0; own <= total; own++) {
        const [one, others] = [table[own] ?? null, best[total - own] ?? null]
        if (one !== null && others !== null) found = better(order, found, one + others)
      }
      return found
    })
  }
  return best[parts] ?? null
}

const resultOf = (order: SplitOrder, split: OrderSplit<StockPool>): bigint =>
  (order.side === 'buy') === (order.exact === 'input') ? split.stock : split.usdX256

const usd = (dollars: bigint): bigint => dollars << 256n

/** Small, and large enough to leave the ranges of some pools; stock for what dollars buy. */
const ordersFor = (some: readonly Candidate[]): readonly SplitOrder[] =>
  [1000n, 20_000n, 150_000n].flatMap((dollars): readonly SplitOrder[] => {
    const order = { side: 'buy', exact: 'input', usdX256: usd(dollars) } as const
    const { stock } = splitOrder(inDirection(some, 'buy'), order).split
    return [order, { side: 'buy', exact: 'output', stock }, { side: 'sell', exact: 'input', stock }]
  })

type Won = { readonly legs: number; readonly lead: number }

/** How many pools are used, and how much more they give than the best of the parts. */
const expectBest = async (order: SplitOrder, some: readonly StockPool[]): Promise<Won | null> => {
  const { split, single } = splitOrder(some, order)
  for (const { pool, swap } of split.legs) {
    const { amountIn, amountOut, filled } = swap
    if (!filled) continue
    const [amount, answer] = order.exact === 'input' ? [amountIn, amountOut] : [amountOut, amountIn]
    expect(await ask(pool, order, [amount]), pool.indexed.id).toEqual([answer])
  }
  const tables = await Promise.all(some.map((pool) => partsOf(pool, order)))
  const best = bestOfParts(order, tables)
  if (best === null) return null
  const own = resultOf(order, split)
  const rounding = some.reduce((sum, pool) => sum + roundingUnits * worthOf(order, pool), 0n)
  const lead = order.exact === 'input' ? own - best : best - own
  expect(lead).toBeGreaterThanOrEqual(-rounding)
  const singles = tables.map((table) => table[parts] ?? null)
  const bestSingle = singles.reduce((a, b) => better(order, a, b), null)
  expect(single === null ? null : resultOf(order, single)).toBe(bestSingle)
  return { legs: split.legs.length, lead: Number(lead) / Number(own) }
}

test('no split into parts gives more by the quoters, and the best pool is theirs', async () => {
  const groups = poolsByStock()
  const isV3 = ({ indexed }: Candidate) => indexed.spec.version === 'v3'
  expect(groups.filter((some) => some.filter(isV3).length > 1).length).toBeGreaterThan(1)
  const won: Won[] = []
  for (const some of groups) {
    for (const order of ordersFor(some)) {
      const each = await expectBest(order, inDirection(some, order.side))
      if (each !== null) won.push(each)
    }
  }
  const split = won.filter(({ legs }) => legs > 1)
  expect(split.length).toBeGreaterThan(20)
  expect(split.filter(({ legs }) => legs > 2).length).toBeGreaterThan(5)
  // Parts come close except where the liquidity of a pool ends, or they would prove nothing.
  const close = split.filter(({ lead }) => lead < 1e-3)
  expect(close.length / split.length).toBeGreaterThan(0.8)
})
