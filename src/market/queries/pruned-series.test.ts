import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { recount as candlesOf } from '../../../test/store-contract/candles.ts'
import { batchOf } from '../../../test/store-contract/fixtures.ts'
import { temporaryFolder, unwrap } from '../../../test/support/backup/homes.ts'
import { noon, stateOf, tokens } from '../../../test/support/domain/sample-inputs.ts'
import {
  allTokens,
  anchorAt,
  marketOver,
  pointOf,
  quotesAt,
  samplePools,
  stocks,
  swapOf,
} from '../../../test/support/market/sample-market.ts'
import { candleWidths, type StoredSwap } from '../../domain/pool/stored-rows.ts'
import { rangeNames } from '../../domain/series/series-range.ts'
import { createSqliteStore } from '../../store/sqlite/sqlite-store.ts'

/*
 * The series of a store whose minutes were deleted, against the complete history: whatever a row
 * says is true of all of its bucket, and with hours kept every row says it.
 */

const day = 86_400
const hour = 3600
const days = 12
const now = noon
const { canonical } = samplePools
const { number, id, version, protocol, venue, key, createdBlock } = canonical
const createdTs = now - days * day
const identity = { number, id, version, protocol, venue, key, createdBlock, createdTs }

/** Swaps in bursts, so that there are quiet hours and quiet days. */
const anyHistory = fc
  .array(fc.record({ ago: fc.integer({ min: 0, max: days * day - 1 }), burst: fc.nat(3) }), {
    minLength: 5,
    maxLength: 60,
  })
  .map((bursts) =>
    bursts
      .flatMap(({ ago, burst }) =>
        Array.from({ length: burst + 1 }, (_, at) => Math.max(0, ago - at * 700)),
      )
      .toSorted((one, other) => other - one)
      .map((ago, at) => swapOf(at + 1, { ts: now - ago, usdMicro: (at + 1) * 1_000_000 })),
  )

type Cut = {
  /** Minutes and swaps before are deleted. */
  readonly minutes: number
  /** Hours before are deleted, which no version of the program does. */
  readonly hours: number
}

const wholeDays = fc.integer({ min: 1, max: days }).map((kept) => {
  const from = now - kept * day
  return { minutes: from - (from % day), hours: 0 }
})
const anySecond = fc.integer({ min: now - days * day, max: now })
const anyCut: fc.Arbitrary<Cut> = fc.oneof(
  { weight: 3, arbitrary: wholeDays },
  { weight: 1, arbitrary: anySecond.map((minutes) => ({ minutes, hours: 0 })) },
  { weight: 2, arbitrary: anySecond.map((ts) => ({ minutes: ts, hours: ts - (ts % hour) })) },
)

const prune = async (path: string, { minutes, hours }: Cut): Promise<void> => {
  const store = unwrap(createSqliteStore({ path }))
  await store.prune({ swapsBeforeTs: minutes, minuteRowsBeforeTs: minutes })
  await store.close()
  const db = new DatabaseSync(path)
  for (const table of ['candles', 'reference_points']) {
    db.prepare(`DELETE FROM ${table} WHERE width = 3600 AND ts < ?`).run(hours)
  }
  db.close()
}

const fill = async (path: string, swaps: readonly StoredSwap[]): Promise<void> => {
  const store = unwrap(createSqliteStore({ path }))
  const origin = { chainId: 4663, network: 'sample', originHash: `0x${'0'.repeat(64)}` } as const
  await store.claim(origin, now)
  await store.recordTokens(allTokens)
  await store.recordStocks(stocks)
  const references = swaps.flatMap(({ ts }, at) =>
    candleWidths.map((width) => pointOf(tokens.nvda, ts - (ts % width), 100 + at, { width })),
  )
  const dollar = candleWidths.map((width) => {
    const ts = createdTs - (createdTs % width)
    return pointOf(tokens.usdg, ts, 1, { width, source: 'chainlink' })
  })
  const rest = { ts: now, reserves: [], hot: [] }
  const enrichment = { ...rest, quotes: quotesAt(now), references: [...references, ...dollar] }
  await store.recordEnrichment(enrichment)
  await store.commitRange(
    batchOf(
      { before: null, to: swaps.length + 1 },
      {
        ...{ to: anchorAt(swaps.length + 1, now), pools: [identity], swaps },
        states: [{ pool: number, state: stateOf({ lastSwapTs: now, lastSwapBlock: 1 }) }],
        candles: candlesOf(swaps),
      },
    ),
  )
  await store.close()
}

test('of every range it is exact or null, and never null while hours are kept', async () => {
  const folder = temporaryFolder(onTestFinished)
  let files = 0
  await fc.assert(
    fc.asyncProperty(anyHistory, anyCut, async (swaps, cut) => {
      const path = join(folder, `${files++}.db`)
      await fill(path, swaps)
      await prune(path, cut)
      const store = unwrap(createSqliteStore({ path }))
      const { market, clock } = marketOver(store)
      clock.ts = now
      await market.refresh()
      for (const range of rangeNames) {
        const detail = await market.pool(id, range)
        const series = detail?.series ?? []
        expect(series.length).toBeLessThanOrEqual(600)
        for (const [at, { ts, swaps: count, volumeUsd }] of series.entries()) {
          const endTs = series[at + 1]?.ts ?? Number.POSITIVE_INFINITY
          const own = swaps.filter((swap) => swap.ts >= ts && swap.ts < endTs)
          if (cut.hours > 0 && count === null) {
            expect(volumeUsd).toBeNull()
            continue
          }
          const usd = own.reduce((sum, { usdMicro }) => sum + (usdMicro ?? 0) / 1e6, 0)
          expect([range, ts, count, volumeUsd]).toEqual([range, ts, own.length, usd])
        }
        if (cut.hours > 0) continue
        const stock = await market.stock({ symbol: 'NVDA' }, range)
        const rows = stock?.series ?? []
        for (const [at, { ts, referenceUsd }] of rows.entries()) {
          const endTs = rows[at + 1]?.ts
          if (endTs === undefined) continue
          const last = swaps.findLastIndex((swap) => swap.ts < endTs)
          expect([range, ts, referenceUsd]).toEqual([range, ts, last < 0 ? null : 100 + last])
        }
      }
      await store.close()
    }),
    { numRuns: 40 },
  )
}, 120_000)

test('a week of a store that keeps two days has hours, then half hours', async () => {
  const path = join(temporaryFolder(onTestFinished), 'store.db')
  const swaps = Array.from({ length: 10 * 24 }, (_, at) =>
    swapOf(at + 1, { ts: now - 60 - (10 * 24 - at - 1) * hour, usdMicro: 1_000_000 }),
  )
  await fill(path, swaps)
  const from = now - 2 * day
  await prune(path, { minutes: from - (from % day), hours: 0 })
  const store = unwrap(createSqliteStore({ path }))
  onTestFinished(store.close)
  const { market, clock } = marketOver(store)
  clock.ts = now
  const { series = [] } = (await market.pool(id, '7d')) ?? {}
  const widths = series.slice(1).map(({ ts }, at) => ts - (series[at]?.ts ?? 0))
  expect(new Set(widths)).toEqual(new Set([hour, hour / 2]))
  expect(widths).toEqual(widths.toSorted((one, other) => other - one))
  const hourly = series.filter((_, at) => widths[at] === hour)
  expect(new Set(hourly.map(({ volumeUsd, swaps: count }) => `${volumeUsd} ${count}`))).toEqual(
    new Set(['1 1']),
  )
})
