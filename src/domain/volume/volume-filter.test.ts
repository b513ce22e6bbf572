import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, hexOf } from '../../../test/support/domain/sample-inputs.ts'
import { figuresOf, judgePool } from '../../../test/support/volume/judge-swaps.ts'
import type { FilteredSwap } from './filtered-swap.ts'
import { noFilteredVolume, unknownFilteredVolume } from './pool-sums.ts'
import { createVolumeFilter } from './volume-filter.ts'

const unit = 10n ** 18n

/** An amount of 18 digits, as trades have it. */
const odd = (size: bigint, n: number): bigint => size + BigInt(n) * 1_234_567_891n + 987_654_321n

type Given = { readonly buys: boolean; readonly stock: bigint; readonly price?: bigint }

let places = 0
/** A trade of a stock (token0) for dollars of 6 decimals, at 100 dollars unless said otherwise. */
const trade = (
  trader: number | null,
  ts: number,
  { buys, stock, price = 100n * 1_000_000n }: Given,
): FilteredSwap => {
  places += 1
  const usd = (stock * price) / unit
  return {
    ...{ pool: 1, block: 1000 + places, logIndex: 0, ts, txHash: hexOf(places, 32) },
    amount0: buys ? -stock : stock,
    amount1: buys ? usd : -usd,
    sender: addressOf(900),
    usdMicro: Number(usd),
    implausible: false,
    trader: trader === null ? null : addressOf(trader),
  }
}

/** Buys and sells back what it got, for a bit less. */
const pingPong = (
  trader: number,
  { rounds, ts, every }: { readonly rounds: number; readonly ts: number; readonly every: number },
): readonly FilteredSwap[] =>
  Array.from({ length: rounds }, (_, round) => {
    const stock = odd(unit, round)
    return [
      trade(trader, ts + round * every, { buys: true, stock }),
      trade(trader, ts + round * every + 1, { buys: false, stock, price: 99_400_000n }),
    ]
  }).flat()

const inOrder = (swaps: readonly FilteredSwap[]): readonly FilteredSwap[] =>
  swaps
    .toSorted((a, b) => a.ts - b.ts || a.block - b.block)
    .map((swap, at) => ({ ...swap, block: 1000 + at }))

const filterOf = (swaps: readonly FilteredSwap[], ts: number) => {
  const filter = createVolumeFilter()
  filter.add(inOrder(swaps), new Set())
  filter.advance(ts)
  return filter
}

const start = 1_000_000
const end = start + 86_000

test('one wallet that sells what it bought is left out, whatever the size', () => {
  const swaps = pingPong(1, { rounds: 5, ts: start, every: 10_000 })
  const figures = filterOf(swaps, end).figuresOf(1)
  expect(figures).toMatchObject({ vol24hFilteredUsd: 0, traders24h: 1, washShare24h: 1 })
})

test('four round trips in a day are those of an honest trader', () => {
  const swaps = pingPong(1, { rounds: 4, ts: start, every: 10_000 })
  expect(filterOf(swaps, end).figuresOf(1)).toMatchObject({ traders24h: 1, washShare24h: 0 })
})

test('who sells all it bought for more than it paid is spared', () => {
  const swaps = Array.from({ length: 40 }, (_, n) => {
    const stock = odd(unit, n)
    const price = n % 2 === 0 ? 101_000_000n : 99_000_000n
    return [
      trade(1, start + n * 1000, { buys: true, stock }),
      trade(1, start + n * 1000 + 60, { buys: false, stock, price }),
    ]
  }).flat()
  expect(filterOf(swaps, end).figuresOf(1)).toMatchObject({ washShare24h: 0 })
})

test('a ring of wallets that hands on the same tokens is left out', () => {
  const swaps = Array.from({ length: 8 }, (_, n) => {
    const stock = odd(unit, n)
    return [
      trade(10 + n, start + n * 1000, { buys: true, stock }),
      trade(11 + n, start + n * 1000 + 60, { buys: false, stock, price: 99_000_000n }),
    ]
  }).flat()
  const figures = filterOf(swaps, end).figuresOf(1)
  expect(figures).toMatchObject({ vol24hFilteredUsd: 0, traders24h: 9, washShare24h: 1 })
})

test('round amounts of many wallets are no ring', () => {
  const swaps = Array.from({ length: 200 }, (_, n) =>
    trade(10 + n, start + n * 100, { buys: n % 2 === 0, stock: unit, price: 100_000_000n }),
  )
  expect(filterOf(swaps, end).figuresOf(1)).toMatchObject({ traders24h: 200, washShare24h: 0 })
})

test('an arbitrageur who trades a thousand times a day is spared', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.bigInt({ min: unit / 100n, max: unit * 10n })), {
        minLength: 400,
        maxLength: 500,
      }),
      (trades) => {
        const honest = trades.map(([buys, stock], n) =>
          trade(20 + (n % 6), start + n * 100, { buys, stock: odd(stock, n * 10_000) }),
        )
        expect(filterOf(honest, end).figuresOf(1).washShare24h).toBe(0)
      },
    ),
    { numRuns: 20 },
  )
})

