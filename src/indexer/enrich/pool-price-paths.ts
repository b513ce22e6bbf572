import type { IngestResult } from '../../domain/ingest/ingest-logs.ts'
import { classifyPool, isReferencePool, type TokenRoles } from '../../domain/pool/pool-kind.ts'
import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import {
  type PricingPoolPath,
  poolWindowSeconds,
  pricingPoolPath,
  pricingPoolPrice,
} from '../../domain/price/pool-quotes.ts'
import { appendStep, type PriceStep } from '../../domain/price/price-path.ts'
import type { Reading } from '../../domain/reading.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { createPoolSelector, type PoolSelector } from '../state/pool-selection.ts'

/** Recent prices of the pricing pools. */
export type PoolPricePaths = {
  /** The pools of a set that have a trusted side: only these price tokens. */
  readonly pricingPools: PoolSelector
  readonly record: (ingested: IngestResult) => void
  /** Drops all prices after a branch replacement. */
  readonly clear: () => void
  /** Pricing pools by the token that they price, each with its price path up to `ts`. */
  readonly pathsByToken: (ts: UnixSeconds) => ReadonlyMap<Address, readonly PricingPoolPath[]>
}

type Deps = {
  readonly pools: () => PoolSet
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
}

/** Each pool's swaps in the window, after the one whose price was current when it began. */
const findRecentSwaps = (swaps: readonly StoredSwap[]): ReadonlyMap<PoolNumber, StoredSwap[]> => {
  const fromTs = (swaps.at(-1)?.ts ?? 0) - poolWindowSeconds
  const recent = new Map<PoolNumber, StoredSwap[]>()
  for (const swap of swaps) {
    const own = recent.get(swap.pool)
    if (own === undefined || swap.ts <= fromTs) recent.set(swap.pool, [swap])
    else own.push(swap)
  }
  return recent
}

export const createPoolPricePaths = ({ pools, roles, decimalsOf }: Deps): PoolPricePaths => {
  const pricingPools = createPoolSelector(
    ({ identity: { key } }) => roles.isTrusted(key.token0) || roles.isTrusted(key.token1),
  )
  /** By pool number and priced side. */
  const paths = new Map<string, PriceStep[]>()

  const toPath = ({ identity, state }: TrackedPool, stockIsToken0: boolean, path: PriceStep[]) =>
    pricingPoolPath(
      {
        pool: { ...identity, ...state },
        decimals0: decimalsOf(identity.key.token0),
        decimals1: decimalsOf(identity.key.token1),
        path,
      },
      { stockIsToken0 },
    )

  /** The sides that a pool prices: the stock of a canonical pool, both of a trusted pair. */
  const pricedSides = ({ identity }: TrackedPool): readonly boolean[] => {
    if (isReferencePool(identity.key, roles)) return [true, false]
    const sides = classifyPool(identity.key, roles)
    return sides?.kind === 'canonical' ? [sides.stockIsToken0] : []
  }

  const getSteps = (pool: TrackedPool, isToken0: boolean): PriceStep[] => {
    const key = `${pool.identity.number}:${isToken0}`
    const path = paths.get(key) ?? []
    paths.set(key, path)
    return path
  }

  const recordState = (pool: TrackedPool, ts: UnixSeconds): void => {
    for (const isToken0 of pricedSides(pool)) {
      const path = getSteps(pool, isToken0)
      const price = pricingPoolPrice(toPath(pool, isToken0, path))
      if (price !== null) appendStep(path, { ts, price })
    }
  }

  const recordSwaps = (pool: TrackedPool, swaps: readonly StoredSwap[]): void => {
    for (const { sqrtPriceX96, tick, ts } of swaps) {
      recordState({ ...pool, state: { ...pool.state, price: { sqrtPriceX96, tick } } }, ts)
    }
  }

  return {
    pricingPools,
    record: ({ touched, swaps, pools: created }) => {
      const recent = findRecentSwaps(swaps)
      const isNew = new Set(created.map((pool) => pool.number))
      for (const pool of touched) {
        const { number, createdTs } = pool.identity
        const own = recent.get(number)
        if (own !== undefined) recordSwaps(pool, own)
        else if (isNew.has(number)) recordState(pool, createdTs)
      }
    },
    clear: () => paths.clear(),
    pathsByToken: (ts) => {
      const byToken = new Map<Address, PricingPoolPath[]>()
      for (const pool of pricingPools(pools()).values()) {
        // Without liquidity a price costs nothing to move, so it prices nothing.
        if (pool.state.liquidity === 0n) continue
        for (const isToken0 of pricedSides(pool)) {
          const path = getSteps(pool, isToken0)
          // After a restart only the current price is known.
          if (path.length === 0) recordState(pool, pool.state.lastSwapTs ?? pool.identity.createdTs)
          while ((path[1]?.ts ?? ts) < ts - poolWindowSeconds) path.shift()
          const pricingPath = toPath(pool, isToken0, path)
          const ofToken = byToken.get(pricingPath.token)
          if (ofToken === undefined) byToken.set(pricingPath.token, [pricingPath])
          else ofToken.push(pricingPath)
        }
      }
      return byToken
    },
  }
}
