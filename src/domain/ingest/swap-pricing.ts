import { amountToApprox, stockPriceInOther } from '../math/price.ts'
import { poolSidesOf, type TokenRoles } from '../pool/kind.ts'
import type { PoolSwapped } from '../pool/pool-event.ts'
import type { Reading } from '../reading.ts'
import type { BookReading, ReferenceBook } from '../stock/reference-book.ts'
import type { Address, UnixSeconds } from '../units.ts'
import { type SwapUsd, swapUsdOf } from '../valuation/swap-usd.ts'
import type { PoolBook } from './pool-book.ts'
import type { TrackedPool } from './tracked-pool.ts'

export type SwapPricing = {
  readonly priceSwap: (pool: TrackedPool, event: PoolSwapped, ts: UnixSeconds) => SwapUsd
  /** Looks for the deepest pools anew; called once per batch, as depth moves slowly. */
  readonly refresh: () => void
}

type Deps = {
  readonly book: PoolBook
  readonly references: ReferenceBook
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
}

/** A pool that can speak for a token, by the side that is worth something independently. */
type Speaker = { readonly pool: TrackedPool; readonly depthUsd: number }

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/**
 * Values swaps at the prices of their own time (methodology §5). Where no reference of that time
 * is known, the token's deepest pool against a trusted token says what it was worth at that moment.
 */
export const createSwapPricing = ({ book, references, roles, decimalsOf }: Deps): SwapPricing => {
  /** For each token the deepest pool that prices it in a trusted one. */
  const speakers = new Map<Address, Speaker>()

  const consider = (sides: { token: Address; anchor: Address; raw: bigint }, pool: TrackedPool) => {
    const decimals = decimalsOf(sides.anchor)
    const anchor = references.at(sides.anchor, Number.MAX_SAFE_INTEGER)
    if (!decimals.known || anchor === null) return
    const depthUsd = amountToApprox(sides.raw, decimals.value) * anchor.usd
    const best = speakers.get(sides.token)
    if (best === undefined || depthUsd > best.depthUsd)
      speakers.set(sides.token, { pool, depthUsd })
  }

  const refresh = () => {
    speakers.clear()
    for (const pool of book.all()) {
      const { token0, token1 } = pool.identity.key
      const { reserves } = pool.state
      if (reserves === null) continue
      if (roles.isTrusted(token1)) {
        consider({ token: token0, anchor: token1, raw: reserves.amount1 }, pool)
      }
      if (roles.isTrusted(token0)) {
        consider({ token: token1, anchor: token0, raw: reserves.amount0 }, pool)
      }
    }
  }

  const impliedUsd = (address: Address, ts: UnixSeconds): number | null => {
    const speaker = speakers.get(address)
    if (speaker === undefined) return null
    const pool = book.byNumber(speaker.pool.identity.number)
    if (pool === undefined) return null
    const { token0, token1 } = pool.identity.key
    const is0 = address === token0
    const anchor = references.at(is0 ? token1 : token0, ts)
    if (!anchor?.ofItsTime) return null
    const price = stockPriceInOther(pool.state.price, is0, decimalsOf(token0), decimalsOf(token1))
    return price.known ? price.value * anchor.usd : null
  }

  const usdAt = (address: Address, ts: UnixSeconds): BookReading | null => {
    const reading = references.at(address, ts)
    if (reading?.ofItsTime) return reading
    const usd = impliedUsd(address, ts)
    return usd === null ? reading : { usd, ofItsTime: true }
  }

  const legOf = (address: Address, raw: bigint, ts: UnixSeconds) => {
    const decimals = decimalsOf(address)
    const amount = decimals.known ? amountToApprox(magnitude(raw), decimals.value) : null
    return { amount, price: usdAt(address, ts) }
  }

  return {
    refresh,
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
