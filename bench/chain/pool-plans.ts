import { computePoolAddress, computePoolId } from '../../src/domain/dex/pool-id.ts'
import { dynamicFee } from '../../src/domain/dex/uniswap-v4/hook-flags.ts'
import type { PoolKey, PoolVersion } from '../../src/domain/pool/pool-event.ts'
import { type Address, nativeAddress, type PoolId } from '../../src/domain/units.ts'
import type { Random } from '../../test/sim/random.ts'
import { initCodeHash, keccak } from '../../test/support/domain/sample-pool.ts'
import {
  factory,
  feeHook,
  foreignFactory,
  foreignManager,
  manager,
  memeToken,
  type SyntheticToken,
  stockTokens,
  trustedTokens,
} from './contracts-and-tokens.ts'

/** A pool to create. */
export type PoolPlan = {
  readonly version: PoolVersion
  readonly id: PoolId
  readonly venue: Address
  readonly key: PoolKey
  readonly token0: SyntheticToken
  readonly token1: SyntheticToken
  /** Initial liquidity in US dollars. */
  readonly depthUsd: number
  /** True if it is of a configured venue and holds a stock or two trusted tokens. */
  readonly isIndexed: boolean
}

type Pair = readonly [SyntheticToken, SyntheticToken]

const [usdg, weth, native] = trustedTokens as readonly [
  SyntheticToken,
  SyntheticToken,
  SyntheticToken,
]
const v3Tiers = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 3000, tickSpacing: 60 },
  { fee: 10_000, tickSpacing: 200 },
] as const

const stockAt = (number: number): SyntheticToken =>
  stockTokens[number % stockTokens.length] as SyntheticToken

/** The most traded pools are pricing pools and canonical pools. */
const pairOfTopRank = (rank: number): Pair | null => {
  if (rank === 2) return [weth, usdg]
  if (rank === 3) return [native, usdg]
  return rank < 12 ? [stockAt(rank), usdg] : null
}

const pairOf = (rank: number, version: PoolVersion, random: Random): Pair => {
  const stock = stockAt(random.between(0, stockTokens.length - 1))
  const first = pairOfTopRank(rank)
  if (first !== null) return first
  const kind = random.weighted({ canonical: 25, stocks: 10, meme: 65 })
  if (kind === 'canonical') return [stock, random.pick([usdg, version === 'v3' ? weth : native])]
  const other = stockAt(random.between(0, stockTokens.length - 1))
  return kind === 'stocks' && other !== stock ? [stock, other] : [stock, memeToken(rank)]
}

const tierOf = (version: PoolVersion, random: Random): Omit<PoolKey, 'token0' | 'token1'> => {
  const tier = random.pick(v3Tiers)
  if (version === 'v3') return { ...tier, hooks: null }
  if (random.percent(5)) return { ...tier, fee: dynamicFee, hooks: feeHook }
  return { ...tier, fee: random.between(1, 200) * 50, hooks: nativeAddress }
}

const venuesOf = (version: PoolVersion, isForeign: boolean): Address => {
  if (version === 'v3') return isForeign ? foreignFactory : factory
  return isForeign ? foreignManager : manager
}

const createPlan = (
  { version, venue }: { readonly version: PoolVersion; readonly venue: Address },
  [a, b]: Pair,
  tier: Omit<PoolKey, 'token0' | 'token1'>,
): Omit<PoolPlan, 'depthUsd' | 'isIndexed'> => {
  const [token0, token1] = a.address < b.address ? [a, b] : [b, a]
  const key: PoolKey = { token0: token0.address, token1: token1.address, ...tier }
  const id =
    version === 'v3'
      ? computePoolAddress({ ...key, deployer: venue, initCodeHash }, keccak)
      : computePoolId(key, keccak)
  return { version, venue, id, key, token0, token1 }
}

/** Depth falls with rank: four million dollars for the first, some thousands for the last. */
const depthOf = (rank: number): number => 4_000 + 4_000_000 / (rank + 1)

/** Indexed pools by descending share of trades, alternating v3 and v4. */
export const drawPoolPlans = (count: number, random: Random): readonly PoolPlan[] => {
  const plans = new Map<PoolId, PoolPlan>()
  for (let rank = 0; rank < count; rank++) {
    const version = rank % 2 === 0 ? 'v3' : 'v4'
    const at = { version, venue: venuesOf(version, false) } as const
    const drawn = createPlan(at, pairOf(rank, version, random), tierOf(version, random))
    const isTaken = plans.has(drawn.id)
    const meme: Pair = [stockAt(rank), memeToken(rank)]
    const plan = isTaken ? createPlan(at, meme, tierOf(version, random)) : drawn
    plans.set(plan.id, { ...plan, depthUsd: depthOf(rank), isIndexed: true })
  }
  return [...plans.values()]
}

/**
 * Pools that must not be indexed: copies at unconfigured venues (in v4 with the same pool id), and
 * pools of configured venues that hold no stock.
 */
export const drawDecoyPlans = (
  indexed: readonly PoolPlan[],
  random: Random,
): readonly PoolPlan[] => {
  const count = Math.ceil(indexed.length / 20)
  const copies = indexed.slice(0, count).map((plan) => {
    const at = { version: plan.version, venue: venuesOf(plan.version, true) }
    return createPlan(at, [plan.token0, plan.token1], plan.key)
  })
  const unrelated = Array.from({ length: count }, (_, number) => {
    const version = number % 2 === 0 ? 'v3' : 'v4'
    const at = { version, venue: venuesOf(version, false) } as const
    const pair: Pair = [
      memeToken(indexed.length + number),
      number % 4 < 2 ? weth : memeToken(number),
    ]
    return createPlan(at, pair, tierOf(version, random))
  })
  return [...copies, ...unrelated].map((plan) => ({ ...plan, depthUsd: 50_000, isIndexed: false }))
}
