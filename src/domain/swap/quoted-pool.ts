import { getProtocol } from '../dex/find-protocol.ts'
import { hookActsOnSwaps } from '../dex/uniswap-v4/hook-flags.ts'
import { isFeeDynamic, isPluginInSwaps } from '../pool/pool-settings.ts'
import type { TickMap } from '../pool/tick-map.ts'
import type { PoolInputs } from '../valuation/pool-inputs.ts'
import { hasCustomAccounting } from '../valuation/pool-reserves.ts'
import type { PoolView } from '../views/pool.ts'
import type { SwapAssumption, SwapQuoteReason, SwapSide } from '../views/swap-quote.ts'
import { type SwapOrder, type SwapResult, simulateSwap } from './simulate-swap.ts'

/** What the swap quotes of a pool follow from; all of one block. */
export type QuotedPool = Pick<PoolInputs, 'pool' | 'classification' | 'decimals0' | 'decimals1'> & {
  /** Of the pool's row. */
  readonly prices: Pick<PoolView, 'stockPriceUsd' | 'otherPriceUsd'>
  /** A token rebases: what the pool receives and pays is not what its maths says. */
  readonly isRebasing: boolean
  /** Null if the stored ticks form none. */
  readonly tickMap: TickMap | null
}

/** A pool whose swaps can be simulated. */
export type SwappablePool = QuotedPool & {
  readonly pool: { readonly price: NonNullable<PoolInputs['pool']['price']> }
  readonly tickMap: TickMap
}

/** Whether the order sends token0 into the pool. */
export const isZeroForOne = (
  {
    classification: { stockIsToken0 },
  }: { readonly classification: Pick<QuotedPool['classification'], 'stockIsToken0'> },
  side: SwapSide,
): boolean => stockIsToken0 === (side === 'sell')

export const decimalsOfStock = ({ classification, decimals0, decimals1 }: QuotedPool) =>
  classification.stockIsToken0 ? decimals0 : decimals1

export const decimalsOfOther = ({ classification, decimals0, decimals1 }: QuotedPool) =>
  classification.stockIsToken0 ? decimals1 : decimals0

/** Why no swap of this pool can be simulated; empty if it can (docs/methodology.md §10). */
export const listObstacles = ({
  pool,
  tickMap,
  isRebasing,
}: QuotedPool): readonly SwapQuoteReason[] => {
  const reasons: SwapQuoteReason[] = []
  if (pool.price === null) reasons.push('uninitialised')
  if (pool.mapFault === 'index_gap' || tickMap === null) reasons.push('index_gap')
  if (pool.mapFault === 'reserve_short') reasons.push('reserve_short')
  if (isRebasing) reasons.push('reserve_rebasing')
  if (hasCustomAccounting(pool)) reasons.push('hook_custom_accounting')
  return reasons
}

export const isSwappable = (quoted: QuotedPool): quoted is SwappablePool =>
  listObstacles(quoted).length === 0

/** What a simulation takes for granted, because only the hook decides it. */
export const listAssumptions = ({ pool }: QuotedPool): readonly SwapAssumption[] => {
  const { key, settings } = pool
  const assumptions: SwapAssumption[] = []
  if (isFeeDynamic(pool)) assumptions.push('fee_as_last_read')
  if (hookActsOnSwaps(key) || isPluginInSwaps(settings)) assumptions.push('hook_passive')
  return assumptions
}

/** The spacing of the bitmap whose words end steps of a swap; null if none do. */
export const stopSpacingOf = ({
  protocol,
  key,
}: Pick<QuotedPool['pool'], 'protocol' | 'key'>): number | null =>
  getProtocol(protocol).swapStops === 'words' ? key.tickSpacing : null

/** Simulates a swap from the pool's state. */
export const simulateIn = ({ pool, tickMap }: SwappablePool, order: SwapOrder): SwapResult => {
  const { price, liquidity } = pool
  return simulateSwap({ price, liquidity, tickMap, tickSpacing: stopSpacingOf(pool) }, order)
}
