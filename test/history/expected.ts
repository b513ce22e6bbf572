import type { Manifest } from '../../sandbox/manifest.ts'
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

type PricedPool = Manifest['pools'][number]

/** What the candles of a pool hold, from its swaps alone. */
export const foldCandles = (
  manifest: Manifest,
  { token0Key, token1Key }: PricedPool,
  { logs, step, stock }: { logs: readonly SwapLog[]; step: number; stock: string },
) => {
  const decimalsOf = (wanted: string) =>
    manifest.tokens.find(({ key }) => key === wanted)?.decimals ?? 0
  const isFirst = token0Key === stock
  const scale = 10 ** (decimalsOf(token0Key) - decimalsOf(token1Key))
  const priceOf = ({ sqrtPriceX96 }: SwapLog): number => {
    const price = (Number(sqrtPriceX96) / 2 ** 96) ** 2 * scale
    return isFirst ? price : 1 / price
  }
  const stockOf = ({ amount0, amount1 }: SwapLog): number =>
    Math.abs(Number(isFirst ? amount0 : amount1)) / 10 ** decimalsOf(stock)
  return [...Map.groupBy(logs, ({ ts }) => ts - (ts % step))].map(([ts, own]) => {
    const prices = own.map(priceOf)
    const volumeStock = own.reduce((sum, log) => sum + stockOf(log), 0)
    return {
      ...{ ts, open: prices[0], high: Math.max(...prices), low: Math.min(...prices) },
      ...{ close: prices.at(-1), volumeStock, swaps: own.length },
    }
  })
}
