import type { PastSwapView } from '../../src/domain/views/history.ts'
import type { SwapPage, SwapQuery } from '../../src/market/history.ts'

/** One page of swaps that are given newest first, each in another block or of another number. */
export const swapPageOf = (
  all: readonly PastSwapView[],
  { limit, cursor, fromTs, toTs, order, side, minUsd }: SwapQuery,
): SwapPage => {
  const placeOf = ({ block, logIndex }: { readonly block: number; readonly logIndex: number }) =>
    block * 1e7 + logIndex
  const isBehind = (swap: PastSwapView): boolean => {
    if (cursor === null) return true
    const distance = placeOf(swap) - placeOf(cursor)
    return order === 'asc' ? distance > 0 : distance < 0
  }
  const found = (order === 'asc' ? all.toReversed() : all)
    .filter(isBehind)
    .filter(({ ts }) => ts >= (fromTs ?? ts) && ts <= (toTs ?? ts))
    .filter((swap) => side === null || swap.side === side)
    .filter(({ amountUsd }) => minUsd === null || (amountUsd ?? 0) >= minUsd)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const next =
    found.length > items.length && last !== undefined
      ? { ...last, txPrefix: '0x0011223344556677' as const, hashPrefix: null }
      : null
  return { items, next, asOfBlock: all[0]?.block ?? null, complete: true }
}
