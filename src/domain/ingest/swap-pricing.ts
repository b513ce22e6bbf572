import { amountToApprox, stockPriceInOther } from '../math/price.ts'
import { poolSidesOf, type TokenRoles } from '../pool/kind.ts'
import type { PoolSwapped } from '../pool/pool-event.ts'
import type { Reading } from '../reading.ts'
import type { BookReading, ReferenceBook } from '../stock/reference-book.ts'
import type { Address, UnixSeconds } from '../units.ts'
import { type Leg, type SwapUsd, swapUsdOf } from '../valuation/swap-usd.ts'
import { createDeepestPool } from './deepest-pool.ts'
import type { PoolBook } from './pool-book.ts'
import type { TrackedPool } from './tracked-pool.ts'

export type SwapPricing = {
  readonly priceSwap: (pool: TrackedPool, event: PoolSwapped, ts: UnixSeconds) => SwapUsd
}

type Deps = {
  readonly book: PoolBook
  readonly references: ReferenceBook
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
}

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/**
 * Values swaps at the prices of their own time (methodology §5). Where no reference of that time
 * is known, the token's deepest pool against a trusted token says what it was worth at that moment.
 */
export const createSwapPricing = (deps: Deps): SwapPricing => {
  const { references, roles, decimalsOf } = deps
  const deepestPool = createDeepestPool(deps)

  const impliedUsd = (address: Address, ts: UnixSeconds): number | null => {
    const speaker = deepestPool(address, (anchor) => {
      const reading = references.at(anchor, ts)
      return reading?.ofItsTime ? reading.usd : null
    })
    if (speaker === null) return null
    const { pool, isToken0, anchorUsd } = speaker
    const [decimals0, decimals1] = [
      decimalsOf(pool.identity.key.token0),
      decimalsOf(pool.identity.key.token1),
    ]
    const price = stockPriceInOther(pool.state.price, isToken0, decimals0, decimals1)
    return price.known ? price.value * anchorUsd : null
  }

  const usdAt = (address: Address, ts: UnixSeconds): BookReading | null => {
    const reading = references.at(address, ts)
    if (reading?.ofItsTime) return reading
    const usd = impliedUsd(address, ts)
    return usd === null ? reading : { usd, ofItsTime: true }
  }

  const amountOf = (address: Address, raw: bigint): number | null => {
    // Nothing is nothing at any scale.
    if (raw === 0n) return 0
    const decimals = decimalsOf(address)
    return decimals.known ? amountToApprox(magnitude(raw), decimals.value) : null
  }

  const legOf = (address: Address, raw: bigint, ts: UnixSeconds): Leg => ({
    amount: amountOf(address, raw),
    price: () => usdAt(address, ts),
  })

  return {
    priceSwap: (pool, event, ts) => {
      const { key } = pool.identity
      const sides = poolSidesOf(key, roles)
      const kind = sides?.kind ?? 'reference'
      const leg0 = legOf(key.token0, event.amount0, ts)
      const leg1 = legOf(key.token1, event.amount1, ts)
      const isStock0 = sides?.stockIsToken0 ?? true
      return isStock0 ? swapUsdOf(kind, leg0, leg1) : swapUsdOf(kind, leg1, leg0)
    },
  }
}
