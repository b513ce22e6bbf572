import { stockPriceInOther } from '../math/pool-price.ts'
import type { DepthProfile, SegmentChoice } from '../views/pool-depth.ts'
import { listSegments } from './liquidity-segments.ts'
import { buildOrderLadder } from './order-ladder.ts'
import { listPriceBands } from './price-bands.ts'
import { isSwappable, type QuotedPool } from './quoted-pool.ts'
import { createSideAmounts } from './side-amounts.ts'

/**
 * A pool's price bands, order ladder and liquidity segments (docs/methodology.md §10). Null if no
 * swap of it can be simulated, or while a token's decimals are unknown.
 */
export const measureDepth = (quoted: QuotedPool, choice: SegmentChoice): DepthProfile | null => {
  const toSides = createSideAmounts(quoted)
  if (toSides === null || !isSwappable(quoted)) return null
  const { pool, classification, decimals0, decimals1 } = quoted
  const { stockIsToken0 } = classification
  const mid = stockPriceInOther(pool.price, stockIsToken0, decimals0, decimals1)
  return {
    midPriceInOther: mid.known ? mid.value : null,
    bands: listPriceBands(quoted, toSides),
    ladder: buildOrderLadder(quoted),
    segments: listSegments(quoted, choice, toSides),
  }
}
