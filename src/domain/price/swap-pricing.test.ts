import { describe, expect, it } from 'vitest'
import { createSampleChain } from '../../../test/support/domain/sample-chain.ts'
import {
  createSampleIndex,
  poolOf,
  rootPrice,
  tokens,
} from '../../../test/support/domain/sample-market.ts'
import type { StoredSwap } from '../pool/stored-rows.ts'
import { type Address, nativeAddress } from '../units.ts'

const { usdg, apple, weth, tesla, meme } = tokens
const ether = 10n ** 18n
const dollar = 10n ** 6n
const day = 86_400
const startTs = 1_800_000_000
/** Liquidity over every price that the tests use. */
const everywhere = [-300_000, 300_000] as const

type Sample = ReturnType<typeof createSample>

const createSample = () => {
  const chain = createSampleChain({ block: 100, ts: startTs })
  const index = createSampleIndex()
  const open = (
    version: 'v3' | 'v4',
    pair: {
      readonly token0: Address
      readonly token1: Address
      readonly hooks?: Address
      readonly fee?: number
    },
    { root, liquidity }: { readonly root: bigint; readonly liquidity: bigint },
  ) => {
    const pool = poolOf(chain.emit, version, { tickSpacing: 60, fee: 3000, ...pair })
    pool.create(root)
    if (liquidity > 0n) pool.mint(...everywhere, liquidity)
    return pool
  }
  /** Mines what was emitted, so many seconds after the last block, and indexes it. */
  const see = (seconds = 1): readonly StoredSwap[] => {
    chain.mine(seconds)
    return index.ingest(chain.blocks().at(-1)?.logs ?? []).swaps
  }
  return { chain, open, see, references: index.references }
}

/** A swap of so much, as the pool sees it; the price stays. */
const trade = (
  pool: ReturnType<Sample['open']>,
  amount0: bigint,
  amount1: bigint,
  sample: Sample,
  seconds = 1,
) => {
  pool.emitSwap({ amount0, amount1 }, { ...pool.price(), liquidity: pool.liquidity() })
  const [swap] = sample.see(seconds)
  return { usdMicro: swap?.usdMicro, estimated: swap?.estimated }
}

const exact = (usd: number) => ({ usdMicro: usd * 1e6, estimated: false })
const estimated = (usd: number) => ({ usdMicro: usd * 1e6, estimated: true })
const unpriced = { usdMicro: null, estimated: false }

describe('a swap is worth its trusted leg', () => {
  it('in a canonical pool the other side, whatever the stock is said to cost', () => {
    const sample = createSample()
    const pool = sample.open(
      'v3',
      { token0: apple, token1: weth },
      { root: rootPrice(1n), liquidity: ether },
    )
    sample.references.add(weth, { ts: startTs, usd: 2500 })
    sample.references.add(apple, { ts: startTs, usd: 1 })
    expect(trade(pool, 10n * ether, -2n * ether, sample)).toEqual(exact(5000))
    expect(trade(pool, -10n * ether, 2n * ether, sample)).toEqual(exact(5000))
  })

  it('in a meme pool the stock, before the decimals of the meme are known', () => {
    const sample = createSample()
    const pool = sample.open(
      'v4',
      { token0: apple, token1: meme },
      { root: rootPrice(1n), liquidity: ether },
    )
    sample.references.add(apple, { ts: startTs, usd: 200 })
    expect(trade(pool, ether / 2n, -7n, sample)).toEqual(exact(100))
    expect(trade(pool, 0n, -7n, sample)).toEqual(exact(0))
  })

  it('in a stock-stock pool the mean of both', () => {
    const sample = createSample()
    const pool = sample.open(
      'v4',
      { token0: apple, token1: tesla },
      { root: rootPrice(1n), liquidity: ether },
    )
    expect(trade(pool, ether, -ether, sample)).toEqual(unpriced)
    sample.references.add(apple, { ts: startTs, usd: 200 })
    expect(trade(pool, ether, -ether, sample)).toEqual(estimated(200))
    sample.references.add(tesla, { ts: startTs, usd: 100 })
    expect(trade(pool, ether, -ether, sample)).toEqual(exact(150))
  })

  it('between two trusted tokens the mean of both, with the decimals of each', () => {
    const sample = createSample()
    const pool = sample.open(
      'v3',
      { token0: usdg, token1: weth },
      { root: rootPrice(20_000n), liquidity: ether },
    )
    sample.references.add(usdg, { ts: startTs, usd: 1 })
    sample.references.add(weth, { ts: startTs, usd: 2500 })
    expect(trade(pool, 2600n * dollar, -ether, sample)).toEqual(exact(2550))
  })

  it('nothing when nothing moved, whether or not anything has a price', () => {
    const sample = createSample()
    const pool = sample.open(
      'v4',
      { token0: apple, token1: meme },
      { root: rootPrice(1n), liquidity: ether },
    )
    expect(trade(pool, 0n, 0n, sample)).toEqual(exact(0))
  })
})

