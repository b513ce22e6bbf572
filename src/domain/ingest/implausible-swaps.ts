import type { PoolSwapped } from '../pool/pool-event.ts'
import type { PoolNumber, RawAmounts } from '../pool/pool-state.ts'
import { sqrtPriceBefore } from '../pool/price-before-swap.ts'
import { microPerUsd, usdMicroMax } from '../pool/stored-rows.ts'
import { activeAmountsAt } from '../pool/tick-map-reserves.ts'
import { computeReserves, type TrackedPool } from '../pool/tracked-pool.ts'
import type { SwapPricing } from '../price/swap-pricing.ts'
import type { BlockNumber, UnixSeconds } from '../units.ts'
import { hasCustomAccounting } from '../valuation/pool-reserves.ts'

/** A swap worth more than so many times what its pool held at rest is implausible. */
export const implausibleSwapTimesReserves = 10

/** A smaller swap never is: the first buys of a launch pay into a pool that holds nothing yet. */
export const implausibleSwapUsdMin = 1_000

const times = BigInt(implausibleSwapTimesReserves)

/** A pool before its first event of a block: liquidity of one transaction does not rest. */
type RestingPool = { readonly block: BlockNumber; readonly pool: TrackedPool }

type ValuedSwap = {
  readonly event: PoolSwapped
  readonly ts: UnixSeconds
  readonly usdMicro: number | null
}

/** Finds swaps that no pool of that size makes by itself (methodology §5). */
export type ImplausibleSwaps = {
  /** Must be called with the pool before each event. */
  readonly observe: (pool: TrackedPool, block: BlockNumber) => void
  /** `after` is the pool after the swap. */
  readonly isImplausible: (after: TrackedPool, swap: ValuedSwap) => boolean
}

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

const isWithin = (event: PoolSwapped, { amount0, amount1 }: RawAmounts): boolean =>
  magnitude(event.amount0) <= times * amount0 && magnitude(event.amount1) <= times * amount1

/** The in-range segment alone makes most swaps plausible, and costs far less than all reserves. */
const isSmall = ({ state, tickMap }: TrackedPool, event: PoolSwapped): boolean =>
  state.price !== null && isWithin(event, activeAmountsAt(tickMap, state.price.sqrtPriceX96))

const isUnknown = ({ identity, state }: TrackedPool): boolean =>
  state.mapFault !== null || hasCustomAccounting({ key: identity.key, mapFault: state.mapFault })

/** The pool at another price. Its tick follows from no event and counts for no reserves. */
const atPrice = (pool: TrackedPool, sqrtPriceX96: bigint): TrackedPool => ({
  ...pool,
  state: { ...pool.state, price: { sqrtPriceX96, tick: pool.state.price?.tick ?? 0 } },
})

/** `laterPriced`: pools that come with the price after their first swap, not the one before. */
export const createImplausibleSwaps = (
  pricing: SwapPricing,
  laterPriced: Iterable<PoolNumber> = [],
): ImplausibleSwaps => {
  const resting = new Map<PoolNumber, RestingPool>()
  const withLaterPrice = new Set(laterPriced)
  const restingAt = (after: TrackedPool, event: PoolSwapped): TrackedPool | undefined => {
    const { number } = after.identity
    const rest = resting.get(number)
    if (rest === undefined || !withLaterPrice.delete(number)) return rest?.pool
    const pool = atPrice(rest.pool, sqrtPriceBefore(after.tickMap, event))
    resting.set(number, { ...rest, pool })
    return pool
  }
  return {
    observe: (pool, block) => {
      const { number } = pool.identity
      if (resting.get(number)?.block !== block) resting.set(number, { block, pool })
    },
    isImplausible: (after, { event, ts, usdMicro }) => {
      const pool = restingAt(after, event)
      if (usdMicro === null || usdMicro < implausibleSwapUsdMin * microPerUsd) return false
      if (usdMicro === usdMicroMax) return true
      // The swap itself may show that the map is not what the pool holds.
      if (pool === undefined || isUnknown(pool) || isUnknown(after)) return false
      if (isSmall(pool, event)) return false
      const reserves = computeReserves(pool)
      if (reserves === null || isWithin(event, reserves)) return false
      const heldUsd = pricing.heldUsd(pool, reserves, ts)
      return heldUsd !== null && usdMicro > implausibleSwapTimesReserves * heldUsd * microPerUsd
    },
  }
}
