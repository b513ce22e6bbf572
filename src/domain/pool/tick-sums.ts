import type { StoredLiquidityChange } from './stored-rows.ts'
import { buildTickMap, type Tick, type TickMap } from './tick-map.ts'

type Change = Pick<StoredLiquidityChange, 'tickLower' | 'tickUpper' | 'liquidityDelta'>

/** Ticks to which changes are added one by one; a map for each change would copy all ticks. */
export type TickSums = {
  readonly add: (change: Change) => void
  readonly undo: (change: Change) => void
  /** Null if the ticks form no map. */
  readonly toMap: () => TickMap | null
}

export const createTickSums = (first: readonly Tick[] = []): TickSums => {
  const ticks = new Map(first.map((row) => [row.tick, { net: row.net, gross: row.gross }]))

  const addAt = (tick: number, net: bigint, gross: bigint): void => {
    const sum = ticks.get(tick)
    if (sum === undefined) {
      ticks.set(tick, { net, gross })
      return
    }
    sum.net += net
    sum.gross += gross
  }

  const addDelta = ({ tickLower, tickUpper }: Change, delta: bigint): void => {
    addAt(tickLower, delta, delta)
    addAt(tickUpper, -delta, delta)
  }

  return {
    add: (change) => addDelta(change, change.liquidityDelta),
    undo: (change) => addDelta(change, -change.liquidityDelta),
    toMap: () => {
      const map = buildTickMap([...ticks].map(([tick, sums]) => ({ tick, ...sums })))
      return map.known ? map.value : null
    },
  }
}
