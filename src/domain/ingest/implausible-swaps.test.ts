import { describe, expect, it, test } from 'vitest'
import { createSampleChain } from '../../../test/support/domain/sample-chain.ts'
import {
  createSampleIndex,
  poolOf,
  rootPrice,
  tokens,
} from '../../../test/support/domain/sample-market.ts'
import { usdMicroMax } from '../pool/stored-rows.ts'
import type { Address } from '../units.ts'

const { usdg, apple, weth, tesla, meme } = tokens
const ether = 10n ** 18n
const startTs = 1_800_000_000
const everywhere = [-300_000, 300_000] as const

type Pair = { readonly token0: Address; readonly token1: Address; readonly hooks?: Address }

/** A pool at one to one that holds some of both tokens, which cost a dollar each. */
const createCase = (pair: Pair = { token0: apple, token1: weth }, liquidity = 100n * ether) => {
  const chain = createSampleChain({ block: 100, ts: startTs })
  const index = createSampleIndex()
  for (const token of [apple, weth, tesla]) index.references.add(token, { ts: startTs, usd: 1 })
  const pool = poolOf(chain.emit, 'v4', pair)
  pool.create(rootPrice(1n))
  if (liquidity > 0n) pool.mint(...everywhere, liquidity)
  const see = () => {
    chain.mine()
    return index.ingest(chain.blocks().at(-1)?.logs ?? [])
  }
  see()
  /** A swap of so many whole tokens each way; the price stays. */
  const swap = (in0: number, in1: number) =>
    pool.emitSwap(
      { amount0: BigInt(in0) * ether, amount1: BigInt(in1) * ether },
      { ...pool.price(), liquidity: pool.liquidity() },
    )
  const marks = () => see().swaps.map(({ implausible }) => implausible)
  return { chain, index, pool, see, swap, marks }
}

describe('a swap worth more than ten times what its pool holds', () => {
  // The pool holds 200 dollars: 100 of either token.
  it.each([
    [1, -1, false],
    [-1_999, 1_999, false],
    [1_990, -1_990, false],
    [-2_001, 2_001, true],
    [2_001, -2_001, true],
    [-1, 1_000_000_000, true],
    // The side that no swap is priced by may have any amount.
    [1_000_000_000, -1, false],
  ])('%i and %i of a canonical pool: %s', (in0, in1, isMarked) => {
    const sample = createCase()
    sample.swap(in0, in1)
    expect(sample.marks()).toEqual([isMarked])
  })

  it.each([
    [999, false],
    [1_001, true],
  ])('counts from 1,000 dollars on, in a pool that holds nothing: %i', (usd, isMarked) => {
    const sample = createCase(undefined, 0n)
    sample.swap(-usd, usd)
    expect(sample.marks()).toEqual([isMarked])
  })

  it('counts in its candles, of every width', () => {
    const sample = createCase()
    sample.swap(-1, 1)
    sample.swap(-5_000, 5_000)
    sample.swap(6_000, -6_000)
    const { candles } = sample.see()
    expect(candles.map(({ swaps, implausible }) => [swaps, implausible])).toEqual(
      candles.map(() => [3, 2]),
    )
    expect(candles).toHaveLength(3)
  })

  it('is also one whose value is clamped, whatever the pool holds', () => {
    const sample = createCase(undefined, 10n ** 38n)
    sample.swap(-1, 10 ** 12)
    sample.swap(-1, 1)
    const { swaps } = sample.see()
    expect(swaps.map(({ usdMicro, implausible }) => [usdMicro, implausible])).toEqual([
      [usdMicroMax, true],
      [1_000_000, false],
    ])
  })
})

