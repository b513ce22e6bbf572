import type { Address } from '../../src/domain/units.ts'
import { tokens } from '../support/domain/sample-market.ts'
import type { SamplePool } from '../support/domain/sample-pool.ts'
import { type Arena, type ArenaOptions, honestUsd } from './arena.ts'

/** What happens in each block of an attack: before and after the honest trades. */
type Turn = { readonly before?: () => void; readonly after?: () => void }

type Play = {
  /** Pools that the attacker made or trades in: their own rows may say what he likes. */
  readonly own: readonly SamplePool[]
  readonly turn?: (second: number) => Turn
}

export type Attack = {
  readonly name: string
  /** Dollars that the attacker can lose, or pays. */
  readonly atRiskUsd: number
  readonly options?: ArenaOptions
  /** Time between the first transactions and the turns. */
  readonly ageSeconds?: number
  readonly seconds?: number
  readonly begin: (arena: Arena) => Play
}

const hookOf = (bits: number): Address => `0x${'c'.repeat(36)}${bits.toString(16).padStart(4, '0')}`
/** Permission bits of v4-core's Hooks.sol. */
const beforeSwapBit = 1 << 7
const dynamicFee = 0x80_0000

const twoHours = 7200
const falseUsd = honestUsd.apple * 1000

type AppleOptions = {
  readonly usd?: number
  readonly depthUsd: number
  readonly fee?: number
  readonly hooks?: Address
  readonly version?: 'v3' | 'v4'
}

/** A pool of AAPL and USDG at a price of the attacker's choice. */
const applePool = (
  arena: Arena,
  { usd = falseUsd, depthUsd, version = 'v4', ...key }: AppleOptions,
): SamplePool =>
  arena.addPool({
    version,
    key: { token0: tokens.usdg, token1: tokens.apple, fee: 3001, ...key },
    usd: [1, usd],
    depthUsd,
  })

const oneOf = (pool: SamplePool): Play => ({ own: [pool] })

/** One unit around the price, and money where no trade reaches it. */
const parked = (arena: Arena, pool: SamplePool): SamplePool => {
  const { tick } = pool.price()
  const middle = Math.round(tick / 60) * 60
  pool.mint(middle - 600, middle + 600, 1n)
  arena.park(pool, 6000, 10n ** 20n)
  arena.park(pool, -6000, 10n ** 20n)
  return pool
}

/** The issuer's quote of AAPL is another during the turns. */
const changedQuote = (arena: Arena, usd: number): Play => ({
  own: [],
  turn: (second) => {
    const prices = { [tokens.apple]: usd, [tokens.tesla]: honestUsd.tesla }
    if (second === 20) arena.issuer.setPrices(prices)
    return {}
  },
})

