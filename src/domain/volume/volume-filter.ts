import type { PoolNumber } from '../pool/pool-state.ts'
import { secondsPerDay } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import { findRoundTrips } from './block-findings.ts'
import { type FilteredSwap, tokenInOf } from './filtered-swap.ts'
import {
  createPoolSums,
  type FilteredVolume,
  noFilteredVolume,
  type PoolSums,
} from './pool-sums.ts'
import { createReturnedAmounts } from './returned-amounts.ts'
import { createSwapColumns } from './swap-columns.ts'
import { createSwapLinks } from './swap-links.ts'
import { createTraderIds, noTrader } from './trader-ids.ts'
import type { ReturnKind } from './trader-sums.ts'
import { unknownAfterSeconds } from './wash-rule.ts'

/** The swaps of the last day, of which some are left out (methodology §5). */
export type VolumeFilter = {
  /** The next swaps in chain order, of complete blocks, and which of them are flash-funded. */
  readonly add: (swaps: readonly FilteredSwap[], flashFunded: ReadonlySet<FilteredSwap>) => void
  /** Ends the window at this time: what is a day older leaves it. */
  readonly advance: (ts: UnixSeconds) => void
  /** Rows of swaps that were added without a trader. */
  readonly learnTraders: (swaps: readonly FilteredSwap[]) => void
  /**
   * Number of the first swap without a trader, not below this one; null: none of the next
   * `stepsMax`.
   */
  readonly findUnknown: (from: number, stepsMax: number) => number | null
  readonly placeOf: (number: number) => Pick<FilteredSwap, 'block' | 'logIndex' | 'ts'>
  readonly first: () => number
  readonly end: () => number
  readonly figuresOf: (pool: PoolNumber) => FilteredVolume
  /** The pools whose figures may have changed since the last call. */
  readonly takeChanged: () => ReadonlySet<PoolNumber>
}

const otherWay = 2

/** In memory: 37 bytes for each swap, sums for each trader in a pool, the last hour's amounts. */
export const createVolumeFilter = (): VolumeFilter => {
  const columns = createSwapColumns()
  const ids = createTraderIds()
  const returned = createReturnedAmounts()
  const pools = new Map<PoolNumber, PoolSums>()
  const links = createSwapLinks()
  let changed = new Set<PoolNumber>()
  /** Number of the first swap that is too young to have an unknown trader. */
  let settledEnd = 0

  const kindOf = (number: number): ReturnKind | null => {
    const trader = columns.traderOf(number)
    if (trader === noTrader) return null
    let kind: ReturnKind | null = null
    for (const other of links.of(number)) {
      const partner = columns.traderOf(other)
      if (partner === trader) return 'own'
      if (partner !== noTrader) kind = 'between'
    }
    return kind
  }

  const count = (number: number, sign: 1 | -1): void => {
    const { pool, usdMicro, trader, tokenIn, isLeftOut } = columns.get(number)
    const sums = pools.get(pool) ?? createPoolSums()
    const isPriced = !Number.isNaN(usdMicro)
    const swap = {
      usdMicro: isPriced ? BigInt(usdMicro) : 0n,
      isPriced,
      trader,
      tokenIn,
      isLeftOut,
      kind: kindOf(number),
      isSettled: number < settledEnd,
    }
    sums.add(swap, sign)
    changed.add(pool)
    if (sums.isEmpty()) pools.delete(pool)
    else pools.set(pool, sums)
  }

  /** Makes a change that decides how these swaps count. */
  const recount = (numbers: readonly number[], change: () => void): void => {
    for (const number of numbers) count(number, -1)
    change()
    for (const number of numbers) count(number, 1)
  }

  const addSwap = (swap: FilteredSwap, isLeftOut: boolean): void => {
    const { pool, block, logIndex, ts, usdMicro, trader } = swap
    const number = columns.push({
      ...{ pool, block, logIndex, ts, isLeftOut },
      usdMicro: usdMicro ?? Number.NaN,
      trader: trader === null ? noTrader : ids.acquire(trader),
      tokenIn: tokenInOf(swap) ?? otherWay,
    })
    const before = isLeftOut ? [] : returned.add(swap, number).filter((at) => at >= columns.first())
    recount(before, () => {
      for (const other of before) links.link(number, other)
    })
    count(number, 1)
  }

  const dropFirst = (): void => {
    const number = columns.first()
    count(number, -1)
    recount(links.of(number), () => links.remove(number))
    const trader = columns.traderOf(number)
    if (trader !== noTrader) ids.release(trader)
    columns.dropFirst()
  }

  return {
    add: (swaps, flashFunded) => {
      const roundTrips = findRoundTrips(swaps)
      for (const swap of swaps) {
        const isLeftOut = swap.implausible || roundTrips.has(swap) || flashFunded.has(swap)
        addSwap(swap, isLeftOut)
      }
    },
    advance: (ts) => {
      while (columns.first() < columns.end()) {
        if (columns.tsOf(columns.first()) > ts - secondsPerDay) break
        dropFirst()
      }
      settledEnd = Math.max(settledEnd, columns.first())
      while (settledEnd < columns.end()) {
        const number = settledEnd
        if (ts - columns.tsOf(number) <= unknownAfterSeconds) break
        if (columns.traderOf(number) !== noTrader) settledEnd += 1
        else {
          recount([number], () => {
            settledEnd += 1
          })
        }
      }
    },
    learnTraders: (swaps) => {
      for (const swap of swaps) {
        const number = columns.find(swap)
        const { trader } = swap
        if (number === null || trader === null) continue
        if (columns.traderOf(number) !== noTrader) continue
        recount([number, ...links.of(number)], () => {
          columns.setTrader(number, ids.acquire(trader))
        })
      }
    },
    findUnknown: columns.findUnknown,
    placeOf: columns.get,
    first: columns.first,
    end: columns.end,
    figuresOf: (pool) => pools.get(pool)?.figures() ?? noFilteredVolume,
    takeChanged: () => {
      const taken = changed
      changed = new Set()
      return taken
    },
  }
}
