import { getProtocol } from '../dex/find-protocol.ts'
import { hookMovesTokens } from '../dex/uniswap-v4/hook-flags.ts'
import { amountToApprox } from '../math/pool-price.ts'
import type { PoolIdentity, PoolState } from '../pool/pool-state.ts'
import type { Reading } from '../reading.ts'
import { isWithin, type Policy } from '../status/freshness.ts'
import { nativeAddress, type UnixSeconds } from '../units.ts'
import type { ReserveSource } from '../views/pool.ts'

/** Reserves from another source than the tick map, in whole tokens. */
export type FallbackReserve = {
  readonly source: 'balance' | 'screener'
  readonly amount0: number | null
  readonly amount1: number | null
  readonly ts: UnixSeconds
}

export type Reserves = {
  /** Whole tokens; null when unknown. */
  readonly amount0: number | null
  readonly amount1: number | null
  readonly source: ReserveSource | null
  readonly readTs: UnixSeconds | null
}

const noReserves: Reserves = { amount0: null, amount1: null, source: null, readTs: null }

/** Whether the hook may move tokens without an event of the pool. */
export const hasCustomAccounting = ({
  key,
  mapFault,
}: Pick<PoolIdentity & PoolState, 'key' | 'mapFault'>): boolean => {
  if (mapFault === 'hook_custom_accounting') return true
  return key.hooks !== nativeAddress && hookMovesTokens(key)
}

const approx = (raw: bigint, decimals: Reading<number>): number | null =>
  decimals.known ? amountToApprox(raw, decimals.value) : null

/**
 * The pool's reserves by the best source there is (methodology §4): its own tick map, unless a
 * token rebases; else a v3 pool's balances (an upper bound); else a recent screener figure. Null if
 * a hook holds reserves of its own.
 */
export const resolveReserves = (input: {
  readonly pool: PoolIdentity & PoolState
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  readonly fallback: FallbackReserve | null
  /** A token rebases: what the map says was true when it was paid in. */
  readonly isRebasing: boolean
  /** When the map was last known to be up to date with the indexed head. */
  readonly enrichedTs: UnixSeconds | null
  readonly policy: Policy
  readonly now: UnixSeconds
}): Reserves => {
  const { pool, fallback, policy, now } = input
  if (pool.price === null || hasCustomAccounting(pool)) return noReserves
  if (pool.reserves !== null && !input.isRebasing) {
    return {
      amount0: approx(pool.reserves.amount0, input.decimals0),
      amount1: approx(pool.reserves.amount1, input.decimals1),
      source: 'ticks',
      readTs: input.enrichedTs,
    }
  }
  if (fallback === null) return noReserves
  if (fallback.source === 'balance' && getProtocol(pool.protocol).emitter !== 'pool')
    return noReserves
  const limits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
  if (fallback.source === 'screener' && !isWithin(fallback.ts, limits)) return noReserves
  const { amount0, amount1, source, ts } = fallback
  return { amount0, amount1, source, readTs: ts }
}
