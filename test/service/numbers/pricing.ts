import type { Address, Hex } from 'viem'
import type { Manifest } from '../../../sandbox/manifest.ts'
import type { Decimals } from './contracts.ts'
import { depthOf } from './depth.ts'
import type { Answered, ChainEvent, Key, Place, Swapped } from './events.ts'
import { approx, token1PerToken0, wholeOf } from './exact.ts'
import { createReplay, liquidityInRange, type Replayed } from './replay.ts'
import { hasUnreviewedHook, reviewedHookOf } from './trust.ts'

/*
 * Dollars of past swaps by the chain's own history alone (docs/methodology.md §5): the feeds'
 * answers of the time, and for a token without a feed what its deepest pool against a trusted
 * token said at the end of the second before. Only pools count that are an hour old, cost at most
 * 1 %, have no unreviewed hook and were deep throughout five minutes (§3).
 */

export type Roles = {
  readonly isStock: (token: Address) => boolean
  readonly isTrusted: (token: Address) => boolean
  readonly reviewedHook: string
  /** The tokens that a feed prices. */
  readonly tokensOf: (aggregator: Address) => readonly Address[]
}

export const rolesOf = (manifest: Manifest): Roles => {
  const { tokens } = manifest
  const withRole = (...roles: readonly string[]): ReadonlySet<Address> =>
    new Set(tokens.flatMap(({ role, address }) => (roles.includes(role) ? [address] : [])))
  const [stocks, trusted] = [withRole('stock'), withRole('stable', 'wrapped', 'native')]
  const fedBy = (aggregator: Address) =>
    tokens.filter((token) => token.aggregator?.toLowerCase() === aggregator)
  return {
    isStock: (token) => stocks.has(token),
    isTrusted: (token) => trusted.has(token),
    reviewedHook: reviewedHookOf({ manifest }),
    // ETH and WETH are one money with one feed.
    tokensOf: (aggregator) =>
      fedBy(aggregator).flatMap(({ role, address }) =>
        role === 'native' ? [address, ...withRole('wrapped')] : [address],
      ),
  }
}

export type PricedSwap = Place &
  Swapped & {
    /** Dollars by the prices of its own time; null where the chain does not determine them. */
    readonly usd: number | null
  }

const daySeconds = 86_400
const hourSeconds = 3600
const windowSeconds = 300
const depthUsdMin = 25_000
const dynamicFee = 0x80_0000
/** Chainlink's dollar feeds have eight decimals. */
const answerScale = 1e8
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

type Answer = { readonly usd: number; readonly ts: number }

type Sight = { readonly roles: Roles; readonly decimals: Decimals }

