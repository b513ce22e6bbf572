import { getAddress } from 'viem'
import { readSqrtPrices } from '../chain/reads.ts'
import type { Rpc } from '../chain/rpc.ts'
import { nowSeconds } from '../clock.ts'
import type { Prices } from '../market/prices.ts'
import { screenerChain } from '../network-file.ts'
import { amountsPerLiquidity, fromSqrtPriceX96 } from '../world/maths.ts'
import type { Pool } from '../world/pool.ts'
import { nativeAddress } from '../world/tokens.ts'
import { tokenOf, type World } from '../world/world.ts'
import { faultModes, isFault, sendWithFault } from './faults.ts'
import { type Pair, toGeckoItem } from './geckoterminal.ts'
import { type Handler, sendJson } from './server.ts'
import { createSwapStatistics, type SwapBucket, type SwapStatistics } from './swap-statistics.ts'

/** Faults of figures, besides those of any response. */
const figureModes = ['ok', 'partial', 'empty', 'inflated'] as const

export const screenerModes: readonly string[] = [...figureModes, ...faultModes]

export type Screener = {
  readonly dexscreener: Handler
  readonly geckoterminal: Handler
  readonly mode: () => string
  readonly setMode: (mode: string) => void
}

/** The chain is read at most this often, and only on a request. */
const freshSeconds = 5

/** Maximum ids per request, as documented by both screeners. */
const idsMax = 30

const windows = { m5: 300, h1: 3_600, h6: 21_600, h24: 86_400 } as const

/** Stands in for the supply, which a screener does not know. */
const supplyWhole = 1_000_000

type Snapshot = { readonly ts: number; readonly sqrtPrices: ReadonlyMap<string, bigint> }

/**
 * DexScreener's `/latest/dex/pairs/{chain}/{ids}` as recorded and GeckoTerminal's
 * `/networks/{chain}/pools/multi/{ids}` as documented, with this chain's numbers.
 */
export function createScreener(rpc: Rpc, world: World, prices: Prices): Screener {
  let mode = 'ok'
  let reading: Promise<Snapshot> | null = null
  const statistics = createSwapStatistics(rpc)

  const read = async (): Promise<Snapshot> => {
    const pools = world.pools.filter((pool) => pool.createdTs !== null)
    const [sqrtPrices] = await Promise.all([readSqrtPrices(rpc, world, pools), statistics.update()])
    const byId = pools.map((pool, index) => [pool.id as string, sqrtPrices[index] ?? 0n] as const)
    return { ts: nowSeconds(), sqrtPrices: new Map(byId) }
  }
  // Serialized: two concurrent reads would count the same logs twice.
  const snapshot = (): Promise<Snapshot> => {
    const before = reading?.catch(() => null) ?? Promise.resolve(null)
    reading = before.then((last) => (last && nowSeconds() - last.ts < freshSeconds ? last : read()))
    return reading
  }
  const createRoute =
    (route: string, answerOf: (pairs: readonly Pair[]) => unknown): Handler =>
    async ({ segments }, response) => {
      const [chain, ids] = parametersOf(route, segments)
      if (ids === undefined) return false
      const requestedIds = ids.split(',').map((id) => id.toLowerCase())
      if (requestedIds.length > idsMax) return sendJson(response, 400, { error: 'too many pools' })
      if (isFault(mode)) return sendWithFault(response, mode, JSON.stringify(answerOf([])))
      const { sqrtPrices } = await snapshot()
      const pairs =
        chain === screenerChain && mode !== 'empty' ? find(requestedIds, sqrtPrices) : []
      return sendJson(response, 200, answerOf(mode === 'inflated' ? pairs.map(inflated) : pairs))
    }
  const find = (requestedIds: readonly string[], sqrtPrices: Snapshot['sqrtPrices']) =>
    world.pools
      .filter((pool) => requestedIds.includes(pool.id) && isListed(pool))
      .filter((_, index) => mode !== 'partial' || index % 2 === 0)
      .map((pool) => pairOf(world, prices, statistics, pool, sqrtPrices.get(pool.id) ?? 0n))
  return {
    dexscreener: createRoute('latest/dex/pairs/*/*', pairsAnswerOf),
    geckoterminal: createRoute('networks/*/pools/multi/*', (pairs) => ({
      data: pairs.map(toGeckoItem),
    })),
    mode: () => mode,
    setMode: (next) => {
      mode = next
    },
  }
}

/** Path segments at the stars of a route; empty if the path does not match. */
function parametersOf(route: string, segments: readonly string[]): readonly string[] {
  const parts = route.split('/')
  const isSame = (part: string, at: number): boolean => part === '*' || part === segments[at]
  const isRoute = parts.length === segments.length && parts.every(isSame)
  return isRoute ? segments.filter((_, at) => parts[at] === '*') : []
}

/** Doubles the liquidity. */
const inflated = <P extends Pair>(pair: P) => ({
  ...pair,
  liquidity: { ...pair.liquidity, usd: pair.liquidity.usd * 2 },
})

/** `pair` is the first pair; `pairs` is null if none was found. */
const pairsAnswerOf = (pairs: readonly unknown[]) => ({
  schemaVersion: '1.0.0',
  pairs: pairs.length > 0 ? pairs : null,
  pair: pairs[0] ?? null,
})

