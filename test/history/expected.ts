import type { LiquidityChangeView, PastSwapView } from '../../src/domain/views/history.ts'
import type { ChainEvent, LiquidityMoved, Place, Swapped } from '../service/numbers/events.ts'

/* Rows of lists and logs of the chain as one line each, in chain order. */

export type SwapLog = Place & Swapped
export type LiquidityLog = Place & LiquidityMoved

type Placed = Pick<Place, 'block' | 'ts' | 'txHash' | 'logIndex'>

const placeOf = ({ block, logIndex, ts, txHash }: Placed) => [block, logIndex, ts, txHash]

export const lineOfSwap = (row: PastSwapView): string => {
  const { poolId, sender, recipient, sqrtPriceX96, tick } = row
  return [...placeOf(row), poolId, sender, recipient, sqrtPriceX96, tick].join(' ')
}

export const lineOfSwapLog = (log: SwapLog): string => {
  const { pool, sender, recipient, sqrtPriceX96, tick } = log
  return [...placeOf(log), pool, sender, recipient, sqrtPriceX96, tick].join(' ')
}

export const lineOfChange = (row: LiquidityChangeView): string => {
  const { owner, sender, salt, tickLower, tickUpper, liquidityDelta } = row
  const position = [owner ?? sender, salt ?? `0x${'0'.repeat(64)}`, tickLower, tickUpper]
  return [...placeOf(row), ...position, liquidityDelta].join(' ')
}

export const lineOfChangeLog = (log: LiquidityLog): string => {
  const { owner, salt, tickLower, tickUpper, delta } = log
  return [...placeOf(log), owner, salt, tickLower, tickUpper, delta].join(' ')
}

const byPlace = (one: Place, other: Place): number =>
  one.block - other.block || one.logIndex - other.logIndex

export const swapsOf = (
  events: readonly ChainEvent[],
  pools: ReadonlySet<string>,
): readonly SwapLog[] =>
  events
    .flatMap((event) => (event.kind === 'swapped' && pools.has(event.pool) ? [event] : []))
    .toSorted(byPlace)

export const changesOf = (events: readonly ChainEvent[], pool: string): readonly LiquidityLog[] =>
  events
    .flatMap((event) => (event.kind === 'liquidity' && event.pool === pool ? [event] : []))
    .toSorted(byPlace)

/** Pools that hold one of these tokens. */
export const poolsHolding = (
  events: readonly ChainEvent[],
  tokens: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set(
    events.flatMap((event) =>
      event.kind === 'created' && (tokens.has(event.key.token0) || tokens.has(event.key.token1))
        ? [event.pool]
        : [],
    ),
  )
