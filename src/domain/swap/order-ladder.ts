import type { LadderFill, LadderStep } from '../views/pool-depth.ts'
import type { SwapSide } from '../views/swap-quote.ts'
import { quoteSwap } from './quote-swap.ts'
import type { QuotedPool } from './quoted-pool.ts'

/** Orders of the ladder, in US dollars. */
const ladderUsd = [1_000, 10_000, 100_000, 1_000_000] as const

const fillOf = (quoted: QuotedPool, side: SwapSide, usd: number): LadderFill | null => {
  const result = quoteSwap(quoted, { side, amount: { of: 'usd', usd } })
  if (!result.ok || result.value.quote === null) return null
  const { executionPriceUsd, priceImpactBps, filled } = result.value.quote
  return { executionPriceUsd, priceImpactBps, filled }
}

/** Swap quotes of growing orders. */
export const buildOrderLadder = (quoted: QuotedPool): readonly LadderStep[] =>
  ladderUsd.map((usd) => ({
    usd,
    buy: fillOf(quoted, 'buy', usd),
    sell: fillOf(quoted, 'sell', usd),
  }))
