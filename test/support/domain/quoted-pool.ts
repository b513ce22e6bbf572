import { sqrtPriceAtTick } from '../../../src/domain/math/tick-math.ts'
import {
  activeLiquidityAt,
  applyLiquidityDelta,
  emptyTickMap,
  type TickMap,
} from '../../../src/domain/pool/tick-map.ts'
import { known } from '../../../src/domain/reading.ts'
import type { QuotedPool } from '../../../src/domain/swap/quoted-pool.ts'
import { identityOf, stateOf } from './sample-inputs.ts'

export type Position = readonly [tickLower: number, tickUpper: number, liquidity: bigint]

export const tickMapOf = (positions: readonly Position[]): TickMap => {
  let tickMap = emptyTickMap
  for (const [tickLower, tickUpper, liquidityDelta] of positions) {
    const changed = applyLiquidityDelta(tickMap, { tickLower, tickUpper, liquidityDelta })
    if (!changed.known) throw new Error(changed.reason)
    tickMap = changed.value
  }
  return tickMap
}

type Parts = Partial<Omit<QuotedPool, 'pool'>> & {
  readonly tick?: number
  readonly positions?: readonly Position[]
  readonly pool?: Partial<QuotedPool['pool']>
}

/** One stock token for one dollar token, both with 18 decimals, in one wide position. */
export const quotedPoolOf = ({ tick = 0, positions, pool, ...rest }: Parts = {}): QuotedPool => {
  const tickMap = tickMapOf(positions ?? [[-60_000, 60_000, 10n ** 24n]])
  const price = { sqrtPriceX96: sqrtPriceAtTick(tick), tick }
  const liquidity = activeLiquidityAt(tickMap, tick)
  return {
    pool: { ...identityOf(), ...stateOf({ price, liquidity }), lastHotTs: null, ...pool },
    classification: { kind: 'canonical', stockIsToken0: true },
    decimals0: known(18),
    decimals1: known(18),
    prices: { stockPriceUsd: 1, otherPriceUsd: 1 },
    isRebasing: false,
    tickMap,
    ...rest,
  }
}
