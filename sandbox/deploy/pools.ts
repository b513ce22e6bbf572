import type { Call } from '../chain/sender.ts'
import { createTrade, openPool } from '../market/calls.ts'
import { createInitialPositions } from '../market/liquidity.ts'
import type { Prices } from '../market/prices.ts'
import { sqrtPriceMax, sqrtPriceMin, toSqrtPriceX96 } from '../world/maths.ts'
import { buildPool, type Pool } from '../world/pool.ts'
import type { PoolSpec } from '../world/pool-table.ts'
import { fairPrice, tokenOf, type World } from '../world/world.ts'

export function planPool(world: World, spec: PoolSpec): Pool {
  const { dynamicFeeHook, returnsDeltaHook } = world.contracts
  const hooks = { 'dynamic-fee': dynamicFeeHook, 'returns-delta': returnsDeltaHook }
  const contracts = { ...world.contracts, hooks }
  return buildPool(spec, tokenOf(world, spec.a), tokenOf(world, spec.b), contracts)
}

/** The calls that create a pool: creation, first price and first positions. */
export function createPoolCalls(world: World, prices: Prices, pool: Pool, now: number): Call[] {
  pool.createdTs = now
  const opening = openPool(world, pool, firstPrice(world, prices, pool))
  return [...opening, ...pushToBound(world, pool), ...createInitialPositions(world, prices, pool)]
}

function firstPrice(world: World, prices: Prices, pool: Pool): bigint | null {
  switch (pool.spec.start) {
    case 'uninitialised':
      return null
    case 'min-bound':
      return sqrtPriceMin
    default:
      return toSqrtPriceX96(fairPrice(world, prices, pool))
  }
}

/** A swap without liquidity moves the price to its limit and moves no tokens. */
function pushToBound(world: World, pool: Pool): Call[] {
  if (pool.spec.start !== 'max-bound') return []
  const order = { zeroForOne: false, amount: -1n, limit: sqrtPriceMax - 1n }
  return [createTrade(world, pool, { ...order, recipient: world.accounts.deployer })]
}
