import type { Address, Hex } from 'viem'
import type { Prices } from '../market/prices.ts'
import type { Settings } from '../options.ts'
import type { Pool } from './pool.ts'
import type { StockSpec, Token } from './tokens.ts'

export type BaseContracts = {
  readonly factory: Address
  readonly poolManager: Address
  readonly stateView: Address
  readonly tickLens: Address
  /** Trades for everybody and owns every position. */
  readonly router: Address
  readonly multicall3: Address
  readonly beacon: Address
  readonly stockFactory: Address
  readonly wrappedNative: Address
  readonly dynamicFeeHook: Address
  readonly returnsDeltaHook: Address
}

export type Contracts = BaseContracts & {
  /** Emits v3's PoolCreated and Swap without being Uniswap. */
  readonly foreignVenue: Address
}

export type Feed = {
  readonly tokenKey: string
  readonly proxy: Address
  readonly aggregator: Address
  lastUsd: number
  lastTs: number
}

/** Unlocked accounts of the node, by their work. */
export type Accounts = {
  readonly deployer: Address
  readonly feedKeeper: Address
  readonly provider: Address
  readonly traders: readonly Address[]
}

/** All that the sandbox knows of its chain: plain data, saved as JSON when it stops in order. */
export type World = {
  readonly settings: Settings
  /** Of our contracts' sources: a saved world of other contracts is of no use. */
  readonly sourceHash: string
  readonly genesisTs: number
  readonly genesisHash: Hex
  readonly accounts: Accounts
  readonly contracts: Contracts
  readonly tokens: Record<string, Token>
  readonly pools: Pool[]
  readonly feeds: Feed[]
  /** By stock: what its contract was told, so that quotes can say the same. */
  readonly multipliers: Record<string, MultiplierPlan>
  /** By stock: a halt is only known from quotes. */
  readonly halted: Record<string, boolean>
  /** By stock: feeds of a paused oracle keep their last answer. */
  readonly oraclePaused: Record<string, boolean>
  /** How many memes were launched since the past ended. */
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

/** The pool's price where both tokens are worth what they are: raw token1 per raw token0. */
export function fairPrice(world: World, prices: Prices, pool: Pool): number {
  const [token0, token1] = [tokenOf(world, pool.token0).spec, tokenOf(world, pool.token1).spec]
  const whole = prices.usd(pool.token0) / prices.usd(pool.token1)
  return whole * 10 ** (token1.decimals - token0.decimals)
}

/** Raw units of a token that are worth the given dollars; at least one. */
export function usdToRaw(world: World, prices: Prices, key: string, usd: number): bigint {
  const whole = usd / prices.usd(key)
  return BigInt(Math.max(1, Math.floor(whole * 10 ** tokenOf(world, key).spec.decimals)))
}

/** A pool that trades and takes liquidity like any other now. */
export const isOpen = (pool: Pool): boolean =>
  pool.createdTs !== null && pool.drainedTs === null && pool.spec.flow > 0
