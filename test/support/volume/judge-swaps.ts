import { isFlashFunded } from '../../../src/domain/volume/block-findings.ts'
import {
  type FilteredChange,
  type FilteredSwap,
  tokenInOf,
} from '../../../src/domain/volume/filtered-swap.ts'
import type { FilteredVolume } from '../../../src/domain/volume/pool-sums.ts'

/*
 * The rule of methodology §5 as it reads, over all swaps of a day at once, for comparison with the
 * sums that the service keeps. Its numbers are written out.
 */

export type Reason =
  | 'implausible'
  | 'round-trip'
  | 'flash-liquidity'
  | 'concentrated'
  | 'returned'
  | 'between'

type Change = FilteredChange & { readonly pool: number }

const digitsOf = (amount: bigint): number => `${amount}`.replace('-', '').replace(/0+$/, '').length

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

const sum = (swaps: readonly FilteredSwap[]): bigint =>
  swaps.reduce((total, { usdMicro }) => total + BigInt(usdMicro ?? 0), 0n)

const blockReasonOf = (
  swap: FilteredSwap,
  all: readonly FilteredSwap[],
  changes: readonly Change[],
): Reason | null => {
  if (swap.implausible) return 'implausible'
  const together = all.filter(
    (other) =>
      other.pool === swap.pool && other.txHash === swap.txHash && tokenInOf(other) !== null,
  )
  const ways = together.map(tokenInOf)
  if (tokenInOf(swap) !== null && ways.includes(0) && ways.includes(1)) {
    const isFlat = (['amount0', 'amount1'] as const).some((token) => {
      const amounts = together.map((other) => other[token])
      const net = amounts.reduce((total, amount) => total + amount, 0n)
      const gross = amounts.reduce((total, amount) => total + magnitude(amount), 0n)
      return magnitude(net) * 100n <= gross
    })
    if (isFlat) return 'round-trip'
  }
  const around = changes.filter(({ pool, block }) => pool === swap.pool && block === swap.block)
  return isFlashFunded(swap, around, null) ? 'flash-liquidity' : null
}

/** Pairs of swaps, the later of which gives back what the earlier one took. */
const findPairs = (swaps: readonly FilteredSwap[]) => {
  const pairs: (readonly [FilteredSwap, FilteredSwap])[] = []
  for (const token of ['amount0', 'amount1'] as const) {
    for (const [at, swap] of swaps.entries()) {
      if (tokenInOf(swap) === null || digitsOf(swap[token]) < 9) continue
      const before = swaps
        .slice(0, at)
        .findLast(
          (other) =>
            tokenInOf(other) !== null && magnitude(other[token]) === magnitude(swap[token]),
        )
      if (before === undefined || tokenInOf(before) === tokenInOf(swap)) continue
      if (swap.ts - before.ts > 3600) continue
      const [net0, net1] = [before.amount0 + swap.amount0, before.amount1 + swap.amount1]
      if (net0 >= 0n && net1 >= 0n) pairs.push([before, swap])
    }
  }
  return pairs
}

const isBusyAndFlat = (swaps: readonly FilteredSwap[]): boolean => {
  const [in0, in1] = [0, 1].map((way) => sum(swaps.filter((swap) => tokenInOf(swap) === way)))
  const apart = magnitude((in0 ?? 0n) - (in1 ?? 0n))
  const isBusy = swaps.length > 100 || (sum(swaps) > 500_000_000_000n && swaps.length >= 30)
  return isBusy && apart * 100n <= (in0 ?? 0n) + (in1 ?? 0n)
}

/** The reason of each swap of one pool in one day, in chain order; null: it counts. */
export const judgePool = (
  swaps: readonly FilteredSwap[],
  changes: readonly Change[] = [],
): ReadonlyMap<FilteredSwap, Reason | null> => {
  const reasons = new Map(swaps.map((swap) => [swap, blockReasonOf(swap, swaps, changes)]))
  const rest = swaps.filter((swap) => reasons.get(swap) === null)
  const pairs = findPairs(rest)
  const kindOf = (swap: FilteredSwap): 'returned' | 'between' | null => {
    const kinds = pairs
      .filter((pair) => pair.includes(swap))
      .map(([one, other]) => {
        if (one.trader === null || other.trader === null) return null
        return one.trader === other.trader ? 'returned' : 'between'
      })
    if (kinds.includes('returned')) return 'returned'
    return kinds.includes('between') ? 'between' : null
  }
  const kinds = new Map(rest.map((swap) => [swap, kindOf(swap)]))
  const known = rest.filter(({ trader }) => trader !== null)
  const traders = Map.groupBy(known, ({ trader }) => trader)
  const isConcentrated =
    (known.length >= 500 && known.length > 100 * traders.size) ||
    (sum(known) > 1_000_000_000_000n &&
      sum(known) > 500_000_000_000n * BigInt(traders.size) &&
      known.length >= 30 * traders.size)
  const between = known.filter((swap) => kinds.get(swap) === 'between').length
  for (const own of traders.values()) {
    const returned = own.filter((swap) => kinds.get(swap) === 'returned').length
    for (const swap of own) {
      if (isConcentrated && isBusyAndFlat(own)) reasons.set(swap, 'concentrated')
      else if (kinds.get(swap) === 'returned' && returned >= 10 && returned >= 0.75 * own.length) {
        reasons.set(swap, 'returned')
      } else if (kinds.get(swap) === 'between' && between >= 10) reasons.set(swap, 'between')
    }
  }
  return reasons
}

/** The figures of one pool at a time. */
export const figuresOf = (
  swaps: readonly FilteredSwap[],
  ts: number,
  changes: readonly Change[] = [],
): FilteredVolume => {
  const reasons = judgePool(swaps, changes)
  const unknown = swaps.filter((swap) => {
    const isBlockLeftOut = ['implausible', 'round-trip', 'flash-liquidity'].includes(
      `${reasons.get(swap)}`,
    )
    return swap.trader === null && !isBlockLeftOut && ts - swap.ts > 60
  })
  const total = sum(swaps)
  if (unknown.length > swaps.length * 0.01 || sum(unknown) * 100n > total) {
    return { vol24hFilteredUsd: null, traders24h: null, washShare24h: null, leftOutMicro: null }
  }
  const left = sum(swaps.filter((swap) => reasons.get(swap) !== null))
  const isPriced = swaps.every(({ usdMicro }) => usdMicro !== null)
  return {
    vol24hFilteredUsd: isPriced ? Number(total - left) / 1e6 : null,
    traders24h: new Set(swaps.flatMap(({ trader }) => trader ?? [])).size,
    washShare24h: isPriced && total > 0n ? Number(left) / Number(total) : null,
    leftOutMicro: isPriced ? left : null,
  }
}
