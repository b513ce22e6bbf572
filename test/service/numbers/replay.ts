import type { Hex } from 'viem'
import type { ChainEvent, Created, Initialized, LiquidityMoved, Place, Swapped } from './events.ts'
import { type Fraction, sqrtPlaces, sqrtPriceOfTick } from './exact.ts'

export type Position = Pick<LiquidityMoved, 'owner' | 'tickLower' | 'tickUpper' | 'salt'> & {
  readonly liquidity: bigint
}

/** A pool as its logs made it. */
export type Replayed = {
  /** With the key as logs have set it since. */
  created: Place & Created
  sqrtPriceX96: bigint | null
  tick: number
  lastSwap: (Place & Swapped) | null
  /** By owner, range and salt; empty ones are dropped. */
  readonly positions: Map<string, Position>
}

const moveLiquidity = (pool: Replayed, event: LiquidityMoved): void => {
  const { owner, tickLower, tickUpper, salt, delta } = event
  const name = [owner, tickLower, tickUpper, salt].join()
  const liquidity = (pool.positions.get(name)?.liquidity ?? 0n) + delta
  if (liquidity < 0n) throw new Error(`position ${name} of ${event.pool} burned more than it had`)
  if (liquidity === 0n) pool.positions.delete(name)
  else pool.positions.set(name, { owner, tickLower, tickUpper, salt, liquidity })
}

export type Pools = ReadonlyMap<Hex, Replayed>

/** The pools after each of the events, one at a time. */
export const createReplay = () => {
  const pools = new Map<Hex, Replayed>()
  const start = (created: Place & Created): void => {
    const nothing = { sqrtPriceX96: null, tick: 0, lastSwap: null }
    pools.set(created.pool, { created, ...nothing, positions: new Map() })
  }
  const move = (pool: Replayed, event: Place & (Initialized | Swapped)): void => {
    pool.sqrtPriceX96 = event.sqrtPriceX96
    pool.tick = event.tick
    if (event.kind === 'swapped') pool.lastSwap = event
  }
  return {
    pools: pools as Pools,
    apply: (event: ChainEvent): void => {
      if (event.kind === 'answered') return
      const pool = pools.get(event.pool)
      if (event.kind === 'created') start(event)
      else if (pool === undefined) throw new Error(`an event of ${event.pool} before its creation`)
      else if (event.kind === 'liquidity') moveLiquidity(pool, event)
      else if (event.kind === 'key-set') {
        pool.created = { ...pool.created, key: { ...pool.created.key, ...event.key } }
      } else move(pool, event)
    },
  }
}

export const replayAll = (events: readonly ChainEvent[]): Pools => {
  const replay = createReplay()
  for (const event of events) replay.apply(event)
  return replay.pools
}

export const liquidityInRange = ({ positions, tick }: Replayed): bigint =>
  [...positions.values()]
    .filter(({ tickLower, tickUpper }) => tickLower <= tick && tick < tickUpper)
    .reduce((sum, { liquidity }) => sum + liquidity, 0n)

export type TickRow = { readonly tick: number; readonly gross: bigint; readonly net: bigint }

/** What the contracts' tick tables must hold, ascending. */
export const tickRowsOf = ({ positions }: Replayed): readonly TickRow[] => {
  const rows = new Map<number, TickRow>()
  const add = (tick: number, liquidity: bigint, sign: 1n | -1n): void => {
    const { gross, net } = rows.get(tick) ?? { gross: 0n, net: 0n }
    rows.set(tick, { tick, gross: gross + liquidity, net: net + sign * liquidity })
  }
  for (const { tickLower, tickUpper, liquidity } of positions.values()) {
    add(tickLower, liquidity, 1n)
    add(tickUpper, liquidity, -1n)
  }
  return [...rows.values()].sort((a, b) => a.tick - b.tick)
}

/** √price of Q64.96 in the places of `sqrtPriceOfTick`. */
const widened = (sqrtPriceX96: bigint): bigint => sqrtPriceX96 << (sqrtPlaces - 96n)

/**
 * What all positions hold together at the pool's price, by the whitepaper's definition:
 * amount0 = Σ L·(1/√p − 1/√b), amount1 = Σ L·(√p − √a), with p held within [a, b].
 */
export const principalOf = (pool: Replayed): readonly [Fraction, Fraction] => {
  const unit = 1n << sqrtPlaces
  let [amount0, amount1] = [0n, 0n]
  for (const { tickLower, tickUpper, liquidity } of pool.positions.values()) {
    const [low, high] = [sqrtPriceOfTick(tickLower), sqrtPriceOfTick(tickUpper)]
    const price = widened(pool.sqrtPriceX96 ?? 0n)
    const at = price < low ? low : price > high ? high : price
    amount0 += liquidity * ((unit * unit) / at - (unit * unit) / high)
    amount1 += liquidity * (at - low)
  }
  return [
    { top: amount0, bottom: unit },
    { top: amount1, bottom: unit },
  ]
}
