import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolDetailView, PoolView, SwapView } from '../../src/domain/views/pool.ts'
import type { StockDetailView } from '../../src/domain/views/stock.ts'
import { type Decimals, readDecimals } from './numbers/contracts.ts'
import type { ChainEvent } from './numbers/events.ts'
import { atOneMoment, openService } from './numbers/moment.ts'
import { rolesOf } from './numbers/pricing.ts'
import { bucketsOf, keptWidthOf, recountSeries, type UsdBefore } from './numbers/recount.ts'
import { type Pools, replayAll } from './numbers/replay.ts'
import { liveFromTsOf, type StoredPoint, type StoredSwap } from './numbers/stored.ts'

/*
 * Every bucket of every pool's series recomputed from its swaps and its logs, and the list of
 * swaps beside it against the logs (docs/api.md).
 */

const service = openService()
afterAll(() => service.stored.close())

const ranges = ['1h', '24h', 'all'] as const
const keptWidths = [60, 3600, 86_400] as const

type Reply = { readonly range: string; readonly detail: PoolDetailView }

type Facts = {
  readonly replies: readonly Reply[]
  readonly events: readonly ChainEvent[]
  readonly eventsOf: (pool: Hex) => readonly ChainEvent[]
  readonly swapsOf: (pool: Hex) => readonly StoredSwap[]
  readonly pools: Pools
  readonly times: ReadonlyMap<number, number>
  readonly decimals: Decimals
  readonly points: ReadonlyMap<number, readonly StoredPoint[]>
}

let facts: Facts

const grouped = <T>(rows: readonly T[], nameOf: (row: T) => string) => {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(nameOf(row))
    if (group === undefined) groups.set(nameOf(row), [row])
    else group.push(row)
  }
  return (name: string): readonly T[] => groups.get(name) ?? []
}

beforeAll(async () => {
  const { api, chain, stored } = service
  const { moment } = await atOneMoment(service, async () => null)
  const replies: Reply[] = []
  for (const { id } of moment.pools) {
    for (const range of ranges) {
      const detail = await api.read<PoolDetailView>(`/api/v1/pools/${id}?range=${range}`)
      replies.push({ range, detail })
    }
  }
  const blocks = [...new Set(replies.map(({ detail }) => detail.pool.asOfBlock ?? 0))]
  const head = Math.max(...blocks)
  const events = await service.events.upTo(head)
  const pools = replayAll(events)
  facts = {
    replies,
    events,
    eventsOf: grouped(events, (event) => ('pool' in event ? event.pool : '')),
    swapsOf: grouped(stored.swaps(head), (swap) => swap.pool),
    pools,
    times: await chain.blockTimes(blocks),
    decimals: await readDecimals(chain, [...pools.values()], await chain.head()),
    points: new Map(keptWidths.map((width) => [width, stored.references(width)])),
  }
})

const usdBeforeIn = (points: readonly StoredPoint[]): UsdBefore => {
  const pointsOf = grouped(points, (point) => point.address)
  return (token, ts) => pointsOf(token).findLast((point) => point.ts < ts)?.usd ?? null
}

const gapOf = (actual: number | null, expected: number | null): number => {
  if (actual === expected) return 0
  if (actual === null || expected === null) return Number.POSITIVE_INFINITY
  return Math.abs(actual - expected)
}

const numbers = ['open', 'high', 'low', 'close', 'stockPriceUsd', 'otherPriceUsd'] as const

/** The rows that must be, and what is wrong with those that are. */
const compare = ({ range, detail }: Reply, usdBefores: ReadonlyMap<number, UsdBefore>) => {
  const { pool: record, series } = detail
  const block = record.asOfBlock ?? 0
  const headTs = facts.times.get(block) ?? 0
  const createdTs = facts.pools.get(record.id)?.created.ts ?? 0
  const buckets = bucketsOf(range, createdTs, headTs)
  const usdBefore = usdBefores.get(keptWidthOf(buckets.width)) as UsdBefore
  const upToHead = <T extends { readonly block: number }>(all: readonly T[]) =>
    all.filter((each) => each.block <= block)
  const counted = recountSeries(
    buckets,
    { record, decimals: facts.decimals, usdBefore },
    {
      events: upToHead(facts.eventsOf(record.id)),
      swaps: upToHead(facts.swapsOf(record.id)),
    },
  )
  const faults: string[] = []
  const where = `${record.id} ${range}`
  if (series.length !== counted.length) faults.push(`${where}: ${series.length} rows`)
  for (const [index, row] of series.entries()) {
    const expected = counted[index]
    if (expected === undefined) break
    const isOpen = !expected.closed
    const fault = (name: string, actual: unknown, wanted: unknown): void => {
      faults.push(`${where} @${row.ts} ${name}: ${actual}, not ${wanted}`)
    }
    for (const name of ['ts', 'swaps', 'closed', 'volumeUsd'] as const) {
      if (row[name] !== expected[name]) fault(name, row[name], expected[name])
    }
    if (row.stockPriceInOther !== row.close) fault('price', row.stockPriceInOther, row.close)
    for (const name of numbers) {
      // The open bucket ends with the record, whose references are of this moment.
      const wanted =
        isOpen && name.endsWith('Usd') ? record[name as 'stockPriceUsd'] : expected[name]
      if (gapOf(row[name], wanted) > 1e-12 * Math.abs(wanted ?? 0)) fault(name, row[name], wanted)
    }
    const [wanted, slack] = isOpen
      ? [record.liquidityUsd, 0]
      : [expected.liquidityUsd, expected.liquiditySlackUsd]
    const gap = gapOf(row.liquidityUsd, wanted)
    if (gap > slack + 1e-9 * (wanted ?? 0)) fault('liquidityUsd', row.liquidityUsd, wanted)
  }
  return { faults, rows: series.length, counted }
}

