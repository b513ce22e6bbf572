import type { EventPlace } from '../pool/pool-event.ts'
import { noTrader } from './trader-ids.ts'

/** One swap of a window; `usdMicro` is NaN where it has no value. */
export type SwapEntry = EventPlace & {
  readonly pool: number
  readonly trader: number
  readonly usdMicro: number
  /** 0 or 1; 2: not one token for the other. */
  readonly tokenIn: number
  /** A finding of its block leaves it out. */
  readonly isLeftOut: boolean
}

const capacityMin = 1024

/** Bits of a byte beside the token. */
const leftOut = 4

const createColumns = (capacity: number) => ({
  pool: new Uint32Array(capacity),
  block: new Float64Array(capacity),
  logIndex: new Uint32Array(capacity),
  ts: new Float64Array(capacity),
  usdMicro: new Float64Array(capacity),
  trader: new Int32Array(capacity).fill(noTrader),
  bits: new Uint8Array(capacity),
})

type Columns = ReturnType<typeof createColumns>

const copyColumns = (from: Columns, start: number, end: number, to: Columns): void => {
  to.pool.set(from.pool.subarray(start, end))
  to.block.set(from.block.subarray(start, end))
  to.logIndex.set(from.logIndex.subarray(start, end))
  to.ts.set(from.ts.subarray(start, end))
  to.usdMicro.set(from.usdMicro.subarray(start, end))
  to.trader.set(from.trader.subarray(start, end))
  to.bits.set(from.bits.subarray(start, end))
}

/**
 * The swaps of a window in chain order, 37 bytes each. Their numbers grow and never change:
 * `first` <= number < `end`.
 */
export const createSwapColumns = () => {
  let columns = createColumns(capacityMin)
  /** Number of the swap at place 0 of the columns. */
  let base = 0
  let first = 0
  let end = 0

  const makeRoom = (): void => {
    const size = end - first
    const capacity = columns.pool.length
    if (end - base < capacity) return
    const next = createColumns(size * 2 > capacity ? capacity * 2 : Math.max(capacityMin, capacity))
    copyColumns(columns, first - base, end - base, next)
    columns = next
    base = first
  }

  const compareAt = (number: number, { block, logIndex }: Omit<EventPlace, 'ts'>): number => {
    const at = number - base
    return (columns.block[at] ?? 0) - block || (columns.logIndex[at] ?? 0) - logIndex
  }

  return {
    first: () => first,
    end: () => end,
    push: (entry: SwapEntry): number => {
      makeRoom()
      const at = end - base
      columns.pool[at] = entry.pool
      columns.block[at] = entry.block
      columns.logIndex[at] = entry.logIndex
      columns.ts[at] = entry.ts
      columns.usdMicro[at] = entry.usdMicro
      columns.trader[at] = entry.trader
      columns.bits[at] = entry.tokenIn + (entry.isLeftOut ? leftOut : 0)
      end += 1
      return end - 1
    },
    dropFirst: (): void => {
      first += 1
    },
    tsOf: (number: number): number => columns.ts[number - base] ?? 0,
    traderOf: (number: number): number => columns.trader[number - base] ?? noTrader,
    setTrader: (number: number, trader: number): void => {
      columns.trader[number - base] = trader
    },
    get: (number: number): SwapEntry => {
      const at = number - base
      const bits = columns.bits[at] ?? 0
      return {
        pool: columns.pool[at] ?? 0,
        block: columns.block[at] ?? 0,
        logIndex: columns.logIndex[at] ?? 0,
        ts: columns.ts[at] ?? 0,
        usdMicro: columns.usdMicro[at] ?? Number.NaN,
        trader: columns.trader[at] ?? noTrader,
        tokenIn: bits & 3,
        isLeftOut: bits >= leftOut,
      }
    },
    /** The first one without a trader, of `stepsMax` from this number on; null: none. */
    findUnknown: (from: number, stepsMax: number): number | null => {
      const start = Math.max(from, first)
      for (let number = start; number < Math.min(start + stepsMax, end); number++) {
        if (columns.trader[number - base] === noTrader) return number
      }
      return null
    },
    /** Number of the swap at this place; null: it is not in the window. */
    find: (place: Omit<EventPlace, 'ts'>): number | null => {
      let [low, high] = [first, end]
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        if (compareAt(middle, place) < 0) low = middle + 1
        else high = middle
      }
      return low < end && compareAt(low, place) === 0 ? low : null
    },
  }
}