export const attacks: readonly Attack[] = [
  {
    name: 'a thin pool at a thousand times the price',
    atRiskUsd: 9_000,
    ageSeconds: twoHours,
    begin: (arena) => oneOf(applePool(arena, { depthUsd: 9_000 })),
  },
  {
    name: 'one unit in range and a fortune far away from the price',
    atRiskUsd: 1,
    ageSeconds: twoHours,
    begin: (arena) => oneOf(parked(arena, applePool(arena, { depthUsd: 0 }))),
  },
  {
    name: 'the same at half the price above the honest one',
    atRiskUsd: 1,
    ageSeconds: twoHours,
    begin: (arena) =>
      oneOf(parked(arena, applePool(arena, { usd: honestUsd.apple * 1.49, depthUsd: 0 }))),
  },
  {
    name: 'the same for ETH while its feed is silent',
    atRiskUsd: 1,
    options: { hasEthFeed: false },
    ageSeconds: twoHours,
    begin: (arena) => {
      const key = { token0: tokens.usdg, token1: tokens.weth, fee: 3001 }
      const pool = arena.addPool({ version: 'v4', key, usd: [1, 30], depthUsd: 0 })
      return oneOf(parked(arena, pool))
    },
  },
  {
    name: 'flash liquidity within one block, while honest swaps are priced',
    atRiskUsd: 100,
    ageSeconds: twoHours,
    begin: (arena) => {
      const pool = applePool(arena, { depthUsd: 100 })
      return {
        own: [pool],
        turn: () => {
          let withdraw = () => {}
          return {
            before: () => {
              withdraw = arena.deepen(pool, 10_000_000, 1)
            },
            after: () => withdraw(),
          }
        },
      }
    },
  },
  {
    name: 'flash liquidity that is there at every read but not between',
    atRiskUsd: 100,
    ageSeconds: twoHours,
    begin: (arena) => {
      const pool = applePool(arena, { depthUsd: 100 })
      let withdraw = () => {}
      return {
        own: [pool],
        turn: (second) => ({
          before: () => withdraw(),
          after: () => {
            // Every fifth read finds the pool empty.
            withdraw = second % 20 === 0 ? () => {} : arena.deepen(pool, 10_000_000, 1)
          },
        }),
      }
    },
  },
  {
    name: 'a young deep pool',
    atRiskUsd: 24_000,
    ageSeconds: 1800,
    begin: (arena) => oneOf(applePool(arena, { depthUsd: 24_000 })),
  },
  {
    name: 'a deep pool in which no other trader can gain: a fee of 99 %',
    atRiskUsd: 100,
    ageSeconds: twoHours,
    begin: (arena) => oneOf(applePool(arena, { depthUsd: 5_000_000, fee: 990_000 })),
  },
  {
    name: 'a deep pool with a hook that reverts for everybody else',
    atRiskUsd: 100,
    ageSeconds: twoHours,
    begin: (arena) =>
      oneOf(applePool(arena, { depthUsd: 5_000_000, hooks: hookOf(beforeSwapBit) })),
  },
  {
    name: 'a deep pool whose hook sets the fee',
    atRiskUsd: 100,
    ageSeconds: twoHours,
    begin: (arena) =>
      oneOf(applePool(arena, { depthUsd: 5_000_000, fee: dynamicFee, hooks: hookOf(0) })),
  },
  {
    name: 'twenty small pools together at ten times the price',
    atRiskUsd: 24_000,
    ageSeconds: twoHours,
    begin: (arena) => ({
      own: Array.from({ length: 20 }, (_, at) =>
        applePool(arena, { usd: honestUsd.apple * 10, depthUsd: 1_200, fee: 100 + at }),
      ),
    }),
  },
  {
    name: 'the real pool pushed to ten times its price and back within each block',
    atRiskUsd: 24_000,
    begin: (arena) => {
      const pool = arena.honest.apple
      return {
        own: [pool],
        turn: () => ({
          before: () => arena.pushBy(pool, 0.1),
          after: () => arena.pushBy(pool, 1),
        }),
      }
    },
  },
  {
    name: 'the real pool pushed by $24,000 for one block',
    atRiskUsd: 24_000,
    begin: (arena) => {
      const pool = arena.honest.apple
      return {
        own: [pool],
        turn: (second) => ({ after: () => second === 40 && arena.pushBy(pool, 0.9968) }),
      }
    },
  },
  {
    name: 'the real pool held $24,000 off its price for five minutes',
    atRiskUsd: 24_000,
    seconds: 400,
    begin: (arena) => {
      const pool = arena.honest.apple
      return { own: [pool], turn: () => ({ after: () => arena.pushBy(pool, 0.9968) }) }
    },
  },
  {
    name: 'a split that reaches the quote before the multiplier',
    atRiskUsd: 0,
    options: { isOpen: true },
    begin: (arena) => changedQuote(arena, 50),
  },
  {
    name: 'a split that reaches the multiplier before the quote',
    atRiskUsd: 0,
    options: { isOpen: true },
    begin: (arena) => ({
      own: [],
      turn: (second) => {
        if (second === 20) arena.setMultiplier(tokens.apple, 4n * 10n ** 18n)
        return {}
      },
    }),
  },
  {
    name: 'a quote of ten times the price',
    atRiskUsd: 0,
    options: { isOpen: true },
    begin: (arena) => changedQuote(arena, 2000),
  },
  {
    name: 'a quote token of the attacker, called USDG',
    atRiskUsd: 100,
    ageSeconds: twoHours,
    begin: (arena) => {
      const key = { token0: tokens.apple, token1: tokens.otherMeme, fee: 3001 }
      const usd = [falseUsd, 1] as const
      return oneOf(arena.addPool({ version: 'v4', key, usd, depthUsd: 10_000_000 }))
    },
  },
  {
    name: 'a flash-funded swap of $20 billion',
    atRiskUsd: 100,
    ageSeconds: twoHours,
    begin: (arena) => {
      const pool = applePool(arena, { usd: honestUsd.apple, depthUsd: 100 })
      return {
        own: [pool],
        turn: (second) => {
          if (second !== 20) return {}
          let withdraw = () => {}
          return {
            before: () => {
              withdraw = arena.deepen(pool, 2_000_000_000_000, 1)
              arena.pushBy(pool, 1.0004)
              arena.pushBy(pool, 1 / 1.0004)
            },
            after: () => withdraw(),
          }
        },
      }
    },
  },
]
