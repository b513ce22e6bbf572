import type {
  Candle,
  StoredLiquidityChange,
  StoredSwap,
} from '../../../src/domain/pool/stored-rows.ts'
import { known, unknown } from '../../../src/domain/reading.ts'
import { aggregateCandles, rawPrice, withSwap } from '../../../src/domain/series/candles.ts'
import { bucketStart } from '../../../src/domain/series/series-range.ts'
import type { Store } from '../../../src/ports/store.ts'
import {
  addressOf,
  batchOf,
  blockRefAt,
  candleAt,
  chain,
  day,
  hashOf,
  identityOf,
  pointAt,
  stateOf,
  stockOf,
  swapAt,
} from '../../store-contract/fixtures.ts'

/*
 * Three finished days of swaps and the start of a fourth, in three pools: a stock as token0 (v3),
 * the same stock as token1 (v4), and a pool without a stock (v3).
 */

const secondsPerDay = 86_400
const secondsBetween = 600
/** Of each day, in turns in the three pools, two in a block. */
export const swapsPerDay = (2 * secondsPerDay) / secondsBetween

export const stockPool = 2
export const stockPoolV4 = 1
export const otherPool = 4
const stock = addressOf(100 + stockPool)

const pools = [
  identityOf(stockPool),
  { ...identityOf(stockPoolV4), key: { ...identityOf(stockPoolV4).key, token1: stock } },
  identityOf(otherPool),
]

const numbers = [stockPool, stockPoolV4, otherPool] as const

const swapNumber = (number: number, dayNumber: number): StoredSwap => {
  const block = dayNumber * secondsPerDay + Math.floor(number / 2) * secondsBetween + 1
  const sign = number % 3 === 0 ? 1n : -1n
  const scale = 10n ** BigInt(number % 25)
  return swapAt(
    { pool: numbers[number % 3] as number, block, logIndex: (number % 2) * 7 },
    {
      txHash: hashOf(block * 2 + (number % 2)),
      txIndex: number % 5 === 0 ? null : number % 100,
      amount0: number % 41 === 0 ? 0n : sign * (1_234_567n * scale + 1n),
      amount1: number % 41 === 0 ? 0n : -sign * (9_876_543_210n * scale + 3n),
      sqrtPriceX96: 2n ** 96n + BigInt(number) * 10n ** 20n,
      liquidity: 10n ** 18n + BigInt(number),
      tick: number - 100,
      fee: number % 3 === 1 ? 500 : null,
      sender: addressOf(5000 + (number % 9)),
      recipient: number % 3 === 1 ? null : addressOf(6000 + (number % 7)),
      usdMicro: number % 11 === 0 ? null : number * 1_000_003,
      estimated: number % 13 === 0,
      implausible: number % 17 === 0,
      trader: number % 4 === 0 ? null : addressOf(7000 + (number % 10)),
    },
  )
}

/** The candles of minutes, without those of hours and days. */
export const minutesOf = (swaps: readonly StoredSwap[]): readonly Candle[] => {
  const minutes = new Map<string, Candle>()
  for (const swap of swaps) {
    const ts = bucketStart(swap.ts, 60)
    const key = `${swap.pool} ${ts}`
    const price = rawPrice(swap.sqrtPriceX96)
    const prices = { open: price, high: price, low: price, close: price }
    const empty = candleAt({ pool: swap.pool, width: 60, ts }, { ...prices, reserve0: 5e21 })
    minutes.set(key, withSwap(minutes.get(key) ?? empty, swap))
  }
  return [...minutes.values()]
}

const changeAt = (dayNumber: number, number: number): StoredLiquidityChange => {
  const block = dayNumber * secondsPerDay + number * 1000 + 5
  const isV4 = number % 2 === 1
  return {
    pool: isV4 ? stockPoolV4 : stockPool,
    block,
    logIndex: 3,
    ts: day + block,
    txHash: hashOf(block),
    txIndex: 1,
    tickLower: -60 * number,
    tickUpper: 60 * (number + 1),
    liquidityDelta: isV4 ? -(10n ** 15n) : 10n ** 18n + BigInt(number),
    owner: isV4 ? null : addressOf(8001),
    sender: isV4 ? addressOf(8002) : null,
    salt: isV4 ? hashOf(9) : null,
  }
}

/** All swaps of a day, in chain order. */
export const swapsOfDay = (dayNumber: number): readonly StoredSwap[] =>
  Array.from({ length: swapsPerDay }, (_, number) => swapNumber(number, dayNumber))

export const changesOfDay = (dayNumber: number): readonly StoredLiquidityChange[] =>
  Array.from({ length: 20 }, (_, number) => changeAt(dayNumber, number))

const tokens = () => [
  { address: stock, symbol: known('AAPLx'), name: known('Apple'), decimals: known(18) },
  { address: addressOf(202), symbol: known('USD "G", €'), name: known('USDG'), decimals: known(6) },
  { address: addressOf(101), symbol: known('WETH'), name: known('WETH'), decimals: known(18) },
  { address: addressOf(104), symbol: unknown('symbol-empty'), name: known(''), decimals: known(0) },
  {
    address: addressOf(204),
    symbol: known('ODD'),
    name: known('odd'),
    decimals: unknown('decimals-reverted'),
  },
]

/** Commits the next day; the first one also has pools, tokens and stocks. */
const commitDay = async (store: Store, dayNumber: number, to: number): Promise<void> => {
  const swaps = swapsOfDay(dayNumber).filter(({ block }) => block <= to)
  const changes = changesOfDay(dayNumber).filter(({ block }) => block <= to)
  const isFirst = dayNumber === 0
  const outcome = await store.commitRange(
    batchOf(
      { before: isFirst ? null : dayNumber * secondsPerDay - 1, to },
      {
        blocks: [...new Set([...swaps, ...changes].map(({ block }) => block))].map((block) =>
          blockRefAt(block),
        ),
        pools: isFirst ? pools : [],
        states: isFirst ? numbers.map((pool) => ({ pool, state: stateOf(5n) })) : [],
        swaps,
        liquidity: changes,
        candles: numbers.flatMap((pool) =>
          aggregateCandles(minutesOf(swaps.filter((swap) => swap.pool === pool))),
        ),
        references: [0, 1, 2].map((minute) => ({
          ...pointAt(day + dayNumber * secondsPerDay + minute * 60, 200.25 + minute),
          address: stock,
        })),
      },
    ),
  )
  if (outcome !== 'committed') throw new Error(`day ${dayNumber} is ${outcome}`)
}

/** The last block: a quarter into the fourth day. */
const lastBlock = 3 * secondsPerDay + secondsPerDay / 4

export const fillDays = async (store: Store): Promise<void> => {
  await store.claim(chain, day)
  for (const dayNumber of [0, 1, 2]) {
    await commitDay(store, dayNumber, (dayNumber + 1) * secondsPerDay - 1)
  }
  await commitDay(store, 3, lastBlock)
  await store.recordTokens(tokens())
  await store.recordStocks([
    { ...stockOf(100 + stockPool), symbol: 'AAPL', verdict: 'verified' },
    { ...stockOf(105), symbol: 'TSLA', verdict: 'disproven' },
  ])
  const to = blockRefAt(3 * secondsPerDay + 1000)
  await store.advanceFinalized({ expectedCursor: null, to, crossChecked: true })
}
