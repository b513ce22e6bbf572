import type { Address } from 'viem'
import type { Call, Transaction } from '../chain/sender.ts'
import type { Random } from '../random.ts'
import { amountsPerLiquidity, rangeAround, toSqrtPriceX96 } from '../world/maths.ts'
import type { Pool } from '../world/pool.ts'
import { fairPrice, isOpen, tokenOf, usdToRaw, type World } from '../world/world.ts'
import { addLiquidity, bundleCalls, createTrade, positionSalt, trimLiquidity } from './calls.ts'
import type { Prices } from './prices.ts'

/** Accounts that only wash: each kind has its own, the ring all that are left. */
export const washersCount = 7

/** What a bot trades, in dollars: not round, and little beside its pool. */
const usdMin = 120
const usdMax = 400

/** Of the trade between its own liquidity, in shares of the pool's depth, and that liquidity. */
const flashTradeShare = 0.05
const flashLiquidityShare = 2

/** No position of the pool's providers has this salt. */
const flashSalt = positionSalt(0xf1a5)

/** So far from its price a bot would take a pool. */
const push = 1.2

/** Bots that make volume and nothing else, in pools with honest traders (sandbox/README.md). */
export type WashBots = {
  /** The transactions of the next turn: even turns open what odd ones close. */
  readonly turn: () => readonly Transaction[]
}

type Sale = { readonly from: Address; readonly call: Call }

/** `role`: of the pool that a bot is in. */
const poolOf = (world: World, role: string): Pool | undefined =>
  world.pools.find((pool) => pool.spec.roles.includes(role) && isOpen(pool))

type Drawn = { readonly world: World; readonly prices: Prices; readonly random: Random }

/** An odd amount of token0. */
const drawAmount = ({ world, prices, random }: Drawn, pool: Pool): bigint => {
  const raw = usdToRaw(world, prices, pool.token0, random.between(usdMin, usdMax))
  return raw - (raw % 10n) + 7n
}

/** Buys exactly this much of token0, or sells it. */
const trade = ({ world, prices }: Drawn, pool: Pool, amount: bigint, recipient: Address): Call => {
  const zeroForOne = amount < 0n
  const price = fairPrice(world, prices, pool)
  const limit = toSqrtPriceX96(zeroForOne ? price / push : price * push)
  return createTrade(world, pool, { zeroForOne, amount, limit, recipient })
}

/** Adds liquidity around the price, trades through it, and takes it back: one transaction. */
const flashCalls = (drawn: Drawn, pool: Pool, from: Address): readonly Call[] => {
  const { world, prices, random } = drawn
  const price = fairPrice(world, prices, pool)
  const range = rangeAround(price, 0.9, 1.1, pool.spec.tickSpacing)
  const usdPer = [pool.token0, pool.token1].reduce((sum, key, at) => {
    const { amount0, amount1 } = amountsPerLiquidity(price, range)
    const raw = at === 0 ? amount0 : amount1
    return sum + (raw / 10 ** tokenOf(world, key).spec.decimals) * prices.usd(key)
  }, 0)
  const liquidity = BigInt(Math.floor((pool.spec.depthUsd * flashLiquidityShare) / usdPer))
  const position = { ...range, salt: flashSalt }
  const usd = pool.spec.depthUsd * flashTradeShare * random.between(0.8, 1.2)
  const amount = usdToRaw(world, prices, pool.token0, usd)
  return [
    addLiquidity(world, pool, position, liquidity),
    trade(drawn, pool, random.chance(0.5) ? amount : -amount, from),
    trimLiquidity(world, pool, position, 10_000n),
  ]
}

export const createWashBots = (drawn: Drawn): WashBots => {
  const { world } = drawn
  const [pingPong, roundTrip, flash, ...ring] = world.accounts.washers
  let turns = 0
  let sales: readonly Sale[] = []

  /** Buys in one turn what another wallet, or the same one, sells in the next. */
  const buy = (role: string, buyer: Address | undefined, seller: Address | undefined) => {
    const pool = poolOf(world, role)
    if (pool === undefined || buyer === undefined || seller === undefined) return []
    const amount = drawAmount(drawn, pool)
    sales = [...sales, { from: seller, call: trade(drawn, pool, -amount, seller) }]
    return [{ from: buyer, call: trade(drawn, pool, amount, buyer) }]
  }

  const bundle = (from: Address | undefined, role: string, toCalls: typeof flashCalls) => {
    const pool = poolOf(world, role)
    if (pool === undefined || from === undefined) return []
    return [{ from, call: bundleCalls(world, toCalls(drawn, pool, from)) }]
  }

  const bundles = (): readonly Transaction[] => [
    ...bundle(roundTrip, 'wash-round-trip', (_, pool, from) => {
      const amount = drawAmount(drawn, pool)
      return [amount, -amount].map((each) => trade(drawn, pool, each, from))
    }),
    ...bundle(flash, 'wash-flash', flashCalls),
  ]

  return {
    turn: () => {
      turns += 1
      const closing = sales
      sales = []
      if (closing.length > 0) return [...closing, ...bundles()]
      const [buyer, seller] = [ring[turns % ring.length], ring[(turns + 1) % ring.length]]
      return [
        ...buy('wash-ping-pong', pingPong, pingPong),
        ...buy('wash-ring', buyer, seller),
        ...bundles(),
      ]
    },
  }
}
