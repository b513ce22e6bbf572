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
  /** Lets the deepest pools be looked for anew; called per batch, as depth moves slowly. */
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
  /** For each token the deepest pool that prices it in a trusted one; null until looked for. */
  let speakers: Map<Address, Speaker> | null = null

  const speakersNow = (): ReadonlyMap<Address, Speaker> => {
    if (speakers !== null) return speakers
    const found = new Map<Address, Speaker>()
    const consider = (
      pool: TrackedPool,
      side: { token: Address; anchor: Address; raw: bigint },
    ) => {
      if (!roles.isTrusted(side.anchor)) return
      const decimals = decimalsOf(side.anchor)
      const anchor = references.at(side.anchor, Number.MAX_SAFE_INTEGER)
      if (!decimals.known || anchor === null) return
      const depthUsd = amountToApprox(side.raw, decimals.value) * anchor.usd
      const best = found.get(side.token)
      if (best === undefined || depthUsd > best.depthUsd) found.set(side.token, { pool, depthUsd })
    }
    for (const pool of book.all()) {
      const { token0, token1 } = pool.identity.key
      const { reserves } = pool.state
      if (reserves === null) continue
      consider(pool, { token: token0, anchor: token1, raw: reserves.amount1 })
      consider(pool, { token: token1, anchor: token0, raw: reserves.amount0 })
    }
    speakers = found
    return found
  }

  const impliedUsd = (address: Address, ts: UnixSeconds): number | null => {
    const speaker = speakersNow().get(address)
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
    refresh: () => {
      speakers = null
    },
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
