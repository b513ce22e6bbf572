import type { TokenRoles } from '../pool/pool-kind.ts'
import type { PoolSet } from '../pool/pool-set.ts'
import type { PoolNumber } from '../pool/pool-state.ts'
import type { TrackedPool } from '../pool/tracked-pool.ts'
import type { Reading } from '../reading.ts'
import type { Address, UnixSeconds } from '../units.ts'
import { hasCustomAccounting } from '../valuation/pool-reserves.ts'
import { createRanking, type DepthEntry, type DepthRanking, isDeeper } from './depth-ranking.ts'
import { approximateDepth, type TickDepth } from './tick-depth.ts'

/** A pool that can speak for a token, because its other token is trusted. */
export type PricingPool = {
  readonly pool: TrackedPool
  /** Which side is the priced token. */
  readonly isToken0: boolean
  /** US dollars per trusted token. */
  readonly anchorUsd: number
}

/** The pool with the most dollars on its trusted side now; null if none holds any in range. */
export type DeepestPool = (token: Address, ts: UnixSeconds) => PricingPool | null

const nothing: TickDepth = { amount0: 0, amount1: 0 }

/** Nothing, for a pool whose price costs nothing to move or is not its own. */
const depthOf = ({ identity, state, map }: TrackedPool): TickDepth => {
  const { price, liquidity, mapFault } = state
  if (price === null || liquidity === 0n || mapFault !== null) return nothing
  return hasCustomAccounting({ key: identity.key, mapFault })
    ? nothing
    : approximateDepth(map, price.sqrtPriceX96)
}

/** The pools that can speak for one token. */
type Speakers = {
  readonly byAnchor: Map<Address, DepthRanking>
  /** Not ranked since: they are when somebody asks, for most prices come from references. */
  readonly changed: Map<PoolNumber, TrackedPool>
}

const createSpeakers = (): Speakers => ({ byAnchor: new Map(), changed: new Map() })

/** Brings the token's rankings up to date. */
const rankChanged = (token: Address, { byAnchor, changed }: Speakers): void => {
  for (const pool of changed.values()) {
    const { number, key } = pool.identity
    const isToken0 = key.token0 === token
    const anchor = isToken0 ? key.token1 : key.token0
    const ranking = byAnchor.get(anchor) ?? createRanking()
    byAnchor.set(anchor, ranking)
    const { amount0, amount1 } = depthOf(pool)
    ranking.set(number, isToken0 ? amount1 : amount0)
  }
  changed.clear()
}

/**
 * Depth is judged by what the pools hold at this very moment, so that a swap's value does not
 * depend on how the blocks were cut into ranges.
 */
export const createDeepestPool = (deps: {
  readonly book: PoolSet
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
  /** Dollars per trusted token; null where none of that time is known. */
  readonly anchorUsdAt: (anchor: Address, ts: UnixSeconds) => number | null
}): DeepestPool => {
  const { book, roles, decimalsOf, anchorUsdAt } = deps
  const byToken = new Map<Address, Speakers>()

  const note = (token: Address, pool: TrackedPool): void => {
    const speakers = byToken.get(token) ?? createSpeakers()
    byToken.set(token, speakers)
    speakers.changed.set(pool.identity.number, pool)
  }

  book.subscribe((pool) => {
    const { token0, token1 } = pool.identity.key
    if (roles.isTrusted(token1)) note(token0, pool)
    if (roles.isTrusted(token0)) note(token1, pool)
  })

  return (token, ts) => {
    const speakers = byToken.get(token)
    if (speakers === undefined) return null
    rankChanged(token, speakers)
    let deepest: DepthEntry | null = null
    let deepestUsd = 0
    for (const [anchor, ranking] of speakers.byAnchor) {
      const best = ranking.best()
      const decimals = decimalsOf(anchor)
      const anchorUsd = anchorUsdAt(anchor, ts)
      if (best === null || !decimals.known || anchorUsd === null) continue
      const depth = (best.depth / 10 ** decimals.value) * anchorUsd
      const inUsd: DepthEntry = { number: best.number, depth }
      if (deepest !== null && !isDeeper(inUsd, deepest)) continue
      deepest = inUsd
      deepestUsd = anchorUsd
    }
    const pool = deepest === null ? undefined : book.byNumber(deepest.number)
    if (pool === undefined) return null
    return { pool, isToken0: pool.identity.key.token0 === token, anchorUsd: deepestUsd }
  }
}