describe('at the price of its own time', () => {
  it('that of the moment, then the nearest as an estimate, then none', () => {
    const sample = createSample()
    const pool = sample.open(
      'v3',
      { token0: apple, token1: weth },
      { root: rootPrice(1n), liquidity: ether },
    )
    const sell = (seconds: number) => trade(pool, ether, -ether, sample, seconds)
    expect(sell(1)).toEqual(unpriced)
    // Only a later price is known: the nearest.
    sample.references.add(weth, { ts: startTs + 100, usd: 2500 })
    expect(sell(1)).toEqual(estimated(2500))
    // startTs + 100 and after: its own.
    expect(sell(98)).toEqual(exact(2500))
    sample.references.add(weth, { ts: startTs + 300, usd: 3000 })
    expect(sell(199)).toEqual(exact(2500))
    expect(sell(1)).toEqual(exact(3000))
    // A day later it is still the moment's price, a second more and it is merely the nearest.
    expect(sell(day)).toEqual(exact(3000))
    expect(sell(1)).toEqual(estimated(3000))
  })
})

describe('without a reference the deepest pool prices a token', () => {
  const hour = 3600
  /** Deep enough at 2,500 $ for one WETH: 1 % of this liquidity, times the root of the price. */
  const deep = 20_000n * ether
  const apples = { token0: apple, token1: weth }

  /** Memes are traded against apple, which has no reference price. */
  const createMarket = () => {
    const sample = createSample()
    sample.references.add(weth, { ts: startTs, usd: 2500 })
    sample.references.add(usdg, { ts: startTs, usd: 1 })
    const memes = sample.open(
      'v4',
      { token0: apple, token1: meme },
      { root: rootPrice(1n), liquidity: ether },
    )
    const sellApple = (seconds = 1) => trade(memes, ether, -1n, sample, seconds)
    /** Opens a pool and waits until it may price. */
    const openEarly = (...given: Parameters<Sample['open']>) => {
      const pool = sample.open(...given)
      sample.see()
      sample.see(hour)
      return pool
    }
    return { ...sample, memes, sellApple, openEarly }
  }

  it('the one with most depth, at its price of the second before', () => {
    const market = createMarket()
    // 0.01 WETH per apple: 25 $; one apple is 1 USDG in the other.
    const shallow = market.open(
      'v4',
      { token0: usdg, token1: apple },
      { root: rootPrice(1_000_000n), liquidity: 3n * 10n ** 12n },
    )
    const pool = market.openEarly('v3', apples, { root: rootPrice(1n, 10n), liquidity: deep })
    expect(market.sellApple()).toEqual(exact(25))
    pool.swapTo(rootPrice(2n, 10n))
    market.see()
    expect(market.sellApple()).toEqual(exact(100))
    // A pool that becomes deeper has been so for no time yet.
    shallow.mint(...everywhere, 10n ** 20n)
    market.see()
    expect(market.sellApple()).toEqual(exact(100))
    expect(market.sellApple(298)).toEqual(exact(100))
    expect(market.sellApple(2)).toEqual(exact(1))
  })

  it('never one whose depth was added for the swap', () => {
    const market = createMarket()
    const thin = market.openEarly('v3', apples, { root: rootPrice(1n, 10n), liquidity: ether })
    thin.swapTo(rootPrice(10n))
    thin.mint(...everywhere, 100n * deep)
    market.see()
    expect(market.sellApple()).toEqual(unpriced)
    expect(market.sellApple(299)).toEqual(unpriced)
    expect(market.sellApple(2)).toEqual(exact(250_000))
  })

  it('never at a price of the same second', () => {
    const market = createMarket()
    const pool = market.openEarly('v3', apples, { root: rootPrice(1n, 10n), liquidity: deep })
    pool.swapTo(rootPrice(10n))
    market.memes.emitSwap(
      { amount0: ether, amount1: -1n },
      { ...market.memes.price(), liquidity: market.memes.liquidity() },
    )
    pool.swapTo(rootPrice(1n, 10n))
    expect(market.see()[1]?.usdMicro).toBe(25e6)
    expect(market.sellApple()).toEqual(exact(25))
  })

  it('as of the swap: how the chain is cut into ranges changes nothing', () => {
    const market = createMarket()
    market.open('v3', apples, { root: rootPrice(1n, 10n), liquidity: deep })
    market.chain.mine(1)
    const sell = () =>
      market.memes.emitSwap(
        { amount0: ether, amount1: -1n },
        { ...market.memes.price(), liquidity: market.memes.liquidity() },
      )
    market.chain.mine(hour)
    sell()
    market.chain.mine(1)
    const logs = market.chain.blocks().flatMap((block) => block.logs)
    const whole = createSampleIndex()
    const parts = createSampleIndex()
    for (const { references } of [whole, parts]) references.add(weth, { ts: startTs, usd: 2500 })
    const swaps = logs.flatMap((log) => parts.ingest([log]).swaps)
    expect(swaps.map(({ usdMicro }) => usdMicro)).toEqual([25e6])
    expect(whole.ingest(logs).swaps.map(({ usdMicro }) => usdMicro)).toEqual([25e6])
  })

  it.each([
    ['without liquidity in range', { liquidity: 0n }],
    ['that is too thin', { liquidity: 5n * ether }],
    ['with a fee above 1 %', { liquidity: deep, fee: 10_001 }],
    [
      'whose hook moves tokens by itself',
      { liquidity: deep, hooks: '0x0000000000000000000000000000000000000004' as Address },
    ],
    [
      'whose hook is not reviewed',
      { liquidity: deep, hooks: '0x0000000000000000000000000000000000000080' as Address },
    ],
  ])('but none %s', (_, { liquidity, ...key }) => {
    const market = createMarket()
    market.openEarly('v4', { ...apples, ...key }, { root: rootPrice(1n), liquidity })
    expect(market.sellApple()).toEqual(unpriced)
    market.openEarly('v3', apples, { root: rootPrice(1n, 10n), liquidity: deep })
    expect(market.sellApple()).toEqual(exact(25))
  })

  it('and none that is younger than an hour', () => {
    const market = createMarket()
    market.open('v3', apples, { root: rootPrice(1n, 10n), liquidity: deep })
    market.see()
    expect(market.sellApple(hour)).toEqual(unpriced)
    expect(market.sellApple(1)).toEqual(exact(25))
  })

  it('and none whose liquidity all lies out of range', () => {
    const market = createMarket()
    const idle = market.openEarly('v4', apples, { root: rootPrice(1n), liquidity: 0n })
    idle.mint(-6000, -600, deep)
    idle.mint(-600, 600, 1n)
    market.see()
    expect(idle.reserves().amount1 > 0n).toBe(true)
    expect(market.sellApple(400)).toEqual(unpriced)
    idle.mint(-600, 600, deep)
    market.see()
    expect(market.sellApple(301)).toEqual(exact(2500))
  })

  it('and none whose map is known to be wrong', () => {
    const market = createMarket()
    const gapped = market.openEarly('v4', apples, { root: rootPrice(1n), liquidity: deep })
    gapped.emitSwap({ amount0: 1n, amount1: -1n }, { ...gapped.price(), liquidity: ether })
    market.see()
    expect(market.sellApple()).toEqual(unpriced)
  })

  it('and none whose trusted token has no price of that time either', () => {
    const market = createMarket()
    const pair = { token0: nativeAddress, token1: apple }
    market.openEarly('v4', pair, { root: rootPrice(1n), liquidity: deep })
    expect(market.sellApple()).toEqual(unpriced)
    market.references.add(nativeAddress, { ts: startTs + 2 * hour, usd: 2500 })
    expect(market.sellApple()).toEqual(unpriced)
    market.see(hour)
    expect(market.sellApple()).toEqual(exact(2500))
  })

  it('rather than a reference that is not of that time', () => {
    const market = createMarket()
    market.references.add(apple, { ts: startTs - 2 * day, usd: 1 })
    expect(market.sellApple()).toEqual(estimated(1))
    market.openEarly('v3', apples, { root: rootPrice(1n, 10n), liquidity: deep })
    expect(market.sellApple()).toEqual(exact(25))
    market.references.add(apple, { ts: startTs, usd: 7 })
    expect(market.sellApple()).toEqual(exact(7))
  })

  it('also for a trusted token: the other one prices it', () => {
    const market = createMarket()
    const eth = market.open(
      'v4',
      { token0: nativeAddress, token1: usdg },
      { root: rootPrice(3n, 100_000n), liquidity: 10n ** 17n },
    )
    const canonical = market.openEarly(
      'v4',
      { token0: nativeAddress, token1: apple },
      { root: rootPrice(1n), liquidity: ether },
    )
    // 3e-5 squared is 9e-10 raw: 900 $ for one ETH.
    expect(trade(canonical, ether, -ether, market)).toEqual(exact(900))
    expect(eth.price().tick).toBeLessThan(0)
  })
})
