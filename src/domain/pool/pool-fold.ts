import type { BlockNumber } from '../units.ts'
import type { PoolPrice } from './pool-event.ts'
import type { PoolIdentity, PoolState, ReserveFault } from './pool-state.ts'
import { logIndexMax, type PlacedChange, type StoredSwap } from './stored-rows.ts'
import { activeLiquidityAt, emptyTickMap, type Tick, type TickMap } from './tick-map.ts'
import { createTickSums } from './tick-sums.ts'
import { type TrackedPool, withUpdatedAmounts } from './tracked-pool.ts'

/** A pool now, from which its past is derived. */
export type PresentPool = {
  readonly identity: PoolIdentity
  readonly state: PoolState
  readonly ticks: readonly Tick[]
}

/** The price at a block and the swap that made it, if any. */
export type PastPrice = Pick<
  PoolState,
  'price' | 'lastSwapTs' | 'lastSwapBlock' | 'lastSwapFee'
> & {
  /** The row of that swap; null if there was none, or if it is not kept. */
  readonly swap: StoredSwap | null
}

/** The price at a block by the newest stored swap up to it; null if it is unknown. */
export const pastPriceAt = (
  { state }: Pick<PresentPool, 'state'>,
  swap: StoredSwap | null,
  { block, wasInitialised }: { readonly block: BlockNumber; readonly wasInitialised: boolean },
): PastPrice | null => {
  const { price, lastSwapTs, lastSwapBlock, lastSwapFee } = state
  const hasSwapped = lastSwapBlock !== null
  if (hasSwapped ? lastSwapBlock <= block : price === null || wasInitialised) {
    return { price, lastSwapTs, lastSwapBlock, lastSwapFee, swap }
  }
  if (swap === null) return null
  const { sqrtPriceX96, tick, fee } = swap
  return {
    price: { sqrtPriceX96, tick },
    lastSwapTs: swap.ts,
    lastSwapBlock: swap.block,
    lastSwapFee: fee,
    swap,
  }
}

/** Derives the state at a block from changes after the last swap up to it, in chain order. */
export type PoolFold = {
  /** After this place all changes are needed. */
  readonly after: { readonly block: BlockNumber; readonly logIndex: number }
  readonly add: (change: PlacedChange) => void
  /** `isWhole`: all changes were added. */
  readonly finish: (isWhole: boolean) => TrackedPool
}

const isInRange = (change: PlacedChange, price: PoolPrice | null): boolean =>
  price !== null && change.tickLower <= price.tick && price.tick < change.tickUpper

/**
 * Balances have no events, so `reserve_short` holds as it does now. A hook that serves swaps itself
 * showed it in one of them.
 */
const faultOf = (
  { mapFault }: PoolState,
  { price, lastSwapTs }: PastPrice,
  { map, liquidity }: { readonly map: TickMap | null; readonly liquidity: bigint },
): ReserveFault | null => {
  if (mapFault === 'hook_custom_accounting' && lastSwapTs !== null) return mapFault
  if (map === null) return 'index_gap'
  const isAgreed = price === null || activeLiquidityAt(map, price.tick) === liquidity
  if (!isAgreed) return 'index_gap'
  return mapFault === 'reserve_short' ? mapFault : null
}

/** Undoes the changes after `block`; those up to it only show the liquidity since the last swap. */
export const createPoolFold = (
  { identity, state, ticks }: PresentPool,
  past: PastPrice,
  block: BlockNumber,
): PoolFold => {
  const { price, swap, ...lastSwap } = past
  const sums = createTickSums(ticks)
  let sinceSwap = 0n
  let afterBlock = 0n
  return {
    after: swap ?? { block, logIndex: logIndexMax },
    add: (change) => {
      const delta = isInRange(change, price) ? change.liquidityDelta : 0n
      if (change.block <= block) sinceSwap += delta
      else {
        sums.undo(change)
        afterBlock += delta
      }
    },
    finish: (isWhole) => {
      const map = isWhole && state.mapFault !== 'index_gap' ? sums.toMap() : null
      const liquidity = swap === null ? state.liquidity - afterBlock : swap.liquidity + sinceSwap
      const mapFault = faultOf(state, past, { map, liquidity })
      // Fees of a later block were others before, or as they were.
      const fees = state.fees !== null && state.fees.block > block ? null : state.fees
      return withUpdatedAmounts({
        identity,
        tickMap: map ?? emptyTickMap,
        state: { ...state, ...lastSwap, price, liquidity, mapFault, fees },
      })
    },
  }
}
