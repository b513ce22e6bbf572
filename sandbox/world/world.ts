import type { Address, Hex } from 'viem'
import type { Prices } from '../market/prices.ts'
import type { Settings } from '../options.ts'
import type { Pool } from './pool.ts'
import type { StockSpec, Token } from './tokens.ts'
import type { VenueContracts } from './venues.ts'

export type BaseContracts = VenueContracts & {
  readonly stateView: Address
  readonly tickLens: Address
  /** Executes every trade and owns every position. */
  readonly router: Address
  readonly multicall3: Address
  readonly beacon: Address
  readonly stockFactory: Address
  readonly wrappedNative: Address
  readonly dynamicFeeHook: Address
  readonly returnsDeltaHook: Address
}

export type Contracts = BaseContracts & {
  /** Emits v3's PoolCreated and Swap, but is not Uniswap. */
  readonly foreignVenue: Address
}

export type Feed = {
  readonly tokenKey: string
  readonly proxy: Address
  readonly aggregator: Address
  lastUsd: number
  lastTs: number
}

/** Unlocked accounts of the node by role. */
export type Accounts = {
  readonly deployer: Address
  readonly feedKeeper: Address
  readonly provider: Address
  readonly traders: readonly Address[]
  /** Of the bots that make volume (market/wash-bots.ts). */
  readonly washers: readonly Address[]
}

/** The sandbox's state of its chain: plain data, saved as JSON at an orderly stop. */
export type World = {
  readonly settings: Settings
  /** Hash of the contract sources; a saved world of other sources is discarded. */
  readonly sourceHash: string
  readonly genesisTs: number
  readonly genesisHash: Hex
  readonly accounts: Accounts
  readonly contracts: Contracts
  readonly tokens: Record<string, Token>
  readonly pools: Pool[]
  readonly feeds: Feed[]
  /** By stock: announced multipliers, used by quotes. */
  readonly multipliers: Record<string, MultiplierPlan>
  /** By stock: trading halts, which only quotes report. */
  readonly halted: Record<string, boolean>
  /** By stock: feeds of a paused oracle keep their last answer. */
  readonly oraclePaused: Record<string, boolean>
  /** Number of memes launched since the past ended. */
  launches: number
}

export type MultiplierPlan = {
  /** Shares per token as decimal text. */
  readonly before: string
  readonly after: string
  readonly effectiveTs: number
}

export const tokenOf = (world: World, key: string): Token => {
  const token = world.tokens[key]
  if (!token) throw new Error(`no token ${key}`)
  return token
}

export const stockSpecs = (world: World): StockSpec[] =>
  Object.values(world.tokens).flatMap((token) => (isStock(token.spec) ? [token.spec] : []))

export const isStock = (spec: Token['spec']): spec is StockSpec => spec.role === 'stock'

export function multiplierAt(world: World, symbol: string, now: number): string {
  const plan = world.multipliers[symbol]
  if (!plan) return '1'
  return now >= plan.effectiveTs ? plan.after : plan.before
}

/** Pool price at which both tokens have their market price: raw token1 per raw token0. */
export function fairPrice(world: World, prices: Prices, pool: Pool): number {
  const [token0, token1] = [tokenOf(world, pool.token0).spec, tokenOf(world, pool.token1).spec]
  const whole = prices.usd(pool.token0) / prices.usd(pool.token1)
  return whole * 10 ** (token1.decimals - token0.decimals)
}

/** Raw amount of a token worth the given US dollars; at least 1. */
export function usdToRaw(world: World, prices: Prices, key: string, usd: number): bigint {
  const whole = usd / prices.usd(key)
  return BigInt(Math.max(1, Math.floor(whole * 10 ** tokenOf(world, key).spec.decimals)))
}

/** True if the pool trades and accepts liquidity. */
export const isOpen = (pool: Pool): boolean =>
  pool.createdTs !== null && pool.drainedTs === null && pool.spec.flow > 0
