import type { FilteredChange, FilteredSwap } from './filtered-swap.ts'
import { tokenInOf } from './filtered-swap.ts'
import { flatShareMax } from './wash-rule.ts'

const flatDivisor = BigInt(Math.round(1 / flatShareMax))

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/** Trades both ways, and of one token next to nothing changes hands in the end. */
const isRoundTrip = (swaps: readonly FilteredSwap[]): boolean => {
  if (new Set(swaps.map(tokenInOf)).size < 2) return false
  return (['amount0', 'amount1'] as const).some((token) => {
    const net = swaps.reduce((sum, swap) => sum + swap[token], 0n)
    const all = swaps.reduce((sum, swap) => sum + magnitude(swap[token]), 0n)
    return magnitude(net) * flatDivisor <= all
  })
}

/** Swaps whose transactions come back in their pool (methodology §5). Of complete blocks. */
export const findRoundTrips = (swaps: readonly FilteredSwap[]): ReadonlySet<FilteredSwap> => {
  const found = new Set<FilteredSwap>()
  const several = Map.groupBy(
    swaps.filter((swap) => tokenInOf(swap) !== null),
    ({ pool, txHash }) => `${pool}:${txHash}`,
  )
  for (const own of several.values()) {
    if (own.length > 1 && isRoundTrip(own)) for (const swap of own) found.add(swap)
  }
  return found
}

const isSamePosition = (a: FilteredChange, b: FilteredChange): boolean =>
  a.tickLower === b.tickLower &&
  a.tickUpper === b.tickUpper &&
  a.owner === b.owner &&
  a.sender === b.sender &&
  a.salt === b.salt

/** Liquidity of the swap's own transaction, or of who calls the pool for both. */
const isOwn = (added: FilteredChange, removed: FilteredChange, swap: FilteredSwap): boolean =>
  (added.txHash === swap.txHash && removed.txHash === swap.txHash) ||
  added.owner === swap.sender ||
  added.sender === swap.sender

/**
 * Whether a position was added before the swap and removed after it, by the changes of its block
 * and pool. A pool's hook that does so for every swap is no trader.
 */
export const isFlashFunded = (
  swap: FilteredSwap,
  changes: readonly FilteredChange[],
  hooks: string | null,
): boolean => {
  const added = changes.filter(
    ({ logIndex, liquidityDelta }) => logIndex < swap.logIndex && liquidityDelta > 0n,
  )
  const removed = changes.filter(
    ({ logIndex, liquidityDelta }) => logIndex > swap.logIndex && liquidityDelta < 0n,
  )
  return added.some(
    (one) =>
      (one.sender === null || one.sender !== hooks) &&
      removed.some((other) => isSamePosition(one, other) && isOwn(one, other, swap)),
  )
}
