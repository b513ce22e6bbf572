import { success } from '../../src/domain/outcome.ts'
import type { PoolView, SwapView } from '../../src/domain/views/pool.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { livelyPools, nowTs, seriesUpTo, swapOf, toPastSwap } from './lively-market.ts'
import { swapPageOf } from './swap-pages.ts'

/*
 * The lively market with running time: it trades, its candles close, and events are sent.
 */

const tradedPools = livelyPools.slice(0, 40)
const detailSwaps = 100
/** The sample's newest block, from which it continues with ten of them a second. */
const firstBlock = 24_880_431

type Traded = { readonly pool: PoolView; readonly swaps: readonly SwapView[] }

const traded = ({ pool, swaps }: Traded, at: number, ts: number): Traded => {
  const block = firstBlock + (ts - nowTs) * 10 + (at % 10)
  const price = 225 + Math.sin(at / 50) * 5
  const swap = { ...swapOf(at, 1 + (at % 9)), block, ts, priceInOther: price }
  const prices = { stockPriceInOther: price, stockPriceUsd: price }
  const moment = { stateTs: ts, enrichedTs: ts, lastSwapTs: ts, lastSwapBlock: block }
  return {
    pool: { ...pool, ...prices, ...moment, asOfBlock: block },
    swaps: [swap, ...swaps].slice(0, detailSwaps),
  }
}

/**
 * Lets time run; `step` trades once in each of the next few pools, all of them if it is not said
 * how many, reports of it, and answers with the transactions.
 */
export const letLoose = (market: SampleMarket, now: () => number) => {
  // Full from the beginning: a list that fills itself once is no growth.
  const past = Array.from({ length: detailSwaps }, (_, at) => ({
    ...swapOf(1_000_000 + at),
    block: firstBlock - 1 - at,
  }))
  const state = new Map(tradedPools.map((pool) => [pool.id, { pool, swaps: past } as Traded]))
  const { status, health, pools, pool: detailOf } = market
  const poolNow = (pool: PoolView): PoolView => ({
    ...(state.get(pool.id)?.pool ?? pool),
    stateTs: now(),
    asOfBlock: firstBlock + (now() - nowTs) * 10,
  })
  let steps = 0
  Object.assign(market, {
    status: () => {
      const sent = status()
      const sources = sent.sources.map((row) => ({ ...row, lastSuccessTs: now() }))
      return { ...sent, ts: now(), sources, chain: { ...sent.chain, indexedTs: now() } }
    },
    health: () => ({ ...health(), ts: now() }),
    pools: async (query) => {
      const page = await pools(query)
      return { ...page, items: page.items.map(poolNow) }
    },
    pool: async (id, range) => {
      const detail = await detailOf(id, range)
      if (detail === null) return null
      const swaps = state.get(id)?.swaps ?? []
      return { ...detail, pool: poolNow(detail.pool), series: seriesUpTo(now()), swaps }
    },
    poolSwaps: async (id, query) => {
      const rows = (state.get(id)?.swaps ?? []).map((swap) => toPastSwap(swap, id))
      return success(swapPageOf(rows, query))
    },
  } satisfies Partial<SampleMarket>)
  return {
    step: (count = tradedPools.length): readonly string[] => {
      const transactions: string[] = []
      for (const end = steps + count; steps < end; steps++) {
        const { id } = tradedPools[steps % tradedPools.length] as PoolView
        const next = traded(state.get(id) as Traded, steps, now())
        state.set(id, next)
        const about = { symbols: [next.pool.stockSymbol], poolId: id }
        const [swap] = next.swaps as [SwapView]
        const data = { ...swap, poolId: id, stockSymbol: next.pool.stockSymbol }
        market.publish([
          { topic: 'swap', data, about },
          { topic: 'pool', data: next.pool, about },
        ])
        transactions.push(swap.txHash)
      }
      return transactions
    },
  }
}
