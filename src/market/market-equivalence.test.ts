import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addressOf,
  hexOf,
  keyOf,
  noon,
  oracleOf,
  poolQuoteOf,
  quoteOf,
  stockOf,
  tokens,
} from '../../test/support/domain/sample-inputs.ts'
import { createMemoryStore, type MemoryStore } from '../../test/support/market/memory-store.ts'
import {
  allTokens,
  anchorAt,
  anyPool,
  marketOver,
  poolOf,
  quotesAt,
  stocks,
  swapOf,
  tokenOf,
} from '../../test/support/market/sample-market.ts'
import { known, unknown } from '../domain/reading.ts'
import type { StoreReader } from '../ports/store.ts'
import type { StoredPool } from '../ports/store-batches.ts'
import { poolSorts } from './market.ts'

/*
 * A market that has followed a store through everything answers like one that reads it for the
 * first time. What follows is anything that a writer may do, in any order.
 *
 *     store   --o----o----o----o--
 *     market  --+----+----+----+   one, refreshed now and then
 *                    |         |
 *                    +         +   another, built from nothing: the same answers
 */

const others = [tokens.usdg, tokens.weth, tokens.native, tokens.tsla, tokens.meme, addressOf(0xc2)]
const hooks = [null, tokens.native, addressOf(0x44), addressOf(0x80)]
const poolCount = 9

const anyState = fc.record({
  number: fc.integer({ min: 1, max: poolCount }),
  price: fc.option(fc.integer({ min: 1, max: 50 })),
  liquidity: fc.nat(2),
  reserve: fc.option(fc.nat(100)),
  swappedAgo: fc.option(fc.integer({ min: 0, max: 8 * 86_400 })),
  hotAgo: fc.option(fc.nat(3000)),
})
type AnyState = typeof anyState extends fc.Arbitrary<infer T> ? T : never

const soundCount = 2

/** Deep NVDA/USDG pools at 100 dollars; their reserves may be external. */
const soundPoolOf = (
  head: number,
  { number, price, reserve, swappedAgo, hotAgo }: AnyState,
): StoredPool =>
  poolOf(number, {
    ...(price === null ? { price: null } : {}),
    ...(reserve === null ? { reserves: null, depth: null, mapFault: 'index_gap' } : {}),
    lastSwapTs: swappedAgo === null ? null : head - swappedAgo,
    lastHotTs: hotAgo === null ? null : head - hotAgo,
  })

const storedPoolOf = (head: number, state: AnyState): StoredPool => {
  const { number, price, reserve, swappedAgo, hotAgo } = state
  const other = others[number % others.length] ?? tokens.usdg
  const hook = hooks[number % hooks.length] ?? null
  const [token0, token1] = number % 2 === 0 ? [tokens.nvda, other] : [other, tokens.nvda]
  const amount0 = BigInt(reserve ?? 0) * 10n ** 20n
  // Some pools are sound most of the time: only then there is something to lose.
  if (number <= soundCount) return soundPoolOf(head, state)
  return poolOf(number, {
    version: hook === null ? 'v3' : 'v4',
    id: hook === null ? addressOf(0xd000 + number) : hexOf(0xd000 + number, 32),
    key: keyOf({ token0, token1, hooks: hook }),
    createdTs: noon - number * 20_000,
    price: price === null ? null : { sqrtPriceX96: (BigInt(price) << 96n) / 7n, tick: price },
    liquidity: BigInt(state.liquidity),
    reserves: reserve === null ? null : { amount0, amount1: amount0 / 3n },
    depth: reserve === null ? null : { amount0: amount0 / 9n, amount1: amount0 / 30n },
    mapFault: reserve === null ? 'index_gap' : null,
    lastSwapTs: swappedAgo === null ? null : head - swappedAgo,
    lastHotTs: hotAgo === null ? null : head - hotAgo,
  })
}

/** No swap comes without its pool. */
const allPools = (head: number): readonly StoredPool[] =>
  Array.from({ length: poolCount }, (_, index) =>
    storedPoolOf(head, {
      number: index + 1,
      price: 7,
      liquidity: 1,
      reserve: index,
      swappedAgo: null,
      hotAgo: null,
    }),
  )

type World = { readonly store: MemoryStore; block: number; head: number; epoch: number }
type Action = (world: World) => void

const verdicts = ['verified', 'unknown', 'disproven'] as const

const statesChange = fc.array(anyState, { maxLength: 4 }).map(
  (states): Action =>
    ({ store, head }) =>
      store.write({ pools: states.map((state) => storedPoolOf(head, state)) }),
)

const anySwap = fc.record({
  pool: fc.integer({ min: 1, max: poolCount }),
  usd: fc.option(fc.nat(5000), { freq: 9 }),
  estimated: fc.boolean(),
})
const blocksCome = fc
  .tuple(
    fc.oneof(fc.nat(3), fc.nat(3), fc.nat(2000), fc.nat(50_000)),
    fc.array(anySwap, { maxLength: 6 }),
  )
  .map(([seconds, swaps]): Action => {
    return (world) => {
      world.block += 1
      world.head += seconds
      world.store.write({
        header: {
          cursor: anchorAt(world.block, world.head),
          head: anchorAt(world.block + 20, world.head + 2),
        },
        swaps: swaps.map(({ pool, usd, estimated }, logIndex) =>
          swapOf(world.block, {
            pool,
            logIndex,
            ts: world.head,
            usdMicro: usd === null ? null : usd * 1e6,
            estimated,
          }),
        ),
      })
    }
  })

