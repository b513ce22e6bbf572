import { amountToApprox } from '../math/price.ts'
import type { TokenRoles } from '../pool/kind.ts'
import type { PoolNumber, RawAmounts } from '../pool/pool-state.ts'
import type { Reading } from '../reading.ts'
import type { Address } from '../units.ts'
import { hasCustomAccounting } from '../valuation/reserves.ts'
import type { PoolBook } from './pool-book.ts'
import { type TrackedPool, withReserves } from './tracked-pool.ts'

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

type Side = { readonly number: PoolNumber; readonly isToken0: boolean }

/** All pools of a book by the token that they price; pools are only ever added to a book. */
const createSides = (book: PoolBook, roles: TokenRoles) => {
  const byToken = new Map<Address, Side[]>()
  let seen = 0

  const note = (token: Address, anchor: Address, side: Side): void => {
    if (!roles.isTrusted(anchor)) return
    const sides = byToken.get(token)
    if (sides === undefined) byToken.set(token, [side])
    else sides.push(side)
  }

  return (token: Address): readonly Side[] => {
    while (seen < book.size()) {
      const pool = book.nth(seen)
      seen += 1
      if (pool === undefined) continue
      const { number, key } = pool.identity
      note(key.token0, key.token1, { number, isToken0: true })
      note(key.token1, key.token0, { number, isToken0: false })
    }
    return byToken.get(token) ?? []
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
  const sidesOf = createSides(book, roles)
  /** A pool's state never changes, it is replaced: its reserves are worth computing once. */
  const reserves = new WeakMap<TrackedPool, RawAmounts | null>()

  const reservesNow = (pool: TrackedPool): RawAmounts | null => {
    const kept = reserves.get(pool)
    if (kept !== undefined) return kept
    const { identity, state } = pool
    const isTold = state.liquidity > 0n && !hasCustomAccounting({ ...identity, ...state })
    const now = isTold ? withReserves(pool).state.reserves : null
    reserves.set(pool, now)
    return now
  }

  return (token, anchorUsdOf) => {
    let deepest: Speaker | null = null
    let depthMax = 0
    for (const { number, isToken0 } of sidesOf(token)) {
      const pool = book.byNumber(number)
      const held = pool && reservesNow(pool)
      if (!held) continue
      const anchor = isToken0 ? pool.identity.key.token1 : pool.identity.key.token0
      const decimals = decimalsOf(anchor)
      const anchorUsd = anchorUsdOf(anchor)
      if (!decimals.known || anchorUsd === null) continue
      const raw = isToken0 ? held.amount1 : held.amount0
      const depthUsd = amountToApprox(raw, decimals.value) * anchorUsd
      if (depthUsd <= depthMax) continue
      depthMax = depthUsd
      deepest = { pool, isToken0, anchorUsd }
    }
    return deepest
  }
}