describe('the series of a pool', () => {
  test('matches the swaps and logs of every bucket', () => {
    const usdBefores = new Map(
      [...facts.points].map(([width, points]) => [width, usdBeforeIn(points)]),
    )
    const compared = facts.replies.map((reply) => compare(reply, usdBefores))
    expect(compared.flatMap(({ faults }) => faults).slice(0, 20)).toEqual([])
    const rows = compared.reduce((sum, each) => sum + each.rows, 0)
    expect(rows).toBeGreaterThan(15_000)
  })

  test('is made of different kinds of pools and of busy and quiet buckets', () => {
    const kinds = new Set(facts.replies.map(({ detail }) => detail.pool.kind))
    expect([...kinds].sort()).toEqual(['canonical', 'meme', 'stock-stock'])
    const rows = facts.replies.flatMap(({ detail }) => detail.series)
    expect(rows.filter(({ swaps }) => (swaps ?? 0) > 1).length).toBeGreaterThan(200)
    expect(rows.filter(({ swaps, close }) => swaps === 0 && close !== null).length).toBeGreaterThan(
      5000,
    )
  })
})

const swapsShownMax = 100

test('the swaps of a pool are the newest of its logs, as the trader saw them', () => {
  for (const { range, detail } of facts.replies) {
    const { pool: record, series, swaps } = detail
    const fromTs = series[0]?.ts ?? Number.POSITIVE_INFINITY
    const stored = facts
      .swapsOf(record.id)
      .filter((swap) => swap.block <= (record.asOfBlock ?? 0) && swap.ts >= fromTs)
      .toReversed()
      .slice(0, swapsShownMax)
    const expected = stored.map((swap) => toSwapRow(swap, record))
    expect(swaps, `${record.id} ${range}`).toEqual(expected)
  }
})

const wholeOf = (raw: bigint, token: Hex): number | null => {
  const scale = facts.decimals.get(token)
  return scale == null ? null : Math.abs(Number(raw)) / 10 ** scale
}

const toSwapRow = (swap: StoredSwap, record: PoolView): SwapView => {
  const { stockIsToken0, stockAddress, otherAddress } = record
  const [stock, other] = stockIsToken0 ? [swap.amount0, swap.amount1] : [swap.amount1, swap.amount0]
  const [stockAmount, otherAmount] = [wholeOf(stock, stockAddress), wholeOf(other, otherAddress)]
  const isPriced = stockAmount !== null && otherAmount !== null && stockAmount > 0
  const isEmpty = stock === 0n && other === 0n
  return {
    txHash: swap.txHash,
    logIndex: swap.logIndex,
    block: swap.block,
    ts: swap.ts,
    // A buy takes the stock out of the pool; where none moved, the other side decides.
    side: stock < 0n || (stock === 0n && other >= 0n) ? 'buy' : 'sell',
    stockAmount,
    otherAmount,
    priceInOther: isPriced ? otherAmount / stockAmount : null,
    amountUsd: isEmpty || swap.usdMicro === null ? null : swap.usdMicro / 1e6,
    sender: swap.sender,
    recipient: swap.recipient,
    fee: swap.fee ?? (record.feeDynamic ? null : record.fee),
    sqrtPriceX96: String(swap.sqrtPriceX96),
    tick: swap.tick,
    implausible: swap.implausible,
  }
}

describe('the references over time', () => {
  test('of the past are the last answers of the feeds within their buckets', () => {
    const { tokensOf } = rolesOf(service.manifest)
    const { writerStartedTs } = service.stored.state()
    // Feeds may have been read live before anybody else was.
    const liveFromTs = Math.min(writerStartedTs, liveFromTsOf(facts.points.get(60) ?? []))
    for (const width of keptWidths) {
      const expected = new Map<string, number>()
      for (const event of facts.events) {
        if (event.kind !== 'answered') continue
        const start = Math.floor(event.updatedTs / width) * width
        if (start + width > liveFromTs) continue
        for (const token of tokensOf(event.aggregator)) {
          expected.set(`${token}@${start}`, Number(event.answer) / 1e8)
        }
      }
      const all = facts.points.get(width) ?? []
      const points = all.filter(({ ts }) => ts + width <= liveFromTs)
      const kept = new Map(points.map((point) => [`${point.address}@${point.ts}`, point.usd]))
      expect(kept).toEqual(expected)
    }
  })

  test("are what a stock's series shows, beside the price of its best pool", async () => {
    const usdBefore = usdBeforeIn(facts.points.get(60) ?? [])
    // What is closed in every reply will not change any more.
    const closedTs = Math.min(...facts.times.values())
    for (const token of service.manifest.tokens.filter(({ role }) => role === 'stock')) {
      const { stock, series } = await service.api.read<StockDetailView>(
        `/api/v1/stocks/${token.symbol}?range=24h`,
      )
      const best = facts.replies.find(
        ({ range, detail }) => range === '24h' && detail.pool.id === stock.bestPoolId,
      )
      const poolUsd = new Map(best?.detail.series.map((row) => [row.ts, row.stockPriceUsd]))
      for (const row of series.filter(({ closed }) => closed)) {
        const endTs = row.ts + 300
        if (endTs > closedTs) continue
        const where = `${token.symbol} @${row.ts}`
        expect(row.referenceUsd, where).toBe(usdBefore(token.address, endTs))
        expect(row.poolPriceUsd, where).toBe(poolUsd.get(row.ts) ?? null)
        if (row.premiumBps === null) continue
        const ratio = (row.poolPriceUsd ?? Number.NaN) / (row.referenceUsd ?? Number.NaN)
        expect(row.premiumBps, where).toBeCloseTo(10_000 * (ratio - 1), 6)
      }
    }
  })
})
