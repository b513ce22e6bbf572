import type { TokenRoles } from '../pool/pool-kind.ts'
import type { PoolSet } from '../pool/pool-set.ts'
import type { PoolNumber } from '../pool/pool-state.ts'
import type { TrackedPool } from '../pool/tracked-pool.ts'
import type { Reading } from '../reading.ts'
import type { Address, UnixSeconds } from '../units.ts'
import { hasCustomAccounting } from '../valuation/pool-reserves.ts'
import {
  createDepthRanking,
  type DepthEntry,
  type DepthRanking,
  isDeeper,
} from './depth-ranking.ts'
import { approximateDepth, type TickDepth } from './tick-depth.ts'

/** A pool that can price a token, because its other token is trusted. */
export type PricingPool = {
  readonly pool: TrackedPool
  /** Which side is the priced token. */
  readonly isToken0: boolean
  /** US dollars per trusted token. */
  readonly trustedUsd: number
}

/** The pool with the most dollars on its trusted side; null if none has in-range liquidity. */
export type DeepestPool = (token: Address, ts: UnixSeconds) => PricingPool | null

const nothing: TickDepth = { amount0: 0, amount1: 0 }

/** Zero for a pool whose price is free to move or set by a hook. */
const depthOf = ({ identity, state, tickMap }: TrackedPool): TickDepth => {
  const { price, liquidity, mapFault } = state
  if (price === null || liquidity === 0n || mapFault !== null) return nothing
  return hasCustomAccounting({ key: identity.key, mapFault })
    ? nothing
    : approximateDepth(tickMap, price.sqrtPriceX96)
}

/** Pools that can price one token. */
type PricingPools = {
  readonly byTrustedToken: Map<Address, DepthRanking>
  /** Ranked on the next request only, because references supply most prices. */
  readonly changed: Map<PoolNumber, TrackedPool>
}

const createPricingPools = (): PricingPools => ({ byTrustedToken: new Map(), changed: new Map() })

const rankChanged = (token: Address, { byTrustedToken, changed }: PricingPools): void => {
  for (const pool of changed.values()) {
    const { number, key } = pool.identity
    const isToken0 = key.token0 === token
    const trustedToken = isToken0 ? key.token1 : key.token0
    const ranking = byTrustedToken.get(trustedToken) ?? createDepthRanking()
    byTrustedToken.set(trustedToken, ranking)
    const { amount0, amount1 } = depthOf(pool)
    ranking.set(number, isToken0 ? amount1 : amount0)
  }
  changed.clear()
}

/** Ranks by present depth, so that swap values do not depend on how blocks were cut into ranges. */
export const createDeepestPool = (deps: {
  readonly pools: PoolSet
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
  /** US dollars per trusted token; null if no price of that time is known. */
  readonly trustedUsdAt: (trustedToken: Address, ts: UnixSeconds) => number | null
}): DeepestPool => {
  const { pools, roles, decimalsOf, trustedUsdAt } = deps
  const byToken = new Map<Address, PricingPools>()

  const markChanged = (token: Address, pool: TrackedPool): void => {
    const pricingPools = byToken.get(token) ?? createPricingPools()
    byToken.set(token, pricingPools)
    pricingPools.changed.set(pool.identity.number, pool)
  }

  pools.subscribe((pool) => {
    const { token0, token1 } = pool.identity.key
    if (roles.isTrusted(token1)) markChanged(token0, pool)
    if (roles.isTrusted(token0)) markChanged(token1, pool)
  })

  return (token, ts) => {
    const pricingPools = byToken.get(token)
    if (pricingPools === undefined) return null
    rankChanged(token, pricingPools)
    let deepest: DepthEntry | null = null
    let deepestUsd = 0
    for (const [trustedToken, ranking] of pricingPools.byTrustedToken) {
      const best = ranking.best()
      const decimals = decimalsOf(trustedToken)
      const trustedUsd = trustedUsdAt(trustedToken, ts)
      if (best === null || !decimals.known || trustedUsd === null) continue
      const depth = (best.depth / 10 ** decimals.value) * trustedUsd
      const inUsd: DepthEntry = { number: best.number, depth }
      if (deepest !== null && !isDeeper(inUsd, deepest)) continue
      deepest = inUsd
      deepestUsd = trustedUsd
    }
    const pool = deepest === null ? undefined : pools.byNumber(deepest.number)
    if (pool === undefined) return null
    return { pool, isToken0: pool.identity.key.token0 === token, trustedUsd: deepestUsd }
  }
}
