import type { PoolsQuery } from '../market.ts'
import { createPoolOrders } from './pool-orders.ts'
import type { PoolRow, PoolRows } from './pool-rows.ts'
import { filterTests } from './pool-search.ts'

/** Answers to different questions that are remembered at once; each names at most every pool. */
const selectionsMax = 32

/** The rows that a query asks for, all of them, in its order. */
export type PoolLists = {
  readonly select: (rows: PoolRows, query: PoolsQuery) => readonly PoolRow[]
}

/** Remembers the latest answers as long as the rows are the same. */
export const createPoolLists = (): PoolLists => {
  const orders = createPoolOrders()
  const selections = new Map<string, readonly PoolRow[]>()
  let selectedFrom: PoolRows | null = null

  const remember = (name: string, selected: readonly PoolRow[]): void => {
    const oldest = selections.keys().next()
    if (selections.size >= selectionsMax && !oldest.done) selections.delete(oldest.value)
    selections.set(name, selected)
  }

  return {
    select: (rows, { limit: _limit, offset: _offset, ...query }) => {
      const tests = filterTests(query)
      const order = orders.of(rows, query)
      if (tests.length === 0) return order
      if (selectedFrom !== rows) {
        selections.clear()
        selectedFrom = rows
      }
      const name = JSON.stringify(query)
      const known = selections.get(name)
      if (known !== undefined) return known
      const selected = order.filter((row) => tests.every((test) => test(row)))
      remember(name, selected)
      return selected
    },
  }
}
