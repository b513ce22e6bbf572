import type { TokenRoles } from '../pool/kind.ts'
import type { PoolNumber } from '../pool/pool-state.ts'
import type { Reading } from '../reading.ts'
import type { Address } from '../units.ts'
import { hasCustomAccounting } from '../valuation/reserves.ts'
import { createMapDepth, type Depth } from './map-depth.ts'
import type { PoolBook } from './pool-book.ts'
import { createRanking, isAhead, type Ranked, type Ranking } from './ranking.ts'
import type { TrackedPool } from './tracked-pool.ts'

/** A pool that can speak for a token, because its other token is trusted. */
export type Speaker = {
  readonly pool: TrackedPool
  /** Which side is the priced token. */
  readonly isToken0: boolean
  /** US dollars per trusted token. */
  readonly anchorUsd: number
}

/** The pool with the most dollars on its trusted side now; null if none holds any in range. */
export type DeepestPool = (
  token: Address,
  anchorUsdOf: (anchor: Address) => number | null,
) => Speaker | null

const nothing: Depth = { amount0: 0, amount1: 0 }

/** The rankings of pools by what they hold of a trusted token, for each token that they price. */
const createRankings = (roles: TokenRoles) => {
  const byToken = new Map<Address, Map<Address, Ranking>>()
  const depthOfMap = createMapDepth()

  /** Nothing, for a pool whose price costs nothing to move or is not its own. */
  const depthOf = ({ identity, state, map }: TrackedPool): Depth => {
    if (state.price === null || state.liquidity === 0n || state.mapFault !== null) return nothing
    if (hasCustomAccounting({ ...identity, ...state })) return nothing
    return depthOfMap(map, state.price.sqrtPriceX96)
  }

  const rankingOf = (token: Address, anchor: Address): Ranking => {
    const byAnchor = byToken.get(token) ?? new Map<Address, Ranking>()
    const ranking = byAnchor.get(anchor) ?? createRanking()
    byToken.set(token, byAnchor.set(anchor, ranking))
    return ranking
  }

  return {
    isSpeaker: ({ identity: { key } }: TrackedPool): boolean =>
      roles.isTrusted(key.token0) || roles.isTrusted(key.token1),
    rank: (pool: TrackedPool): void => {
      const { token0, token1 } = pool.identity.key
      const { amount0, amount1 } = depthOf(pool)
      const { number } = pool.identity
      if (roles.isTrusted(token1)) rankingOf(token0, token1).set(number, amount1)
      if (roles.isTrusted(token0)) rankingOf(token1, token0).set(number, amount0)
    },
    of: (token: Address): ReadonlyMap<Address, Ranking> => byToken.get(token) ?? new Map(),
  }
}

/**
 * Depth is judged by what the pools hold at this very moment, so that a swap's value does not
 * depend on how the blocks were cut into ranges.
 */
export const createDeepestPool = (deps: {
  readonly book: PoolBook
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
}): DeepestPool => {
  const { book, roles, decimalsOf } = deps
  const rankings = createRankings(roles)
  /** Ranked when somebody asks: most prices come from references. */
  const changed = new Map<PoolNumber, TrackedPool>()
  book.watch((pool) => {
    if (rankings.isSpeaker(pool)) changed.set(pool.identity.number, pool)
  })

  const speakerOf = (
    token: Address,
    { number, anchorUsd }: Pick<Ranked, 'number'> & Pick<Speaker, 'anchorUsd'>,
  ): Speaker | null => {
    const pool = book.byNumber(number)
    return pool === undefined
      ? null
      : { pool, isToken0: pool.identity.key.token0 === token, anchorUsd }
  }

  return (token, anchorUsdOf) => {
    for (const pool of changed.values()) rankings.rank(pool)
    changed.clear()
    let deepest: (Ranked & { readonly anchorUsd: number }) | null = null
    for (const [anchor, ranking] of rankings.of(token)) {
      const ranked = ranking.best()
      const decimals = decimalsOf(anchor)
      const anchorUsd = anchorUsdOf(anchor)
      if (ranked === null || !decimals.known || anchorUsd === null) continue
      const inUsd = { ...ranked, depth: (ranked.depth / 10 ** decimals.value) * anchorUsd }
      if (deepest === null || isAhead(inUsd, deepest)) deepest = { ...inUsd, anchorUsd }
    }
    return deepest && speakerOf(token, deepest)
  }
}