test('one transaction that buys and sells is left out, and others beside it are not', () => {
  const [buy, sell] = pingPong(1, { rounds: 1, ts: start, every: 1 })
  if (buy === undefined || sell === undefined) throw new Error('no trades')
  const honest = trade(2, start, { buys: true, stock: odd(unit, 5) })
  const relayed = trade(2, start, { buys: false, stock: odd(2n * unit, 6) })
  const swaps = [
    buy,
    { ...sell, ts: start, txHash: buy.txHash, logIndex: 1 },
    honest,
    { ...relayed, txHash: honest.txHash },
  ]
  const filter = filterOf(swaps, end)
  expect(filter.figuresOf(1)).toMatchObject({
    vol24hFilteredUsd: ((honest.usdMicro ?? 0) + (relayed.usdMicro ?? 0)) / 1e6,
    traders24h: 2,
  })
})

test('few wallets with very much volume and no position are left out, as by DefiLlama', () => {
  const swaps = Array.from({ length: 60 }, (_, n) =>
    trade(1 + (n % 2), start + n * 600, { buys: n % 4 < 2, stock: odd(400n * unit, n) }),
  )
  expect(filterOf(swaps, end).figuresOf(1)).toMatchObject({ traders24h: 2, washShare24h: 1 })
  const buyers = Array.from({ length: 60 }, (_, n) =>
    trade(1 + (n % 2), start + n * 600, { buys: n % 8 < 6, stock: odd(400n * unit, n * 10_000) }),
  )
  expect(filterOf(buyers, end).figuresOf(1)).toMatchObject({ washShare24h: 0 })
})

test('says nothing while the traders of older swaps are unknown, and then what they show', () => {
  const swaps = inOrder(pingPong(1, { rounds: 5, ts: start, every: 10_000 }))
  const filter = createVolumeFilter()
  filter.add(
    swaps.map((swap) => ({ ...swap, trader: null })),
    new Set(),
  )
  filter.advance(start + 40_001)
  expect(filter.figuresOf(1)).toEqual(unknownFilteredVolume)
  filter.learnTraders(swaps.slice(0, 8))
  expect(filter.figuresOf(1)).toMatchObject({ traders24h: 1, washShare24h: 0 })
  expect(filter.findUnknown(0, 100)).toBe(8)
  filter.learnTraders(swaps)
  expect(filter.figuresOf(1)).toMatchObject({
    vol24hFilteredUsd: 0,
    traders24h: 1,
    washShare24h: 1,
  })
  expect(filter.findUnknown(0, 100)).toBeNull()
  filter.advance(start + 40_001 + 86_400)
  expect(filter.figuresOf(1)).toEqual(noFilteredVolume)
})

const anyTrade = fc.record({
  pool: fc.integer({ min: 1, max: 2 }),
  trader: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 12 }),
  wait: fc.constantFrom(0, 1, 30, 300, 3600, 9000),
  buys: fc.boolean(),
  stock: fc.constantFrom(unit, odd(unit, 1), odd(unit, 2), odd(5000n * unit, 3)),
  price: fc.constantFrom(99_000_000n, 100_000_000n, 101_000_000n),
  isSameTransaction: fc.boolean(),
  implausible: fc.integer({ min: 0, max: 20 }).map((n) => n === 0),
  isUnpriced: fc.integer({ min: 0, max: 60 }).map((n) => n === 0),
})

test('the sums that are kept equal the rule over all swaps of the day', () => {
  const anyTrades = fc.array(anyTrade, { minLength: 1, maxLength: 120 })
  fc.assert(
    fc.property(anyTrades, fc.nat(7), (trades, batch) => {
      const filter = createVolumeFilter()
      let swaps: readonly FilteredSwap[] = []
      let ts = start
      for (const [at, given] of trades.entries()) {
        const last = swaps.at(-1)
        const isSame = given.isSameTransaction && last !== undefined
        ts += isSame ? 0 : given.wait
        const swap = {
          ...trade(given.trader, ts, given),
          pool: given.pool,
          implausible: given.implausible,
          ...(given.isUnpriced ? { usdMicro: null } : {}),
          ...(isSame ? { txHash: last.txHash } : {}),
        }
        swaps = [...swaps, swap]
        if (at % (batch + 1) !== 0 || trades[at + 1]?.isSameTransaction) continue
        const added = swaps.slice(filter.end())
        const isLate = batch % 2 === 1
        filter.add(isLate ? added.map((row) => ({ ...row, trader: null })) : added, new Set())
        filter.advance(ts)
        filter.learnTraders(added)
        const day = swaps.filter((row) => row.ts > ts - 86_400)
        for (const pool of [1, 2]) {
          const own = day.filter((row) => row.pool === pool)
          expect(filter.figuresOf(pool)).toEqual(figuresOf(own, ts))
        }
      }
    }),
    { numRuns: 150 },
  )
})

test('names a reason for each swap that is left out', () => {
  const swaps = inOrder([
    ...pingPong(1, { rounds: 6, ts: start, every: 1000 }),
    trade(2, start + 5, { buys: true, stock: odd(unit, 77) }),
  ])
  const reasons = [...judgePool(swaps).values()]
  expect(reasons.filter((reason) => reason === 'returned')).toHaveLength(12)
  expect(reasons.filter((reason) => reason === null)).toHaveLength(1)
})