/** Inactive pools are not listed, and some active ones are missing too. */
function isListed(pool: Pool): boolean {
  const isDead = pool.drainedTs !== null || pool.spec.flow === 0 || pool.createdTs === null
  return !isDead && Number(BigInt(pool.id) % 11n) !== 0
}

/** Screeners choose base and quote by rules of their own. */
const isReversed = (pool: Pool): boolean => Number(BigInt(pool.id) % 5n) === 0

function pairOf(
  world: World,
  prices: Prices,
  statistics: SwapStatistics,
  pool: Pool,
  sqrtPrice: bigint,
) {
  const baseIs0 = (pool.token0 === pool.spec.a) !== isReversed(pool)
  const [baseKey, quoteKey] = baseIs0 ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  const price0 = wholePrice(world, pool, sqrtPrice)
  const native = baseIs0 ? price0 : 1 / price0
  const usd = native * prices.usd(quoteKey)
  const [amount0, amount1] = reserves(world, pool, sqrtPrice)
  const [base, quote] = baseIs0 ? [amount0, amount1] : [amount1, amount0]
  const activity = activityOf(world, prices, statistics.bucketsOf(pool), pool, baseIs0)
  return {
    chainId: screenerChain,
    dexId: 'uniswap',
    url: `https://dexscreener.com/${screenerChain}/${pool.id}`,
    pairAddress: pool.spec.version === 'v3' ? getAddress(pool.id) : pool.id,
    labels: [pool.spec.version],
    baseToken: labelOf(world, baseKey),
    quoteToken: labelOf(world, quoteKey),
    priceNative: shortNumber(native),
    priceUsd: shortNumber(usd),
    ...activity,
    liquidity: {
      usd: cents(base * prices.usd(baseKey) + quote * prices.usd(quoteKey)),
      base,
      quote,
    },
    fdv: Math.round(usd * supplyWhole),
    marketCap: Math.round(usd * supplyWhole),
    pairCreatedAt: (pool.createdTs ?? 0) * 1_000,
  }
}

function labelOf(world: World, key: string) {
  const { spec, address } = tokenOf(world, key)
  const shown = address === nativeAddress ? address : getAddress(address)
  return { address: shown, name: spec.name, symbol: spec.symbol }
}

/** Whole token1 per whole token0. */
function wholePrice(world: World, pool: Pool, sqrtPrice: bigint): number {
  const [token0, token1] = [tokenOf(world, pool.token0).spec, tokenOf(world, pool.token1).spec]
  return fromSqrtPriceX96(sqrtPrice) * 10 ** (token0.decimals - token1.decimals)
}

/** Whole tokens in the known positions. */
function reserves(world: World, pool: Pool, sqrtPrice: bigint): [number, number] {
  const price = fromSqrtPriceX96(sqrtPrice)
  const raw = pool.positions.map((position) => {
    const per = amountsPerLiquidity(price, position)
    const liquidity = Number(position.liquidity)
    return [per.amount0 * liquidity, per.amount1 * liquidity] as const
  })
  const scale = (key: string): number => 10 ** tokenOf(world, key).spec.decimals
  const sum = (side: 0 | 1): number => raw.reduce((total, amounts) => total + amounts[side], 0)
  return [sum(0) / scale(pool.token0), sum(1) / scale(pool.token1)]
}

function activityOf(
  world: World,
  prices: Prices,
  buckets: readonly SwapBucket[],
  pool: Pool,
  baseIs0: boolean,
) {
  const now = nowSeconds()
  const usdOf = (bucket: SwapBucket): number =>
    (bucket.amount1 / 10 ** tokenOf(world, pool.token1).spec.decimals) * prices.usd(pool.token1)
  const within = Object.entries(windows).map(([name, seconds]) => {
    const recent = buckets.filter((bucket) => bucket.startTs > now - seconds)
    const bought0 = recent.reduce((sum, bucket) => sum + bucket.bought0, 0)
    const sold0 = recent.reduce((sum, bucket) => sum + bucket.sold0, 0)
    const [buys, sells] = baseIs0 ? [bought0, sold0] : [sold0, bought0]
    const volume = cents(recent.reduce((sum, bucket) => sum + usdOf(bucket), 0))
    return { name, txns: { buys, sells }, volume, change: changeOf(recent, baseIs0) }
  })
  const moved = within.filter(({ change }) => change !== null)
  return {
    txns: Object.fromEntries(within.map(({ name, txns }) => [name, txns])),
    volume: Object.fromEntries(within.map(({ name, volume }) => [name, volume])),
    // Windows without a change are left out, as recorded.
    priceChange: Object.fromEntries(moved.map(({ name, change }) => [name, change])),
  }
}

function changeOf(recent: readonly SwapBucket[], baseIs0: boolean): number | null {
  const [first, last] = [recent[0], recent.at(-1)]
  if (!first || !last || first === last) return null
  const ratio = (last.sqrtPrice / first.sqrtPrice) ** (baseIs0 ? 2 : -2)
  return cents((ratio - 1) * 100)
}

const cents = (value: number): number => Math.round(value * 100) / 100

/** Formats a decimal number without an exponent. */
function shortNumber(value: number): string {
  if (!Number.isFinite(value) || value === 0) return '0'
  const digits = Math.max(0, Math.min(30, 4 - Math.floor(Math.log10(value))))
  const text = value.toFixed(digits)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