describe('what a pool holds at rest', () => {
  it('is not what was added in the block of the swap and left in it', () => {
    const sample = createCase()
    sample.pool.mint(...everywhere, 10n ** 30n)
    sample.swap(-5_000, 5_000)
    sample.pool.burn(...everywhere, 10n ** 30n)
    expect(sample.marks()).toEqual([true])
    sample.swap(-1_000, 1_000)
    expect(sample.marks()).toEqual([false])
  })

  it('is what stayed there from an earlier block', () => {
    const sample = createCase()
    sample.pool.mint(...everywhere, 10_000n * ether)
    sample.see()
    sample.swap(-5_000, 5_000)
    expect(sample.marks()).toEqual([false])
  })

  it('is what the block began with, however it was drained before', () => {
    const sample = createCase()
    sample.pool.burn(...everywhere, 100n * ether)
    sample.swap(-1_000, 1_000)
    expect(sample.marks()).toEqual([false])
  })

  it('is nothing in the block of the creation', () => {
    const sample = createCase()
    const young = poolOf(sample.chain.emit, 'v4', { token0: apple, token1: tesla })
    young.create(rootPrice(1n))
    young.mint(...everywhere, 10n ** 6n * ether)
    young.swapTo(rootPrice(101n, 100n))
    expect(sample.marks()).toEqual([true])
    young.swapTo(rootPrice(1n))
    expect(sample.marks()).toEqual([false])
  })

  it('is the same into whatever ranges the blocks are cut', () => {
    const sample = createCase()
    sample.pool.mint(...everywhere, 10n ** 30n)
    sample.swap(-5_000, 5_000)
    sample.pool.burn(...everywhere, 10n ** 30n)
    sample.chain.mine()
    sample.swap(-300, 300)
    sample.swap(-3_000, 3_000)
    sample.chain.mine()
    const whole = createSampleIndex()
    for (const token of [apple, weth]) whole.references.add(token, { ts: startTs, usd: 1 })
    const { swaps } = whole.ingest(sample.chain.logs())
    expect(swaps.map(({ implausible }) => implausible)).toEqual([true, false, true])
    const later = sample.chain.blocks().slice(1)
    const parts = later.flatMap(({ logs }) => sample.index.ingest(logs).swaps)
    expect(parts).toEqual(swaps)
  })
})

describe('the value of what a pool holds', () => {
  const memes = { token0: apple, token1: meme }

  it('counts a meme at most as much as the stock: supply and price of a meme are free', () => {
    // Above the price lies the stock, below it the meme.
    const sample = createCase(memes, 0n)
    sample.pool.mint(60, 600, 10_000n * ether)
    sample.pool.mint(-300_000, -60, 10n ** 30n)
    sample.see()
    const stock = Number(sample.pool.reserves().amount0 / ether)
    expect(stock).toBeGreaterThan(100)
    sample.swap(-19 * stock, 1)
    expect(sample.marks()).toEqual([false])
    sample.swap(-21 * stock, 1)
    expect(sample.marks()).toEqual([true])
  })

  it('is that of the stock alone where no meme is left', () => {
    const sample = createCase(memes, 0n)
    sample.pool.mint(60, 600, 10_000n * ether)
    sample.see()
    const stock = Number(sample.pool.reserves().amount0 / ether)
    sample.swap(-9 * stock, 1)
    expect(sample.marks()).toEqual([false])
    sample.swap(-11 * stock, 1)
    expect(sample.marks()).toEqual([true])
  })

  it('takes no stock at the price of its own pool, which an empty pool may set anywhere', () => {
    const sample = createCase({ token0: tesla, token1: meme }, 0n)
    const pool = poolOf(sample.chain.emit, 'v4', { token0: usdg, token1: apple })
    pool.create(rootPrice(1n))
    pool.mint(60, 600, 10n ** 11n)
    const cheap = createSampleIndex()
    cheap.references.add(usdg, { ts: startTs, usd: 1 })
    sample.chain.mine()
    const emit = (usd: bigint) =>
      pool.emitSwap({ amount0: -usd * 10n ** 6n, amount1: 1n }, { ...pool.price(), liquidity: 0n })
    const held = pool.reserves().amount0 / 10n ** 6n
    emit(held * 9n)
    emit(held * 11n)
    sample.chain.mine()
    const { swaps } = cheap.ingest(sample.chain.logs())
    expect(swaps.map(({ implausible }) => implausible)).toEqual([false, true])
  })

  it('is unknown, and no swap judged, where the map does not hold what the pool does', () => {
    const sample = createCase()
    // The event's liquidity contradicts the map.
    const amounts = { amount0: -5_000n * ether, amount1: 5_000n * ether }
    sample.pool.emitSwap(amounts, { ...sample.pool.price(), liquidity: 7n })
    sample.swap(-5_000, 5_000)
    expect(sample.marks()).toEqual([false, false])
  })

  it.each([
    ['changes deltas', `0x${'0'.repeat(39)}4`],
    ['trades without any liquidity', `0x${'0'.repeat(38)}80`],
  ] as const)('is unknown where a hook %s', (_, hooks) => {
    const sample = createCase({ token0: apple, token1: weth, hooks }, 0n)
    sample.swap(-5_000, 5_000)
    sample.swap(-5_000, 5_000)
    expect(sample.marks()).toEqual([false, false])
  })
})

test('a swap without a price is not judged', () => {
  const chain = createSampleChain()
  const pool = poolOf(chain.emit, 'v3', { token0: apple, token1: meme })
  pool.create(rootPrice(1n))
  pool.emitSwap({ amount0: ether, amount1: -ether }, { ...pool.price(), liquidity: 0n })
  chain.mine()
  const { swaps } = createSampleIndex().ingest(chain.logs())
  expect(swaps).toMatchObject([{ usdMicro: null, implausible: false }])
})
