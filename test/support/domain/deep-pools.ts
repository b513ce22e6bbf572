import { tickAtSqrtPrice } from '../../../src/domain/math/tick-math.ts'
import { depthOf } from '../../../src/domain/pool/pool-depth.ts'
import type { PoolKey } from '../../../src/domain/pool/pool-event.ts'
import { createPoolSet } from '../../../src/domain/pool/pool-set.ts'
import {
  activeLiquidityAt,
  applyLiquidityDelta,
  emptyTickMap,
  type TickMap,
} from '../../../src/domain/pool/tick-map.ts'
import { createTrackedPool, type TrackedPool } from '../../../src/domain/pool/tracked-pool.ts'
import { createPoolWindows, type PoolWindows } from '../../../src/domain/price/pool-window.ts'
import { createPricingPools, type PricingPools } from '../../../src/domain/price/pricing-pools.ts'
import type { Address } from '../../../src/domain/units.ts'
import { decimalsOf, tokens } from './sample-market.ts'

/** A pool as a test describes it: what one token costs in the other, and how hard it is to move. */
export type DeepPoolSpec = {
  readonly token: Address
  readonly other: Address
  /** Whole other tokens per token. */
  readonly price: number
  /** Whole other tokens that move the price by 2 %. */
  readonly depth: number
  readonly number?: number
  readonly createdTs?: number
  readonly key?: Partial<PoolKey>
  /** Liquidity besides: out of range, or a single unit in it. */
  readonly positions?: readonly (readonly [lower: number, upper: number, liquidity: bigint])[]
}

const decimals = (token: Address): number => {
  const read = decimalsOf(token)
  if (!read.known) throw new Error(`${token} has no decimals`)
  return read.value
}

const spacing = 60

const rootPriceOf = (raw: number): bigint => BigInt(Math.round(Math.sqrt(raw) * 2 ** 48)) << 48n

/** The tick map with at least this depth of one token at a price, and hardly more. */
const mapOfDepth = (sqrtPriceX96: bigint, wanted: bigint, isToken0: boolean): TickMap => {
  if (wanted === 0n) return emptyTickMap
  const middle = Math.floor(tickAtSqrtPrice(sqrtPriceX96) / spacing) * spacing
  const mapWith = (liquidityDelta: bigint): TickMap => {
    const range = { tickLower: middle - 6000, tickUpper: middle + 6000, liquidityDelta }
    const map = applyLiquidityDelta(emptyTickMap, range)
    if (!map.known) throw new Error(map.reason)
    return map.value
  }
  const unit = 10n ** 24n
  const { amount0, amount1 } = depthOf(mapWith(unit), sqrtPriceX96)
  const perUnit = isToken0 ? amount1 : amount0
  return mapWith((wanted * unit) / perUnit + 2n)
}

export const deepPoolOf = (spec: DeepPoolSpec): TrackedPool => {
  const { token, other, price, depth, number = 1, createdTs = 1 } = spec
  const isToken0 = token < other
  const [token0, token1] = isToken0 ? [token, other] : [other, token]
  const raw = (isToken0 ? price : 1 / price) * 10 ** (decimals(token1) - decimals(token0))
  const sqrtPriceX96 = rootPriceOf(raw)
  const wanted = BigInt(Math.ceil(depth * 10 ** Math.min(9, decimals(other))))
  const scale = 10n ** BigInt(decimals(other) - Math.min(9, decimals(other)))
  let tickMap = mapOfDepth(sqrtPriceX96, wanted * scale, isToken0)
  for (const [tickLower, tickUpper, liquidityDelta] of spec.positions ?? []) {
    const map = applyLiquidityDelta(tickMap, { tickLower, tickUpper, liquidityDelta })
    if (!map.known) throw new Error(map.reason)
    tickMap = map.value
  }
  const tick = tickAtSqrtPrice(sqrtPriceX96)
  const pool = createTrackedPool(
    {
      number,
      id: `0x${number.toString(16).padStart(64, '0')}`,
      version: 'v4',
      protocol: 'uniswap-v4',
      venue: '0xf0',
      key: { token0, token1, fee: 500, tickSpacing: spacing, hooks: tokens.native, ...spec.key },
      createdBlock: 1,
      createdTs,
    },
    { sqrtPriceX96, tick },
  )
  const liquidity = activeLiquidityAt(tickMap, tick)
  return { ...pool, tickMap, state: { ...pool.state, liquidity } }
}

const trusted: readonly Address[] = [tokens.usdg, tokens.weth, tokens.native]

/** A set with these pools, their windows and the prices that they give. */
export const createDeepPools = (
  ...specs: readonly DeepPoolSpec[]
): {
  readonly pools: ReturnType<typeof createPoolSet>
  readonly windows: PoolWindows
  readonly pricingPools: PricingPools
  /** Another state of a pool from this time on. */
  readonly move: (ts: number, spec: DeepPoolSpec) => void
} => {
  const pools = createPoolSet()
  const windows = createPoolWindows(pools, { isTrusted: (address) => trusted.includes(address) })
  for (const [index, spec] of specs.entries()) pools.put(deepPoolOf({ number: index + 1, ...spec }))
  return {
    pools,
    windows,
    pricingPools: createPricingPools(windows, { decimalsOf, reviewedHooks: new Set() }),
    move: (ts, spec) => {
      windows.leave(spec.number ?? 1, ts)
      pools.put(deepPoolOf(spec))
    },
  }
}
