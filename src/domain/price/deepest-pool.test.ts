import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalsOf, tokens } from '../../../test/support/domain/sample-market.ts'
import { sqrtPriceAtTick } from '../math/tick-math.ts'
import { createPoolSet } from '../pool/pool-set.ts'
import { applyLiquidityDelta, emptyTickMap } from '../pool/tick-map.ts'
import { createTrackedPool, type TrackedPool } from '../pool/tracked-pool.ts'
import { type Address, nativeAddress } from '../units.ts'
import { createDeepestPool } from './deepest-pool.ts'
import { approximateDepth } from './tick-depth.ts'

const { usdg, apple, weth, tesla, meme } = tokens
const trusted: readonly Address[] = [usdg, weth]
const pairs: readonly (readonly [Address, Address])[] = [
  [usdg, apple],
  [apple, weth],
  [usdg, tesla],
  [weth, tesla],
  [usdg, weth],
  [apple, meme],
]
const dollars = new Map([
  [usdg, 1],
  [weth, 2500],
])
const width = 6000

/** Each pool number is always of the same pair. */
const poolOf = (number: number, tick: number, liquidity: bigint): TrackedPool => {
  const [token0, token1] = pairs[number % pairs.length] as readonly [Address, Address]
  const pool = createTrackedPool(
    {
      number,
      id: `0x${number.toString(16).padStart(64, '0')}`,
      version: 'v4',
      venue: '0xf0',
      key: { token0, token1, fee: 500, tickSpacing: 60, hooks: nativeAddress },
      createdBlock: 1,
      createdTs: 1,
    },
    { sqrtPriceX96: sqrtPriceAtTick(tick), tick },
  )
  const range = { tickLower: -width, tickUpper: width, liquidityDelta: liquidity }
  const map = applyLiquidityDelta(emptyTickMap, range)
  if (!map.known) throw new Error(map.reason)
  return { ...pool, tickMap: map.value, state: { ...pool.state, liquidity } }
}

/** The deepest pool, found by a search of every pool. */
const plainDeepest = (pools: readonly TrackedPool[], token: Address): number | null => {
  const pricingPools = pools.flatMap(({ identity: { number, key }, state, tickMap: map }) => {
    const isToken0 = key.token0 === token
    const anchor = isToken0 ? key.token1 : key.token0
    const isPair = (isToken0 || key.token1 === token) && trusted.includes(anchor)
    const decimals = decimalsOf(anchor)
    if (!isPair || state.liquidity === 0n || state.price === null || !decimals.known) return []
    const { amount0, amount1 } = approximateDepth(map, state.price.sqrtPriceX96)
    const amount = isToken0 ? amount1 : amount0
    const depth = (amount / 10 ** decimals.value) * (dollars.get(anchor) ?? 0)
    return amount > 0 ? [{ number, depth }] : []
  })
  const [deepest] = pricingPools.sort((a, b) => b.depth - a.depth || a.number - b.number)
  return deepest?.number ?? null
}

const anyPut = fc.record({
  number: fc.integer({ min: 1, max: 12 }),
  tick: fc.integer({ min: -width - 60, max: width + 60 }),
  liquidity: fc.constantFrom(0n, 10n ** 12n, 10n ** 15n, 10n ** 18n),
})
const anyStep = fc.oneof(anyPut, fc.constantFrom(apple, tesla, weth, usdg, meme))

it('finds the same pool as a search of all pools, whatever was requested before', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const book = createPoolSet()
      const deepestPool = createDeepestPool({
        pools: book,
        roles: { isStock: () => false, isTrusted: (address) => trusted.includes(address) },
        decimalsOf,
        trustedUsdAt: (token) => dollars.get(token) ?? null,
      })
      for (const step of steps) {
        if (typeof step === 'object') book.put(poolOf(step.number, step.tick, step.liquidity))
        else {
          const number = deepestPool(step, 1)?.pool.identity.number ?? null
          expect(number).toBe(plainDeepest([...book.all()], step))
        }
      }
    }),
    { numRuns: 300 },
  )
})
