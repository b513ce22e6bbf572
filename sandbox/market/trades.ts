import type { Call } from '../chain/sender.ts'
import type { Random } from '../random.ts'
import { toSqrtPriceX96 } from '../world/maths.ts'
import type { Pool } from '../world/pool.ts'
import { fairPrice, isOpen, usdToRaw, type World } from '../world/world.ts'
import { aimAtPrice, createTrade } from './calls.ts'
import type { Prices } from './prices.ts'

/** Median order in US dollars; sizes are log-normal. */
const orderUsd = 600
const orderSpread = 1.2

/** No single order takes more than this share of a pool. */
const orderShareMax = 0.015

/** Maximum distance of an order's limit from the fair price, as a share of the square root. */
const pushMax = 0.002

/** Typical error of arbitrage, as a share of the price. */
const aimError = 0.0008

const aimToleranceBps = 3n

export type DrawnTrade = { readonly pool: Pool; readonly call: Call }

/** Draws the next trade: an order, or arbitrage to the fair price. */
export function drawTrade(world: World, prices: Prices, random: Random): DrawnTrade {
  const pool = pickByFlow(world.pools.filter(isOpen), random)
  const call = random.chance(0.5)
    ? orderMove(world, prices, pool, random)
    : aimMove(world, prices, pool, random)
  return { pool, call }
}

export function pickByFlow(pools: readonly Pool[], random: Random): Pool {
  const total = pools.reduce((sum, pool) => sum + pool.spec.flow, 0)
  let left = random.next() * total
  const picked = pools.find((pool) => {
    left -= pool.spec.flow
    return left < 0
  })
  return picked ?? (pools[0] as Pool)
}

function orderMove(world: World, prices: Prices, pool: Pool, random: Random): Call {
  const zeroForOne = random.chance(0.5)
  const exactInput = random.chance(0.75)
  const size = Math.exp(Math.log(orderUsd) + orderSpread * random.normal())
  const usd = Math.min(size, pool.spec.depthUsd * orderShareMax)
  const inKey = zeroForOne ? pool.token0 : pool.token1
  const outKey = zeroForOne ? pool.token1 : pool.token0
  const amount = exactInput
    ? -usdToRaw(world, prices, inKey, usd)
    : usdToRaw(world, prices, outKey, usd)
  const push = zeroForOne ? 1 - pushMax : 1 + pushMax
  const limit = toSqrtPriceX96(fairPrice(world, prices, pool) * push ** 2)
  return createTrade(world, pool, {
    zeroForOne,
    amount,
    limit,
    recipient: recipient(world, random),
  })
}

function aimMove(world: World, prices: Prices, pool: Pool, random: Random): Call {
  const error = 1 + aimError * random.normal()
  return aimAtPrice(world, pool, {
    target: toSqrtPriceX96(fairPrice(world, prices, pool) * error),
    toleranceBps: aimToleranceBps,
    amount0Max: usdToRaw(world, prices, pool.token0, pool.spec.depthUsd),
    amount1Max: usdToRaw(world, prices, pool.token1, pool.spec.depthUsd),
    recipient: recipient(world, random),
  })
}

const recipient = (world: World, random: Random) => random.pick(world.accounts.traders)