const quotesCome = fc
  .record({
    age: fc.integer({ min: -60, max: 90 }),
    usd: fc.oneof(
      fc.constant(100),
      fc.integer({ min: 95, max: 105 }),
      fc.integer({ min: 1, max: 400 }),
    ),
    of: fc.nat(4),
    halted: fc.boolean(),
  })
  .map(({ age, usd, of, halted }): Action => {
    return ({ store, head }) => {
      const publishedTs = head - age
      const quotes = [
        quoteOf({ bid: usd, ask: usd, publishedTs, halted }),
        oracleOf(usd, { publishedTs }),
        poolQuoteOf(usd, { publishedTs }),
        quoteOf({ address: tokens.tsla, bid: usd, ask: usd * 1.01, publishedTs }),
        oracleOf(usd, { address: tokens.weth, publishedTs }),
      ]
      store.write({ quotes: quotes.slice(of, of + 1) })
    }
  })

const stockChanges = fc
  .record({
    verdict: fc.constantFrom('verified', ...verdicts),
    symbol: fc.constantFrom('NVDA', 'NVD'),
    isPending: fc.boolean(),
    of: fc.nat(1),
  })
  .map(({ verdict, symbol, isPending, of }): Action => {
    return ({ store, head }) => {
      const multiplierEffectiveTs = head + 5
      const pending = { pendingMultiplier: 2n * 10n ** 18n, multiplierEffectiveTs }
      const nvda = stockOf({ verdict, symbol, ...(isPending ? pending : {}) })
      const tsla = stockOf({ address: tokens.tsla, symbol: 'TSLA', verdict })
      store.write({ stocks: [of === 0 ? nvda : tsla] })
    }
  })

const tokenChanges = fc
  .tuple(fc.constantFrom(...others), fc.option(fc.integer({ min: 0, max: 36 })))
  .map(
    ([address, decimals]): Action =>
      ({ store }) =>
        store.write({
          tokens: [
            {
              ...tokenOf(address, `T${decimals}`),
              decimals: decimals === null ? unknown('decimals-reverted') : known(decimals),
            },
          ],
        }),
  )

const reservesCome = fc
  .record({
    pool: fc.integer({ min: 1, max: poolCount }),
    source: fc.constantFrom('balance', 'screener'),
    age: fc.integer({ min: -60, max: 150 }),
  })
  .map(
    ({ pool, source, age }): Action =>
      ({ store, head }) =>
        store.write({
          reserves: [
            { pool, source, amount0: 5, amount1: age, liquidityUsd: null, ts: head - age },
          ],
        }),
  )

const historyIsReplaced = fc.constant<Action>((world) => {
  world.epoch += 1
  world.block += 1
  world.store.forget()
  const indexed = anchorAt(world.block, world.head)
  world.store.write({
    header: { epoch: world.epoch, cursor: indexed },
    pools: allPools(world.head),
    quotes: quotesAt(world.head),
  })
})

/** A block, quotes and an enrichment: all as it should be. */
const allIsWell = fc.constant<Action>((world) => {
  world.block += 1
  world.head += 1
  const indexed = anchorAt(world.block, world.head)
  const header = { indexed, enrichedTs: world.head }
  world.store.write({ header, stocks, tokens: allTokens, quotes: quotesAt(world.head - 20) })
})

const nothingHappens = fc.constant<Action>(() => {})

const anyStep = fc.record({
  action: fc.oneof(
    { weight: 6, arbitrary: allIsWell },
    { weight: 6, arbitrary: nothingHappens },
    { weight: 3, arbitrary: statesChange },
    { weight: 4, arbitrary: blocksCome },
    { weight: 4, arbitrary: quotesCome },
    stockChanges,
    tokenChanges,
    reservesCome,
    historyIsReplaced,
  ),
  /** How far our clock is ahead of the index. */
  lead: fc.oneof(fc.nat(20), fc.integer({ min: -60, max: 200 })),
  isSeen: fc.nat(4).map((dice) => dice > 0),
})

const answersOf = async (market: ReturnType<typeof marketOver>['market']) => ({
  lists: await Promise.all(
    [null, ...poolSorts].map((sort) => market.pools({ ...anyPool, sort, order: 'asc' })),
  ),
  hot: await market.pools({ ...anyPool, hot: true }),
  comparable: await market.pools({ ...anyPool, comparable: true }),
  deep: await market.pools({ ...anyPool, minDepthUsd: 10_000, sort: 'depth' }),
  large: await market.pools({ ...anyPool, minLiquidityUsd: 200_000 }),
  ofNvda: await market.pools({ ...anyPool, symbol: 'NVDA', comparable: false }),
  found: await market.pools({ ...anyPool, q: 't1' }),
  stocks: await market.stocks({ limit: 50, offset: 0, q: null }),
  health: market.health(),
  status: market.status(),
})

const follow = (store: StoreReader, now: number) => {
  const followed = marketOver(store)
  followed.clock.ts = now
  return followed
}

test('an incremental model gives the same answers as one built from scratch', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 1, maxLength: 60, size: 'max' }),
      async (steps) => {
        const store = createMemoryStore()
        const world: World = { store, block: 1000, head: noon, epoch: 0 }
        store.write({
          header: { cursor: anchorAt(1000, noon), enrichedTs: noon, writerStartedTs: noon },
          pools: allPools(noon),
          tokens: allTokens,
          stocks,
          quotes: quotesAt(noon),
        })
        const { market, clock } = follow(store, noon)
        for (const { action, lead, isSeen } of steps) {
          action(world)
          clock.ts = world.head + lead
          if (!isSeen) continue
          await market.refresh()
          const { market: another } = follow(store, clock.ts)
          await another.refresh()
          expect(await answersOf(market)).toEqual(await answersOf(another))
        }
        await market.refresh()
        // The record of a detail is that of the list.
        for (const item of (await market.pools(anyPool)).items) {
          expect((await market.pool(item.id, '1h'))?.pool).toEqual(item)
        }
      },
    ),
    { numRuns: 60 },
  )
})
