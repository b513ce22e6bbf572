import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished } from 'vitest'
import type { CandleWidthName } from '../../../src/domain/history/candle-range.ts'
import { type Candle, candleWidths, type StoredSwap } from '../../../src/domain/pool/stored-rows.ts'
import type { CandleView } from '../../../src/domain/views/history.ts'
import type { Store } from '../../../src/ports/store.ts'
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { recount } from '../../store-contract/candles.ts'
import { batchOf } from '../../store-contract/fixtures.ts'
import { temporaryFolder, unwrap } from '../backup/homes.ts'
import { noon, stateOf, tokens } from '../domain/sample-inputs.ts'
import {
  allTokens,
  anchorAt,
  marketOver,
  pointOf,
  poolOf,
  quotesAt,
  stocks,
  swapOf,
} from './sample-market.ts'

/* Pools against USDG with a drawn past, in a SQLite file. */

const day = 86_400
export const days = 5
export const now = noon
/** Their ids are those of `poolOf`. */
export const poolNumbers = [1, 5] as const
export const createdTs = now - days * day - 1234
const identities = poolNumbers.map((number) => {
  const { id, version, protocol, venue, key, createdBlock } = poolOf(number)
  return { number, id, version, protocol, venue, key, createdBlock, createdTs }
})
export const secondsOf: Readonly<Record<CandleWidthName, number>> = {
  ...{ '1m': 60, '5m': 300, '15m': 900, '1h': 3600, '4h': 4 * 3600, '1d': day },
}

/** Bursts of swaps with prices that differ, so that there are quiet hours and busy minutes. */
export const anyHistory = fc
  .array(
    fc.record({
      ago: fc.integer({ min: 0, max: days * day - 1 }),
      prices: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 }),
    }),
    { minLength: 3, maxLength: 25 },
  )
  .map((bursts) =>
    bursts
      .flatMap(({ ago, prices }) =>
        prices.map((price, at) => ({ ts: Math.min(now, now - ago + at * 200), price })),
      )
      .toSorted((one, other) => one.ts - other.ts)
      .map(({ ts, price }, at) =>
        swapOf(at + 1, {
          ts,
          sqrtPriceX96: BigInt(price) << 80n,
          amount0: BigInt(price) * 10n ** 17n * (at % 2 === 0 ? 1n : -1n),
          usdMicro: at % 11 === 10 ? null : price * 1_000_000,
        }),
      ),
  )

/** The contract's candles have √prices. */
const candlesOf = (swaps: readonly StoredSwap[]) =>
  recount(swaps).map(({ open: first, high, low, close, ...row }) => {
    const [open, ...rest] = [first, high, low, close].map((root) => (root / 2 ** 96) ** 2)
    return { ...row, open, high: rest[0], low: rest[1], close: rest[2] } as Candle
  })

const referencesOf = (swaps: readonly StoredSwap[]) =>
  swaps.flatMap(({ ts }, at) =>
    candleWidths.map((width) =>
      pointOf(tokens.usdg, ts - (ts % width), 1 + at / 100, { width, source: 'chainlink' }),
    ),
  )

/** A store with these swaps and a market over it. */
export const openHistory = async (swaps: readonly StoredSwap[]) => {
  const path = join(temporaryFolder(onTestFinished), 'store.db')
  const store = unwrap(createSqliteStore({ path }))
  onTestFinished(store.close)
  const origin = { chainId: 4663, network: 'sample', originHash: `0x${'0'.repeat(64)}` } as const
  await store.claim(origin, now)
  await store.recordTokens(allTokens)
  await store.recordStocks(stocks)
  const rest = { ts: now, reserves: [], hot: [], quotes: quotesAt(now) }
  await store.recordEnrichment({ ...rest, references: referencesOf(swaps) })
  await commitSwaps(store, null, swaps, now)
  const { market, clock } = marketOver(store)
  clock.ts = now
  await market.refresh()
  return { store, market }
}

/** Writes swaps, whose blocks are their numbers, and moves the cursor behind them. */
export const commitSwaps = async (
  store: Store,
  before: number | null,
  swaps: readonly StoredSwap[],
  ts: number,
) => {
  const to = (swaps.at(-1)?.block ?? before ?? 0) + 1
  const batch = batchOf(
    { before, to },
    {
      ...{ to: anchorAt(to, ts), swaps, candles: candlesOf(swaps) },
      pools: before === null ? identities : [],
      states: poolNumbers.map((pool) => ({
        pool,
        state: stateOf({ lastSwapTs: ts, lastSwapBlock: to }),
      })),
    },
  )
  expect(await store.commitRange(batch)).toBe('committed')
}

/** Compares rows with expected ones, numbers to nine digits. */
export const expectCandles = (
  actual: readonly CandleView[],
  expected: readonly Readonly<Record<string, unknown>>[],
) => {
  expect(actual.map(({ ts }) => ts)).toEqual(expected.map(({ ts }) => ts))
  for (const [at, row] of actual.entries()) {
    for (const [name, value] of Object.entries(expected[at] ?? {})) {
      const own = row[name as keyof CandleView]
      if (typeof value !== 'number' || typeof own !== 'number')
        expect([name, own]).toEqual([name, value])
      else expect(Math.abs(own - value), name).toBeLessThanOrEqual(1e-9 * Math.abs(value))
    }
  }
}
