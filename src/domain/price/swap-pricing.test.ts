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
    pair: { readonly token0: Address; readonly token1: Address; readonly hooks?: Address },
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
    return { ...sample, memes, sellApple: () => trade(memes, ether, -1n, sample) }
  }

  it('the one with most dollars on its trusted side, at its price of this moment', () => {
    const market = createMarket()
    // 0.01 WETH per apple, one WETH deep; 1 apple for 25 $ against 0.1 WETH in dollars.
    const deep = market.open(
      'v3',
      { token0: apple, token1: weth },
      { root: rootPrice(1n, 10n), liquidity: 10n * ether },
    )
    const shallow = market.open(
      'v4',
      { token0: usdg, token1: apple },
      { root: rootPrice(100_000n), liquidity: ether / 10n ** 5n },
    )
    expect(market.sellApple()).toEqual(exact(25))
    deep.swapTo(rootPrice(2n, 10n))
    market.see()
    expect(market.sellApple()).toEqual(exact(100))
    // The order in which they were opened does not matter, nor does who was deepest before.
    shallow.mint(...everywhere, ether)
    market.see()
    expect(market.sellApple()).toEqual(exact(100))
    shallow.mint(...everywhere, 10n * ether)
    expect(market.sellApple()).toEqual(exact(100))
  })

  it('as of the swap: a deeper pool that opens later in the same range says nothing yet', () => {
    const market = createMarket()
    market.open(
      'v3',
      { token0: apple, token1: weth },
      { root: rootPrice(1n, 10n), liquidity: ether },
    )
    const sell = () =>
      market.memes.emitSwap(
        { amount0: ether, amount1: -1n },
        { ...market.memes.price(), liquidity: market.memes.liquidity() },
      )
    sell()
    market.open(
      'v4',
      { token0: apple, token1: weth },
      { root: rootPrice(2n, 10n), liquidity: 9n * ether },
    )
    sell()
    expect(market.see().map((swap) => swap.usdMicro)).toEqual([25e6, 100e6])
  })

  it.each([
    ['without liquidity in range', { liquidity: 0n }],
    [
      'whose hook moves tokens by itself',
      { liquidity: 1000n * ether, hooks: '0x0000000000000000000000000000000000000004' as Address },
    ],
  ])('but none %s', (_, { liquidity, ...key }) => {
    const market = createMarket()
    market.open('v4', { token0: apple, token1: weth, ...key }, { root: rootPrice(1n), liquidity })
    expect(market.sellApple()).toEqual(unpriced)
    market.open(
      'v3',
      { token0: apple, token1: weth },
      { root: rootPrice(1n, 10n), liquidity: ether },
    )
    expect(market.sellApple()).toEqual(exact(25))
  })

  it('and none whose liquidity all lies out of range', () => {
    const market = createMarket()
    const pair = { token0: apple, token1: weth }
    const idle = market.open('v4', pair, { root: rootPrice(1n), liquidity: 0n })
    idle.mint(-6000, -600, 1000n * ether)
    market.see()
    expect(idle.reserves().amount1 > 0n).toBe(true)
    expect(market.sellApple()).toEqual(unpriced)
    idle.mint(-600, 600, 1n)
    market.see()
    expect(market.sellApple()).toEqual(exact(2500))
  })

  it('and none whose map is known to be wrong', () => {
    const market = createMarket()
    const pair = { token0: apple, token1: weth }
    const gapped = market.open('v4', pair, { root: rootPrice(1n), liquidity: 1000n * ether })
    market.see()
    gapped.emitSwap({ amount0: 1n, amount1: -1n }, { ...gapped.price(), liquidity: ether })
    market.see()
    expect(market.sellApple()).toEqual(unpriced)
  })

  it('and none whose trusted token has no price of that time either', () => {
    const market = createMarket()
    market.open(
      'v4',
      { token0: nativeAddress, token1: apple },
      { root: rootPrice(1n), liquidity: ether },
    )
    expect(market.sellApple()).toEqual(unpriced)
    market.references.add(nativeAddress, { ts: startTs + 50, usd: 2500 })
    expect(market.sellApple()).toEqual(unpriced)
    market.see(60)
    expect(market.sellApple()).toEqual(exact(2500))
  })

  it('rather than a reference that is not of that time', () => {
    const market = createMarket()
    market.references.add(apple, { ts: startTs - 2 * day, usd: 1 })
    expect(market.sellApple()).toEqual(estimated(1))
    market.open(
      'v3',
      { token0: apple, token1: weth },
      { root: rootPrice(1n, 10n), liquidity: ether },
    )
    expect(market.sellApple()).toEqual(exact(25))
    market.references.add(apple, { ts: startTs, usd: 7 })
    expect(market.sellApple()).toEqual(exact(7))
  })

  it('also for a trusted token: the other one prices it', () => {
    const market = createMarket()
    market.open(
      'v3',
      { token0: usdg, token1: weth },
      { root: rootPrice(20_000n), liquidity: ether },
    )
    const eth = market.open(
      'v4',
      { token0: nativeAddress, token1: usdg },
      { root: rootPrice(3n, 100_000n), liquidity: ether },
    )
    const canonical = market.open(
      'v4',
      { token0: nativeAddress, token1: apple },
      { root: rootPrice(1n), liquidity: ether },
    )
    market.see()
    // 3e-5 squared is 9e-10 raw: 900 $ for one ETH.
    expect(trade(canonical, ether, -ether, market)).toEqual(exact(900))
    expect(eth.price().tick).toBeLessThan(0)
  })
})
