import type { Hex } from 'viem'
import type { PoolView } from '../../../src/domain/views/pool.ts'
import type { StoredSwap } from './stored.ts'

export const hourSeconds = 3600
export const daySeconds = 86_400

export type Volume = Pick<PoolView, 'vol1hUsd' | 'vol24hUsd' | 'swaps24h' | 'estimatedSwaps24h'>

export const volumeOf = (row: PoolView): Volume => {
  const { vol1hUsd, vol24hUsd, swaps24h, estimatedSwaps24h } = row
  return { vol1hUsd, vol24hUsd, swaps24h, estimatedSwaps24h }
}

/** The windows (ts − 3600, ts] and (ts − 86400, ts], counted swap by swap. */
export const countedAt = (swaps: readonly StoredSwap[], ts: number): Volume => {
  const within = (seconds: number) =>
    swaps.filter((swap) => swap.ts > ts - seconds && swap.ts <= ts)
  const usdOf = (some: readonly StoredSwap[]): number | null =>
    some.some(({ usdMicro }) => usdMicro === null)
      ? null
      : some.reduce((sum, { usdMicro }) => sum + (usdMicro ?? 0), 0) / 1e6
  const day = within(daySeconds)
  return {
    vol1hUsd: usdOf(within(hourSeconds)),
    vol24hUsd: usdOf(day),
    swaps24h: day.length,
    estimatedSwaps24h: day.filter(({ estimated }) => estimated).length,
  }
}

export const swapsByPool = (
  swaps: readonly StoredSwap[],
): ReadonlyMap<Hex, readonly StoredSwap[]> => {
  const byPool = new Map<Hex, StoredSwap[]>()
  for (const swap of swaps) {
    const own = byPool.get(swap.pool)
    if (own === undefined) byPool.set(swap.pool, [swap])
    else own.push(swap)
  }
  return byPool
}
