import { beforeEach, describe, expect, it } from 'vitest'
import { createSampleChain, type SampleChain } from '../../../test/support/domain/sample-chain.ts'
import {
  createSampleIndex,
  decimalsOf,
  poolOf,
  rootPrice,
  type SampleIndex,
  tokens,
} from '../../../test/support/domain/sample-market.ts'
import { createPoolPricePaths, type PoolPricePaths } from './pool-price-paths.ts'

const { apple, weth, usdg, tesla, meme } = tokens
const one = 10n ** 18n
const startTs = 1_800_000_000

let chain: SampleChain
let index: SampleIndex
let prices: PoolPricePaths
beforeEach(() => {
  chain = createSampleChain({ block: 1, ts: startTs })
  index = createSampleIndex()
  prices = createPoolPricePaths({ pools: () => index.book, roles: index.roles, decimalsOf })
})

let seen = 0
beforeEach(() => {
  seen = 0
})

/** Indexes all blocks that were mined since the last time, as one range. */
const see = (): void => {
  const fresh = chain.blocks().slice(seen)
  seen = chain.blocks().length
  prices.record(index.ingest(fresh.flatMap((block) => block.logs)))
}

/** The path of the first pool that prices the token: seconds since the start, and whole tokens. */
const pathOf = (token: keyof typeof tokens, ts = chain.ts()) =>
  prices
    .pathsByToken(ts)
    .get(tokens[token])?.[0]
    ?.path.map((step) => [step.ts - startTs, Number(step.price.toPrecision(6))])

const openApple = (root = rootPrice(1n)) => {
  const pool = poolOf(chain.emit, 'v3', { token0: apple, token1: weth })
  pool.create(root)
  pool.mint(-60_000, 60_000, one)
  return pool
}

describe('the price path of a pool', () => {
  it('begins with its creation and follows its swaps, also those within one range', () => {
    const pool = openApple()
    chain.mine(1)
    see()
    for (const [root, seconds] of [
      [2n, 10],
      [3n, 0],
      [4n, 20],
    ] as const) {
      pool.swapTo(rootPrice(root))
      chain.mine(seconds)
    }
    see()
    // Two swaps of one second leave the later one.
    expect(pathOf('apple')).toEqual([
      [1, 1],
      [11, 9],
      [31, 16],
    ])
  })

  it('does not begin with the creation in the range of the first swap', () => {
    const pool = openApple()
    pool.swapTo(rootPrice(2n))
    chain.mine(5)
    see()
    expect(pathOf('apple')).toEqual([[5, 4]])
  })

  it('keeps of a long range only what can still be in the window', () => {
    const pool = openApple()
    for (let second = 0; second < 2000; second += 100) {
      pool.swapTo(rootPrice(100n + BigInt(second), 1000n))
      chain.mine(100)
    }
    see()
    expect(pathOf('apple')?.map(([second]) => second)).toEqual([1700, 1800, 1900, 2000])
  })

  it('keeps the step that held when the window began, and forgets those before', () => {
    const pool = openApple()
    for (const root of [1n, 2n, 3n]) {
      pool.swapTo(rootPrice(root))
      chain.mine(200)
      see()
    }
    expect(pathOf('apple', startTs + 600)?.map(([second]) => second)).toEqual([200, 400, 600])
    expect(pathOf('apple', startTs + 701)?.map(([second]) => second)).toEqual([400, 600])
    expect(pathOf('apple', startTs + 9999)?.map(([second]) => second)).toEqual([600])
  })

  it('begins after a restart with the current price, as of its last swap', () => {
    const pool = openApple()
    chain.mine(1)
    pool.swapTo(rootPrice(2n))
    chain.mine(10)
    // Indexed, but the price paths have not observed it.
    index.ingest(chain.logs())
    expect(pathOf('apple')).toEqual([[11, 4]])
  })

  it('is in whole tokens of the trusted side', () => {
    // 70,000 squared is 4.9e9 raw apple per raw dollar: 1e12 / 4.9e9 dollars per apple.
    const pool = poolOf(chain.emit, 'v4', { token0: usdg, token1: apple })
    pool.create(rootPrice(70_000n))
    pool.mint(180_000, 240_000, one)
    chain.mine(1)
    see()
    expect(pathOf('apple')).toEqual([[1, 204.082]])
  })
})

describe('which pools price which token', () => {
  it('canonical ones for their stock, trusted pairs for both, others for none', () => {
    const pairs = [
      [apple, weth],
      [usdg, apple],
      [usdg, weth],
      [apple, tesla],
      [apple, meme],
    ] as const
    for (const [token0, token1] of pairs) {
      const pool = poolOf(chain.emit, 'v4', { token0, token1 })
      pool.create(rootPrice(1n))
      pool.mint(-60, 60, one)
    }
    poolOf(chain.emit, 'v3', { token0: apple, token1: weth }).create(rootPrice(1n))
    chain.mine(1)
    see()
    const anchored = prices.pathsByToken(chain.ts())
    const pools = [...anchored].map(([token, facts]) => [
      token,
      facts.map((each) => [each.pool.number, each.trustedToken]),
    ])
    expect(Object.fromEntries(pools)).toEqual({
      [apple]: [
        [1, weth],
        [2, usdg],
      ],
      [usdg]: [[3, weth]],
      [weth]: [[3, usdg]],
    })
  })
})