/** Tracks the prices on the chain, event by event. */
const createPrices = (pools: ReadonlyMap<Hex, Replayed>, sight: Sight) => {
  const { roles, decimals } = sight
  const answers = new Map<Address, Answer>()
  const answerAt = (token: Address, ts: number): number | null => {
    const last = answers.get(token)
    return last !== undefined && ts - last.ts <= daySeconds ? last.usd : null
  }

  /** Every state in which a pool rested, oldest first. */
  const states = new Map<Hex, { readonly ts: number; readonly pool: Replayed }[]>()
  const record = (id: Hex, ts: number): void => {
    const pool = pools.get(id)
    if (pool === undefined) return
    const own = states.get(id) ?? []
    states.set(id, own)
    if (own.at(-1)?.ts === ts) own.pop()
    own.push({ ts, pool: { ...pool, positions: new Map(pool.positions) } })
  }

  /** That of a Slipstream pool is below 0.4 %, whatever it is. */
  const feeOf = ({ created: { key }, lastSwap }: Replayed): number => {
    if (key.fee !== dynamicFee) return key.fee
    return key.hooks === null ? 4000 : (lastSwap?.fee ?? Number.NaN)
  }

  const isEligible = (pool: Replayed, ts: number): boolean => {
    const { hooks, fee } = pool.created.key
    const isOld = ts - pool.created.ts >= hourSeconds
    return isOld && !hasUnreviewedHook({ hooks, fee }, roles.reviewedHook) && feeOf(pool) <= 10_000
  }

  /** What a pool said of one of its sides up to `ts`, with its least dollars of five minutes. */
  const saidBy = (pool: Replayed, token: Address, ts: number) => {
    const { token0, token1 } = pool.created.key
    const is0 = token0 === token
    const anchor = is0 ? token1 : token0
    const usd = roles.isTrusted(anchor) ? answerAt(anchor, ts + 1) : null
    const [scale0, scale1] = [decimals.get(token0), decimals.get(token1)]
    if (usd === null || scale0 == null || scale1 == null || !isEligible(pool, ts)) return null
    const past = (states.get(pool.created.pool) ?? []).filter((state) => state.ts <= ts)
    const first = past.findLastIndex((state) => state.ts <= ts - windowSeconds)
    const depths = past.slice(first).map(({ pool: rested }) => {
      const raw = liquidityInRange(rested) === 0n ? 0n : depthOf(rested, is0 ? 1 : 0)
      return (Number(raw ?? 0n) / 10 ** (is0 ? scale1 : scale0)) * usd
    })
    const root = past.at(-1)?.pool.sqrtPriceX96 ?? null
    const depthUsd = Math.min(...depths)
    if (first < 0 || root === null || depthUsd < depthUsdMin) return null
    const price = approx(token1PerToken0(root, scale0, scale1))
    return { depthUsd, usd: (is0 ? price : 1 / price) * usd }
  }

  const deepestAt = (token: Address, ts: number): number | null => {
    let deepest = { depthUsd: 0, usd: null as number | null }
    for (const pool of pools.values()) {
      const { token0, token1 } = pool.created.key
      const said = token0 === token || token1 === token ? saidBy(pool, token, ts) : null
      if (said !== null && said.depthUsd > deepest.depthUsd) deepest = said
    }
    return deepest.usd
  }

  return {
    record,
    hear: ({ aggregator, answer, updatedTs }: Answered): void => {
      const usd = Number(answer) / answerScale
      for (const token of roles.tokensOf(aggregator)) answers.set(token, { usd, ts: updatedTs })
    },
    usdAt: (token: Address, ts: number): number | null =>
      answerAt(token, ts) ?? deepestAt(token, ts - 1),
  }
}

/** Which side's dollars count: the trusted one, or the mean of two equals. */
const countedOf = ({ token0, token1 }: Key, roles: Roles) => {
  const [stock0, stock1] = [roles.isStock(token0), roles.isStock(token1)]
  if (stock0 === stock1) return [true, true] as const
  const isCanonical = roles.isTrusted(stock0 ? token1 : token0)
  return stock0 === isCanonical ? ([false, true] as const) : ([true, false] as const)
}

type UsdAt = (token: Address, ts: number) => number | null

/** A swap's dollars by the prices of `usdAt`; null if a required one is missing. */
export const usdOfSwap = (
  { amount0, amount1, ts }: Pick<Swapped & Place, 'amount0' | 'amount1' | 'ts'>,
  key: Key,
  { roles, decimals, usdAt }: Sight & { readonly usdAt: UsdAt },
): number | null => {
  const sides = [
    { token: key.token0, raw: amount0 },
    { token: key.token1, raw: amount1 },
  ]
  const counted = sides.filter((_, index) => countedOf(key, roles)[index])
  const dollars = counted.map(({ token, raw }) => {
    const scale = decimals.get(token)
    if (raw === 0n) return 0
    const usd = scale == null ? null : usdAt(token, ts)
    return scale == null || usd === null ? null : approx(wholeOf(magnitude(raw), scale)) * usd
  })
  if (dollars.includes(null)) return null
  return dollars.reduce<number>((sum, usd) => sum + (usd ?? 0), 0) / dollars.length
}

/** Every swap of pools that hold a stock or two trusted tokens, priced as it came. */
export const priceSwaps = (events: readonly ChainEvent[], sight: Sight): readonly PricedSwap[] => {
  const { isStock, isTrusted } = sight.roles
  const replay = createReplay()
  const prices = createPrices(replay.pools, sight)
  const isOurs = ({ token0, token1 }: Key): boolean =>
    isStock(token0) || isStock(token1) || (isTrusted(token0) && isTrusted(token1))
  const priced: PricedSwap[] = []
  for (const event of events) {
    replay.apply(event)
    if (event.kind === 'answered') prices.hear(event)
    else prices.record(event.pool, event.ts)
    if (event.kind !== 'swapped') continue
    const key = replay.pools.get(event.pool)?.created.key
    if (key === undefined || !isOurs(key)) continue
    priced.push({ ...event, usd: usdOfSwap(event, key, { ...sight, usdAt: prices.usdAt }) })
  }
  return priced
}
