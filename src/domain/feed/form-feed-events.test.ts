import { expect, test } from 'vitest'
import { poolWith, priceAtTick } from '../../../test/support/domain/swap-pool.ts'
import { sqrtPriceAtTick } from '../math/tick-math.ts'
import { stateAtCreation } from '../pool/pool-state.ts'
import type { PricedLiquidityChange, StoredSwap } from '../pool/stored-rows.ts'
import { listTicks } from '../pool/tick-map.ts'
import { reservesFromTickMap } from '../pool/tick-map-reserves.ts'
import type { Address, Hash } from '../units.ts'
import { formFeedEvents, type PoolActivity } from './form-feed-events.ts'

const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const hashOf = (number: number): Hash => `0x${number.toString(16).padStart(64, '0')}`

const first = { tickLower: -600, tickUpper: 600, liquidityDelta: 10n ** 18n } as const
const second = { tickLower: 0, tickUpper: 60, liquidityDelta: 3n * 10n ** 17n } as const
const [trader, router, owner] = [addressOf(1), addressOf(2), addressOf(3)]

const placeAt = (block: number, logIndex: number) => ({
  ...{ pool: 7, block, logIndex, ts: 1000 + block, txHash: hashOf(block * 100 + logIndex) },
  txIndex: logIndex,
})

const swapTo = (
  tick: number,
  place: ReturnType<typeof placeAt>,
  rest: Partial<StoredSwap> = {},
): StoredSwap => ({
  ...place,
  ...{ amount0: -5n, amount1: 9n, sqrtPriceX96: sqrtPriceAtTick(tick), tick },
  ...{ liquidity: 10n ** 18n, fee: null, sender: router, recipient: router, trader },
  ...{ usdMicro: null, estimated: false, implausible: false, lpFee: null, feeYield: null },
  ...rest,
})

const changeBy = (
  range: { tickLower: number; tickUpper: number; liquidityDelta: bigint },
  place: ReturnType<typeof placeAt>,
  sqrtPriceX96: bigint | null,
): PricedLiquidityChange => ({
  ...{ ...place, ...range, owner, sender: null, salt: null },
  sqrtPriceX96,
})

const mapOf = (...positions: (typeof first | typeof second)[]) =>
  poolWith(
    priceAtTick(0),
    60,
    positions.map(({ tickLower, tickUpper, liquidityDelta }) => [
      tickLower,
      tickUpper,
      liquidityDelta,
    ]),
  ).tickMap

const activityOf = (rest: Partial<PoolActivity>): PoolActivity => ({
  swaps: [],
  changes: [],
  state: stateAtCreation(priceAtTick(90)),
  ticks: listTicks(mapOf(first, second)),
  since: [],
  nextSwap: null,
  ...rest,
})

test('reserves after each event follow from the map of that time', () => {
  const added = changeBy(second, placeAt(11, 4), sqrtPriceAtTick(30))
  const later = changeBy(first, placeAt(40, 1), sqrtPriceAtTick(30))
  const ticks = listTicks(mapOf(first, first, second))
  const swaps = [
    swapTo(30, placeAt(11, 2)),
    swapTo(45, placeAt(12, 0), { liquidity: 13n * 10n ** 17n, amount0: 3n, amount1: -1n }),
  ]
  const events = formFeedEvents([
    activityOf({ ticks, since: [added, later], swaps, changes: [added] }),
  ])
  expect(events.map(({ kind, maker, reserves }) => [kind, maker, reserves])).toEqual([
    ['swap', trader, reservesFromTickMap(mapOf(first), sqrtPriceAtTick(30))],
    ['join', owner, reservesFromTickMap(mapOf(first, second), sqrtPriceAtTick(30))],
    ['swap', trader, reservesFromTickMap(mapOf(first, second), sqrtPriceAtTick(45))],
  ])
})

test('a map that is not known, or disagrees with the pool, gives no reserves', () => {
  const swaps = [swapTo(90, placeAt(11, 2)), swapTo(90, placeAt(11, 3), { liquidity: 5n })]
  const [agreed, other] = formFeedEvents([activityOf({ swaps })])
  expect([agreed?.reserves === null, other?.reserves]).toEqual([false, null])
  const [unknown] = formFeedEvents([activityOf({ swaps, since: null })])
  expect(unknown?.reserves).toBeNull()
})

test('swaps of nothing and with two tokens in are left out, and so is what moves nothing', () => {
  const amounts = [
    [0n, 5n],
    [-5n, 0n],
    [3n, 4n],
    [-3n, -4n],
    [-3n, 4n],
  ] as const
  const swaps = amounts.map(([amount0, amount1], at) =>
    swapTo(90, placeAt(11, at), { amount0, amount1 }),
  )
  const poke = changeBy({ ...first, liquidityDelta: 0n }, placeAt(12, 0), sqrtPriceAtTick(90))
  const events = formFeedEvents([activityOf({ swaps, changes: [poke], since: [poke] })])
  expect(events.map(({ logIndex }) => logIndex)).toEqual([4])
})

test('before the first swap of a pool the price is that of now, or derived from the swap', () => {
  const added = changeBy(first, placeAt(11, 0), null)
  const ticks = listTicks(mapOf(first))
  const still = { ticks, since: [added], changes: [added] }
  const [alone] = formFeedEvents([activityOf(still)])
  const { sqrtPriceX96 } = priceAtTick(90)
  expect(alone?.reserves).toEqual(reservesFromTickMap(mapOf(first), sqrtPriceX96))
  const before = reservesFromTickMap(mapOf(first), sqrtPriceAtTick(-30))
  const after = reservesFromTickMap(mapOf(first), sqrtPriceAtTick(90))
  const nextSwap = swapTo(90, placeAt(50, 0), {
    amount0: after.amount0 - before.amount0,
    amount1: (after.amount1 - before.amount1) * 2n,
  })
  const [derived] = formFeedEvents([activityOf({ ...still, nextSwap })])
  expect(derived?.reserves).toBeNull()
  if (derived?.kind !== 'join') throw new Error('no join')
  expect(Number(derived.amount0 - before.amount0)).toBeLessThan(1e3)
  expect(Math.abs(Number(derived.amount1 - before.amount1))).toBeLessThan(1e3)
})

test('a transaction of a swap says who changed liquidity in it; its rank replaces a place', () => {
  const [one, other] = [hashOf(1), hashOf(2)]
  const swaps = [swapTo(90, { ...placeAt(11, 5), txHash: other })]
  const changes = [
    { ...changeBy(second, placeAt(11, 3), sqrtPriceAtTick(90)), txHash: one, txIndex: null },
    { ...changeBy(second, placeAt(11, 6), sqrtPriceAtTick(90)), txHash: other },
  ]
  const events = formFeedEvents([activityOf({ swaps, changes, since: null })])
  expect(events.map(({ maker, txIndex, logIndex }) => [maker, txIndex, logIndex])).toEqual([
    [owner, 0, 3],
    [trader, 1, 5],
    [trader, 1, 6],
  ])
})
