import type { Call } from '../chain/sender.ts'
import type { Random } from '../random.ts'
import { amountsPerLiquidity, fullRange, rangeAround, type TickRange } from '../world/maths.ts'
import type { Pool, Position } from '../world/pool.ts'
import { fairPrice, isOpen, tokenOf, type World } from '../world/world.ts'
import { addLiquidity, positionSalt, trimLiquidity } from './calls.ts'
import type { Prices } from './prices.ts'
import { pickByFlow } from './trades.ts'

/** A range from `low` to `high` times the price, with a share of the pool's depth. */
type Rung = { readonly low: number; readonly high: number; readonly share: number }

const everywhere = { low: 0, high: Number.POSITIVE_INFINITY }

const deepLadder: readonly Rung[] = [
  { ...everywhere, share: 0.08 },
  { low: 0.75, high: 1.33, share: 0.22 },
  { low: 0.93, high: 1.07, share: 0.3 },
  { low: 0.98, high: 1.02, share: 0.3 },
  { low: 0.99, high: 1.05, share: 0.02 },
  { low: 1.05, high: 1.15, share: 0.04 },
  { low: 0.87, high: 0.95, share: 0.04 },
]

const shallowLadder: readonly Rung[] = [
  { ...everywhere, share: 0.4 },
  { low: 0.7, high: 1.4, share: 0.6 },
]

const offPriceLadder: readonly Rung[] = [
  { low: 1.06, high: 1.3, share: 0.5 },
  { low: 0.7, high: 0.94, share: 0.5 },
]

/** Half widths of the ranges of new liquidity, relative to the price. */
const widths: readonly number[] = [0.015, 0.04, 0.1, 0.25]

/** Maximum ranges per pool, core positions included. */
const rangesMax = 14

/** Adds the first positions of a pool and returns their calls. */
export function createInitialPositions(world: World, prices: Prices, pool: Pool): Call[] {
  const price = fairPrice(world, prices, pool)
  return ladderOf(pool).flatMap((rung) => {
    const range =
      rung.low === 0
        ? fullRange(pool.spec.tickSpacing)
        : rangeAround(price, rung.low, rung.high, pool.spec.tickSpacing)
    const usd = rung.share * pool.spec.depthUsd
    return addUsd(world, prices, pool, positionAt(pool, range, true), usd)
  })
}

/** Draws a provider's next action: adds to a range, opens one, or removes liquidity. */
export function drawLiquidityCalls(world: World, prices: Prices, random: Random): Call[] {
  const pool = pickByFlow(world.pools.filter(isOpen), random)
  const loose = pool.positions.filter((position) => !position.core && position.liquidity !== '0')
  if (loose.length > 0 && random.chance(0.5)) {
    const bps = random.chance(0.4) ? 10_000n : BigInt(Math.floor(random.between(1_000, 9_000)))
    return removeShare(world, pool, random.pick(loose), bps)
  }
  const usd = pool.spec.depthUsd * random.between(0.005, 0.03)
  return addUsd(world, prices, pool, rangeForMore(world, prices, pool, random), usd)
}

/** Removes all liquidity of a pool. */
export function drainPool(world: World, pool: Pool): Call[] {
  return pool.positions.flatMap((position) => removeShare(world, pool, position, 10_000n))
}

function ladderOf(pool: Pool): readonly Rung[] {
  switch (pool.spec.shape) {
    case 'deep':
      return deepLadder
    case 'shallow':
      return shallowLadder
    case 'off-price':
      return offPriceLadder
    case 'one-sided':
      // Token a only: above the price if it is token0, below if it is token1.
      return [
        pool.token0 === pool.spec.a
          ? { low: 1.06, high: 60, share: 1 }
          : { low: 1 / 60, high: 0.94, share: 1 },
      ]
    case 'none':
      return []
  }
}

function rangeForMore(world: World, prices: Prices, pool: Pool, random: Random): Position {
  const loose = pool.positions.filter((position) => !position.core)
  const isFull = pool.positions.length >= rangesMax
  if (loose.length > 0 && (isFull || random.chance(0.4))) return random.pick(loose)
  const width = random.pick(widths)
  const centre = random.between(1 - width, 1 + width)
  const price = fairPrice(world, prices, pool) * centre
  const range = rangeAround(price, 1 - width, 1 + width, pool.spec.tickSpacing)
  return positionAt(pool, range, false)
}

/** v3 has one position per owner and range; v4 positions differ by salt. */
function positionAt(pool: Pool, range: TickRange, core: boolean): Position {
  const same = pool.positions.find(
    (position) =>
      position.tickLower === range.tickLower &&
      position.tickUpper === range.tickUpper &&
      pool.spec.version === 'v3',
  )
  if (same) return same
  const salt = positionSalt(pool.spec.version === 'v3' ? 0 : pool.positions.length)
  const position: Position = { ...range, salt, core, liquidity: '0' }
  pool.positions.push(position)
  return position
}

function addUsd(world: World, prices: Prices, pool: Pool, at: Position, usd: number): Call[] {
  const price = fairPrice(world, prices, pool)
  const per = amountsPerLiquidity(price, at)
  const [token0, token1] = [tokenOf(world, pool.token0).spec, tokenOf(world, pool.token1).spec]
  const usdPer =
    (per.amount0 / 10 ** token0.decimals) * prices.usd(token0.key) +
    (per.amount1 / 10 ** token1.decimals) * prices.usd(token1.key)
  const liquidity = BigInt(Math.floor(usd / usdPer))
  if (liquidity === 0n) return []
  at.liquidity = String(BigInt(at.liquidity) + liquidity)
  return [addLiquidity(world, pool, at, liquidity)]
}

function removeShare(world: World, pool: Pool, at: Position, bps: bigint): Call[] {
  const before = BigInt(at.liquidity)
  if (before === 0n) return []
  at.liquidity = String(before - (before * bps) / 10_000n)
  return [trimLiquidity(world, pool, at, bps)]
}
