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

/** The recent prices of the pools that may speak for a token. */
export type PoolPricePaths = {
  /** The pools of a book with a trusted side: no other one prices a token. */
  readonly pricingPools: PoolSelector
  readonly record: (ingested: IngestResult) => void
  /** Forgets all prices: they were those of a branch that was replaced. */
  readonly clear: () => void
  /** Pools by the token that they price, each with its path up to `ts`. */
  readonly pathsByToken: (ts: UnixSeconds) => ReadonlyMap<Address, readonly PricingPoolPath[]>
}

type Deps = {
  readonly pools: () => PoolSet
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
}

/** Each pool's swaps of a range from the one on whose price still held when the window began. */
const recentOf = (swaps: readonly StoredSwap[]): ReadonlyMap<PoolNumber, StoredSwap[]> => {
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
  const speakers = createPoolSelector(
    ({ identity: { key } }) => roles.isTrusted(key.token0) || roles.isTrusted(key.token1),
  )
  /** By pool number and priced side. */
  const paths = new Map<string, PriceStep[]>()

  const factsOf = ({ identity, state }: TrackedPool, stockIsToken0: boolean, path: PriceStep[]) =>
    pricingPoolPath(
      {
        pool: { ...identity, ...state },
        decimals0: decimalsOf(identity.key.token0),
        decimals1: decimalsOf(identity.key.token1),
        path,
      },
      { stockIsToken0 },
    )

  /** The sides that the pool prices: the stock of a canonical pool, both of a trusted pair. */
  const sidesOf = ({ identity }: TrackedPool): readonly boolean[] => {
    if (isReferencePool(identity.key, roles)) return [true, false]
    const sides = classifyPool(identity.key, roles)
    return sides?.kind === 'canonical' ? [sides.stockIsToken0] : []
  }

  const pathOf = (pool: TrackedPool, isToken0: boolean): PriceStep[] => {
    const key = `${pool.identity.number}:${isToken0}`
    const path = paths.get(key) ?? []
    paths.set(key, path)
    return path
  }

  const noteState = (pool: TrackedPool, ts: UnixSeconds): void => {
    for (const isToken0 of sidesOf(pool)) {
      const path = pathOf(pool, isToken0)
      const price = pricingPoolPrice(factsOf(pool, isToken0, path))
      if (price !== null) appendStep(path, { ts, price })
    }
  }

  const noteSwaps = (pool: TrackedPool, swaps: readonly StoredSwap[]): void => {
    for (const { sqrtPriceX96, tick, ts } of swaps) {
      noteState({ ...pool, state: { ...pool.state, price: { sqrtPriceX96, tick } } }, ts)
    }
  }

  return {
    pricingPools: speakers,
    record: ({ touched, swaps, pools: created }) => {
      const recent = recentOf(swaps)
      const isNew = new Set(created.map((pool) => pool.number))
      for (const pool of touched) {
        const { number, createdTs } = pool.identity
        const own = recent.get(number)
        if (own !== undefined) noteSwaps(pool, own)
        else if (isNew.has(number)) noteState(pool, createdTs)
      }
    },
    clear: () => paths.clear(),
    pathsByToken: (ts) => {
      const byToken = new Map<Address, PricingPoolPath[]>()
      for (const pool of speakers(pools()).values()) {
        // Without liquidity a price costs nothing to move: it speaks for nobody.
        if (pool.state.liquidity === 0n) continue
        for (const isToken0 of sidesOf(pool)) {
          const path = pathOf(pool, isToken0)
          // After a restart nothing is known of the past minutes but where the price stands.
          if (path.length === 0) noteState(pool, pool.state.lastSwapTs ?? pool.identity.createdTs)
          while ((path[1]?.ts ?? ts) < ts - poolWindowSeconds) path.shift()
          const facts = factsOf(pool, isToken0, path)
          const ofToken = byToken.get(facts.token)
          if (ofToken === undefined) byToken.set(facts.token, [facts])
          else ofToken.push(facts)
        }
      }
      return byToken
    },
  }
}
