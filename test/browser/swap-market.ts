import { success } from '../../src/domain/outcome.ts'
import type { PastSwapView } from '../../src/domain/views/history.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { livelyPools, nowTs, swapOf } from './lively-market.ts'
import { swapPageOf } from './swap-pages.ts'

/*
 * Past swaps of the lively market: each is worth another amount, by which a test knows it.
 */

const [pool] = livelyPools as readonly [(typeof livelyPools)[number]]
export const newestBlock = pool.asOfBlock ?? 0

/** A transaction ends with its log's number, which begins with another digit than the rest. */
export const firstLog = 0x900000

/** The swap that is so many before the newest; a negative number is a later one. */
export const pastSwap = (before: number): PastSwapView => ({
  ...swapOf(firstLog - before, 1 + (Math.abs(before) % 9)),
  block: newestBlock - before,
  ts: nowTs - 3 * before,
  side: before % 3 === 0 ? 'sell' : 'buy',
  amountUsd: 100 + before / 10,
  ...{ poolId: pool.id, stockSymbol: pool.stockSymbol },
  ...{ txIndex: 0, trader: null, settled: true },
})

type SwapParts = { readonly count?: number; readonly complete?: boolean }

/** Gives the market so many swaps of every pool; `rows` are newest first and may be changed. */
export const addSwaps = (market: SampleMarket, parts: SwapParts = {}) => {
  const { count = 350, complete = true } = parts
  const state = {
    rows: Array.from({ length: count }, (_, before) => pastSwap(before)) as PastSwapView[],
    asOfBlock: newestBlock,
  }
  Object.assign(market, {
    poolSwaps: async (id, query) => {
      market.queries.push({ id, swaps: query })
      return success({ ...swapPageOf(state.rows, query), asOfBlock: state.asOfBlock, complete })
    },
  } satisfies Partial<SampleMarket>)
  return state
}
