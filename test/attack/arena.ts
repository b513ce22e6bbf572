import { tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import type { PoolVersion } from '../../src/domain/pool/pool-event.ts'
import type { Address } from '../../src/domain/units.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { rootPrice, tokens } from '../support/domain/sample-market.ts'
import { createSamplePool, type SampleKey, type SamplePool } from '../support/domain/sample-pool.ts'
import { blockTs } from '../support/indexer/long-chain.ts'
import { createFakeQuotes } from '../support/indexer/quotes.ts'
import { createSampleWorld, startManualIndexer } from '../support/indexer/sample-world.ts'
import { anyPool, marketOver } from '../support/market/sample-market.ts'

/*
 * A market with honest pools on the real indexer, store and read model, whose minutes are played
 * one after the other. Blocks are two seconds long.
 *
 *     Friday 23:20 UTC      Saturday 05:00                      attack
 *     quotes of the issuer  market closed, pools price stocks   -----------> rows of the API
 */

const fridayBlock = 27_600
const saturdayBlock = 37_800
const blocksPerPass = 2
/** Time between two reads. */
export const secondsPerPass = 4

/** Dollars per whole token. */
export const honestUsd = { apple: 200, tesla: 400, weth: 3000 } as const

const trusted = [
  { symbol: 'USDG', address: tokens.usdg },
  { symbol: 'WETH', address: tokens.weth },
]

const decimalsOf = (token: Address): number => (token === tokens.usdg ? 6 : 18)

const scale = 10n ** 9n

/** √price (Q64.96) at which one token0 is worth so many token1. */
export const rootOf = (
  { token0, token1 }: Pick<SampleKey, 'token0' | 'token1'>,
  usd0: number,
  usd1: number,
): bigint => {
  const raw = (usd0 / usd1) * 10 ** (decimalsOf(token1) - decimalsOf(token0))
  return rootPrice(BigInt(Math.round(Math.sqrt(raw) * Number(scale))), scale)
}

/** Liquidity at which so many dollars of token0 move the price by 2 %. */
const liquidityOf = (depthUsd: number, usd0: number, token0: Address, root: bigint): bigint => {
  const raw = (depthUsd / usd0) * 10 ** decimalsOf(token0)
  const move = Math.sqrt(1.02) - 1
  return BigInt(Math.round(((raw / move) * Number(root)) / 2 ** 96))
}

export type PoolPlan = {
  readonly version: PoolVersion
  readonly key: Pick<SampleKey, 'token0' | 'token1'> & Partial<SampleKey>
  /** Dollars of each whole token, which set the price. */
  readonly usd: readonly [usd0: number, usd1: number]
  /** Dollars of token0 that move the price by 2 %; 0: no position. */
  readonly depthUsd: number
}

const width = 6000
const spacing = 60

const honestPlans = {
  apple: {
    version: 'v4',
    key: { token0: tokens.usdg, token1: tokens.apple, fee: 500 },
    usd: [1, honestUsd.apple],
    depthUsd: 150_000,
  },
  appleEth: {
    version: 'v3',
    key: { token0: tokens.apple, token1: tokens.weth },
    usd: [honestUsd.apple, honestUsd.weth],
    depthUsd: 60_000,
  },
  tesla: {
    version: 'v3',
    key: { token0: tokens.usdg, token1: tokens.tesla, fee: 500 },
    usd: [1, honestUsd.tesla],
    depthUsd: 80_000,
  },
  eth: {
    version: 'v3',
    key: { token0: tokens.usdg, token1: tokens.weth, fee: 500 },
    usd: [1, honestUsd.weth],
    depthUsd: 400_000,
  },
  meme: {
    version: 'v3',
    key: { token0: tokens.apple, token1: tokens.meme },
    usd: [honestUsd.apple, 0.2],
    depthUsd: 30_000,
  },
  pair: {
    version: 'v4',
    key: { token0: tokens.apple, token1: tokens.tesla },
    usd: [honestUsd.apple, honestUsd.tesla],
    depthUsd: 40_000,
  },
} as const satisfies Readonly<Record<string, PoolPlan>>

type HonestName = keyof typeof honestPlans

/** Every row of the API that an attack may not move. */
export type Rows = {
  readonly pools: ReadonlyMap<string, PoolView>
  readonly stocks: ReadonlyMap<string, StockView>
  readonly ethUsd: number | null
}

export type ArenaOptions = {
  /** Without the feed ETH is priced by pools. */
  readonly hasEthFeed?: boolean
  /** The issuer's quotes never stop. */
  readonly isOpen?: boolean
}

export const openArena = async ({ hasEthFeed = true, isOpen = false }: ArenaOptions = {}) => {
  const { chain, multipliers } = createSampleWorld()
  const issuer = createFakeQuotes('issuer', {
    [tokens.apple]: honestUsd.apple,
    [tokens.tesla]: honestUsd.tesla,
  })
  const feeds = createFakeQuotes('chainlink', {
    [tokens.usdg]: 1,
    [tokens.weth]: honestUsd.weth,
  })

  const addPool = ({ version, key, usd, depthUsd }: PoolPlan): SamplePool => {
    const full = { fee: 3000, tickSpacing: spacing, ...key }
    const pool = createSamplePool(chain.emit, version, full)
    const [usd0, usd1] = usd
    const root = rootOf(full, usd0, usd1)
    chain.deploy(pool)
    pool.create(root)
    const middle = Math.round(tickAtSqrtPrice(root) / spacing) * spacing
    const liquidity = liquidityOf(depthUsd, usd0, full.token0, root)
    if (liquidity > 0n) pool.mint(middle - width, middle + width, liquidity)
    return pool
  }

  const honest = Object.fromEntries(
    Object.entries(honestPlans).map(([name, plan]) => [name, addPool(plan)]),
  ) as Record<HonestName, SamplePool>
  chain.mine(fridayBlock)
  const indexer = await startManualIndexer(chain, {
    bootstrapBlocksMin: 1_000_000,
    quoteSources: [issuer.source, feeds.source],
  })
  const { market, clock } = marketOver(indexer.store, { trusted })

  /** Small trades around the pool's own price, so that every pool has new swaps to value. */
  const trade = (): void => {
    const isUp = (chain.node.head / blocksPerPass) % 2 === 0
    for (const name of Object.keys(honest) as HonestName[]) {
      const { key, usd } = honestPlans[name]
      const full = { fee: 3000, tickSpacing: spacing, ...key }
      const [usd0, usd1] = usd
      const root = rootOf(full, usd0, usd1)
      honest[name].swapTo(isUp ? root + root / 5000n : root)
    }
  }

  const read = async (): Promise<void> => {
    await indexer.follow()
    await indexer.parts.stocks.read()
    await indexer.parts.enrichStep()
    clock.ts = blockTs(chain.node.head)
    await market.refresh()
  }

  /** Mines a block with the honest trades between the attacker's two transactions, and reads it. */
  const pass = async (before = () => {}, after = () => {}): Promise<void> => {
    before()
    trade()
    after()
    chain.mine(chain.node.head + blocksPerPass)
    await read()
  }

  const passSeconds = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += secondsPerPass) await pass()
  }

  await passSeconds(20)
  if (!isOpen) {
    issuer.setPrices(null)
    chain.mine(saturdayBlock)
  }
  if (!hasEthFeed) feeds.setPrices({ [tokens.usdg]: 1 })
  await passSeconds(340)

  const rows = async (): Promise<Rows> => {
    const pools = await market.pools({ ...anyPool, limit: 1000 })
    const stocks = await market.stocks({ q: null, limit: 1000, offset: 0 })
    return {
      pools: new Map(pools.items.map((row) => [row.id, row])),
      stocks: new Map(stocks.items.map((row) => [row.symbol, row])),
      ethUsd: market.health().ethUsd,
    }
  }

  return {
    honest,
    issuer,
    /** Sets the shares per token, as the contract says them from now on. */
    setMultiplier: (stock: Address, multiplier: bigint): void => {
      multipliers.set(stock, multiplier)
    },
    addPool,
    /** Mints far from the price, where it costs nothing and is at no risk. */
    park: (pool: SamplePool, ticksAway: number, liquidity: bigint): void => {
      const from = Math.round((pool.price().tick + ticksAway) / spacing) * spacing
      pool.mint(from, from + spacing, liquidity)
    },
    /** Mints around the price so much that so many dollars of token0 move it by 2 %. */
    deepen: (pool: SamplePool, depthUsd: number, usd0: number) => {
      const { sqrtPriceX96, tick } = pool.price()
      const middle = Math.round(tick / spacing) * spacing
      const liquidity = liquidityOf(depthUsd, usd0, pool.key.token0, sqrtPriceX96)
      pool.mint(middle - width, middle + width, liquidity)
      return () => pool.burn(middle - width, middle + width, liquidity)
    },
    /** Trades until token0 is worth so many times as many token1. */
    pushBy: (pool: SamplePool, factor: number): void => {
      const { sqrtPriceX96 } = pool.price()
      const root = BigInt(Math.round(Math.sqrt(factor) * Number(scale)))
      pool.swapTo((sqrtPriceX96 * root) / scale)
    },
    /** Lets time pass without a block of interest. */
    jump: (seconds: number): void => chain.mine(chain.node.head + seconds / 2),
    pass,
    passSeconds,
    rows,
    close: () => indexer.store.close(),
  }
}

export type Arena = Awaited<ReturnType<typeof openArena>>
