import type { FilteredSwap } from './filtered-swap.ts'
import { tokenInOf } from './filtered-swap.ts'
import { returnDigitsMin, returnSecondsMax } from './wash-rule.ts'

/** The last swap with an amount. */
type Seen = Pick<FilteredSwap, 'amount0' | 'amount1' | 'ts'> & {
  readonly number: number
  readonly keys: readonly (string | null)[]
}

const roundTo = 10n ** BigInt(returnDigitsMin - 1)

/** A round amount is chosen by many; one of many digits is that of certain tokens. */
const isExact = (amount: bigint): boolean => {
  let rest = amount < 0n ? -amount : amount
  while (rest >= roundTo && rest % 10n === 0n) rest /= 10n
  return rest >= roundTo
}

const keyOf = (pool: number, token: 0 | 1, amount: bigint): string | null => {
  if (!isExact(amount)) return null
  return `${pool}:${token}:${amount < 0n ? -amount : amount}`
}

/** One token comes back as it went, and the pool loses nothing of the other. */
const isReturn = (before: Seen, swap: FilteredSwap): boolean =>
  swap.ts - before.ts <= returnSecondsMax &&
  tokenInOf(before) !== tokenInOf(swap) &&
  before.amount0 + swap.amount0 >= 0n &&
  before.amount1 + swap.amount1 >= 0n

/**
 * Finds swaps that give back what an earlier one took, to the last unit and at no gain. Each is
 * compared with the last swap of its pool that had the same amount of the same token.
 */
export const createReturnedAmounts = () => {
  const last = new Map<string, Seen>()
  const queue: Seen[] = []
  let head = 0

  const forget = (ts: number): void => {
    for (let seen = queue[head]; seen !== undefined; seen = queue[head]) {
      if (ts - seen.ts <= returnSecondsMax) break
      for (const key of seen.keys) if (key !== null && last.get(key) === seen) last.delete(key)
      head += 1
    }
    if (head > 1000 && head * 2 > queue.length) {
      queue.splice(0, head)
      head = 0
    }
  }

  return {
    /** The numbers of the swaps, at most one for each token, that this one returns. */
    add: (swap: FilteredSwap, number: number): readonly number[] => {
      forget(swap.ts)
      if (tokenInOf(swap) === null) return []
      const keys = [keyOf(swap.pool, 0, swap.amount0), keyOf(swap.pool, 1, swap.amount1)]
      const { amount0, amount1, ts } = swap
      const seen: Seen = { amount0, amount1, ts, number, keys }
      const returned = new Set<number>()
      for (const key of keys) {
        if (key === null) continue
        const before = last.get(key)
        if (before !== undefined && isReturn(before, swap)) returned.add(before.number)
        last.set(key, seen)
      }
      queue.push(seen)
      return [...returned]
    },
  }
}
