import { type Address, numberToHex } from 'viem'
import type { Call } from '../../sandbox/chain/sender.ts'
import type { Manifest } from '../../sandbox/manifest.ts'
import { addLiquidity, bundleCalls, openPool } from '../../sandbox/market/calls.ts'
import { buildPool, type Pool } from '../../sandbox/world/pool.ts'
import { v3 } from '../../sandbox/world/pool-table.ts'
import { sqrtPriceAtTick } from '../../src/domain/math/tick-math.ts'
import { known } from '../../src/domain/reading.ts'
import type { QuotedPool } from '../../src/domain/swap/quoted-pool.ts'
import { simulateSwap } from '../../src/domain/swap/simulate-swap.ts'
import { type Position, quotedPoolOf } from '../../test/support/domain/quoted-pool.ts'

/** A pool of 1,000 ticks at the lower end of its map: a buyer crosses all that lie above. */
export type ThousandTicks = {
  readonly pool: Pool
  readonly quoted: QuotedPool
  /** What creates it, sets its price and adds its positions; each a transaction. */
  readonly calls: readonly Call[]
  /** Raw input of a buyer that ends in the middle of a range, after so many ticks. */
  readonly inputAcross: (ticks: number) => bigint
}

const fee = 500
const tickSpacing = 10
const tickCount = 1000
/** 100 dollars for a token of 18 decimals in dollars of 6. */
const firstTick = -230_280
const startTick = firstTick + tickSpacing / 2
const liquidity = 10n ** 20n
const positionsPerCall = 100
/** The price is between the first two ticks, so the first is never crossed, nor the last. */
export const crossedMax = tickCount - 2

/** Each begins a tick above the one before it, and ends where the others have begun. */
const positions: readonly Position[] = Array.from({ length: tickCount / 2 }, (_, at) => {
  const lower = firstTick + at * tickSpacing
  return [lower, lower + (tickCount / 2) * tickSpacing, liquidity]
})

/** A stock that is token0 beside USDG and has no pool of the fee. */
const pickStock = ({ tokens, pools }: Manifest, dollar: Address) => {
  const isFree = (address: Address): boolean =>
    pools.every((pool) => pool.token0 !== address || pool.token1 !== dollar || pool.fee !== fee)
  const stock = tokens.find(
    ({ role, address }) => role === 'stock' && BigInt(address) < BigInt(dollar) && isFree(address),
  )
  if (stock === undefined) throw new Error('the sandbox has no stock for another pool')
  return stock
}

const planPool = (manifest: Manifest): Pool => {
  const { dynamicFeeHook, returnsDeltaHook } = manifest.contracts
  const hooks = { 'dynamic-fee': dynamicFeeHook, 'returns-delta': returnsDeltaHook }
  const dollar = manifest.tokens.find(({ key }) => key === 'USDG')
  if (dollar === undefined) throw new Error('the sandbox has no USDG')
  const stock = pickStock(manifest, dollar.address)
  const [a, b] = [stock, dollar].map(({ key, address }) => ({ spec: { key }, address }))
  const spec = v3(stock.key, dollar.key, fee, 0)
  const contracts = { ...manifest.contracts, hooks }
  return buildPool(spec, a as NonNullable<typeof a>, b as NonNullable<typeof b>, contracts)
}

const createCalls = (manifest: Manifest, pool: Pool): readonly Call[] => {
  const salt = numberToHex(0, { size: 32 })
  const added = positions.map(([tickLower, tickUpper, amount]) => {
    const at = { tickLower, tickUpper, salt, core: true, liquidity: '0' }
    return addLiquidity(manifest, pool, at, amount)
  })
  const bundles = Array.from({ length: Math.ceil(added.length / positionsPerCall) }, (_, at) =>
    bundleCalls(manifest, added.slice(at * positionsPerCall, (at + 1) * positionsPerCall)),
  )
  return [...openPool(manifest, pool, sqrtPriceAtTick(startTick)), ...bundles]
}

export const planThousandTicks = (manifest: Manifest): ThousandTicks => {
  const pool = planPool(manifest)
  const { currency0: token0, currency1: token1 } = pool.key
  const key = { token0, token1, fee, tickSpacing, hooks: null }
  const quoted = quotedPoolOf({
    ...{ tick: startTick, positions, decimals1: known(6) },
    pool: { id: pool.id, key },
  })
  return {
    pool,
    quoted,
    calls: createCalls(manifest, pool),
    inputAcross: (ticks) => {
      const { price, liquidity: inRange } = quoted.pool
      const { tickMap } = quoted
      if (price === null || tickMap === null) throw new Error('the pool has no state')
      const limitX96 = sqrtPriceAtTick(startTick + ticks * tickSpacing)
      const order = { zeroForOne: false, exact: 'input', amount: 2n ** 200n, fee } as const
      const state = { price, liquidity: inRange, tickMap, tickSpacing }
      const { amountIn, ticksCrossed } = simulateSwap(state, { ...order, limitX96 })
      if (ticksCrossed !== ticks) throw new Error(`${ticksCrossed} ticks crossed, not ${ticks}`)
      return amountIn
    },
  }
}
