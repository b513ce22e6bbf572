import type { Random } from '../../sandbox/random.ts'
import {
  sqrtPriceAtTick,
  sqrtPriceMaxX96,
  sqrtPriceMinX96,
  tickMax,
  tickMin,
} from '../../src/domain/math/tick-math.ts'
import { simulateSwap } from '../../src/domain/swap/simulate-swap.ts'
import type { SwapFee } from './fees.ts'
import type { IndexedPool } from './indexed-sandbox.ts'
import type { Ask } from './quoters.ts'

const exacts = ['input', 'output'] as const
const isDown = [true, false] as const

/** v4 counts amounts in 128 bits with a sign. */
export const amountMaxV4 = 2n ** 127n - 1n
const endless = 2n ** 200n
/** How far from its price a mined swap may move a pool. */
const nearTicks = 20_000

const bitsOf = (value: bigint): number => value.toString(2).length

/** From one up to `max`, each order of magnitude as likely as any other. */
const drawAmount = (random: Random, max: bigint): bigint => {
  const bits = BigInt(Math.ceil(random.next() * bitsOf(max)))
  const fraction = BigInt(Math.floor(random.next() * 2 ** 48))
  const amount = ((1n << bits) * (2n ** 48n + fraction)) >> 50n
  return amount < 1n ? 1n : amount > max ? max : amount
}

/** What the liquidity of a direction takes, with the fee, or pays. */
export const possibleOf = (pool: IndexedPool, ask: Omit<Ask, 'pool' | 'amount'>, fee: number) => {
  const { zeroForOne, exact, limitX96 } = ask
  const limit = limitX96 === undefined ? {} : { limitX96 }
  const whole = simulateSwap(pool, { zeroForOne, exact: 'input', amount: endless, fee, ...limit })
  return exact === 'input' ? whole.amountIn : whole.amountOut
}

/** One unit, exactly what is possible, more than that, and drawn amounts. */
const amountsOf = (random: Random, possible: bigint, count: number): readonly bigint[] => {
  const edges = [1n, 2n, possible, possible - 1n, possible + 1n, 3n * possible + 7n]
  const drawn = Array.from({ length: count }, () =>
    drawAmount(random, possible + possible / 20n + 2n),
  )
  return [...edges.filter((amount) => amount > 0n), ...drawn].slice(0, count)
}

type Draw = { readonly fee: SwapFee; readonly count: number }

/** Both directions and both exact sides of a pool, `count` amounts each. */
export const drawAsks = (random: Random, pool: IndexedPool, { fee, count }: Draw): readonly Ask[] =>
  isDown.flatMap((zeroForOne) =>
    exacts.flatMap((exact) => {
      const possible = possibleOf(pool, { zeroForOne, exact }, fee(zeroForOne))
      return amountsOf(random, possible, count)
        .map((amount) => (amount > amountMaxV4 ? amountMaxV4 : amount))
        .map((amount) => ({ pool, zeroForOne, exact, amount }))
    }),
  )

/** A tick of the map, the first of a bitmap word or another one, or a price beside it. */
const drawLimit = (random: Random, pool: IndexedPool, isNear: boolean): bigint => {
  const { price, tickMap, tickSpacing } = pool
  const wordTicks = 256 * (tickSpacing ?? 1)
  const reach = isNear ? nearTicks : Number.POSITIVE_INFINITY
  const ticks = tickMap.ticks.filter((tick) => Math.abs(tick - price.tick) < reach)
  const near = price.tick + Math.round(600 * random.normal())
  const tick = random.pick([
    random.pick([near, ...ticks]),
    wordTicks < reach ? Math.floor(near / wordTicks) * wordTicks : near,
    near,
  ])
  const exact = sqrtPriceAtTick(Math.max(tickMin, Math.min(tickMax, tick)))
  const limitX96 = exact + random.pick([0n, 0n, 1n, -1n, exact / 77_777n])
  if (limitX96 <= sqrtPriceMinX96) return sqrtPriceMinX96 + 1n
  return limitX96 >= sqrtPriceMaxX96 ? sqrtPriceMaxX96 - 1n : limitX96
}

/** Swaps that may end at a price before the amount is used up. */
export const drawLimited = (
  random: Random,
  pool: IndexedPool,
  { fee, count, isNear = false }: Draw & { readonly isNear?: boolean },
): readonly (Ask & { readonly limitX96: bigint })[] =>
  Array.from({ length: count }, () => {
    const limitX96 = drawLimit(random, pool, isNear)
    const zeroForOne = limitX96 < pool.price.sqrtPriceX96
    const exact = random.pick(exacts)
    const possible = possibleOf(pool, { zeroForOne, exact, limitX96 }, fee(zeroForOne))
    const amount = random.chance(0.5) ? 2n * possible + 1n : drawAmount(random, possible + 1n)
    return { pool, zeroForOne, exact, amount, limitX96 }
  }).filter(({ limitX96 }) => limitX96 !== pool.price.sqrtPriceX96)
