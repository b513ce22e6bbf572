import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Transaction } from '../../sandbox/chain/sender.ts'
import type {
  CandleView,
  HistoryPage,
  LiquidityChangeView,
  PastSwapView,
} from '../../src/domain/views/history.ts'
import type { PoolDetailView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import type { Api } from '../service/api.ts'
import { readStates } from '../service/numbers/contracts.ts'
import type { ChainEvent } from '../service/numbers/events.ts'
import { type Replayed, replayAll } from '../service/numbers/replay.ts'
import { changeCall, choosePools, tradeCall } from './acts.ts'
import {
  changesOf,
  foldCandles,
  lineOfChange,
  lineOfChangeLog,
  lineOfSwap,
  lineOfSwapLog,
  poolsHolding,
  swapsOf,
} from './expected.ts'
import { type House, openHouse, type Sent, type StoreKind, storeKinds } from './house.ts'
import { createMoments } from './moments.ts'
import { type EventRow, type ListQuery, type ReadList, readList } from './read-list.ts'

/*
 * Readers go through lists page by page, and stop at two moments at which the chain moves:
 *
 *   past ── recent blocks ── more blocks           first moment
 *                └────────── other blocks ──►      second moment, a reorganisation
 *
 * What each has read at the end is what viem decodes from the node's logs.
 */

const symbol = 'NVDA'

let house: House
let stockTokens: ReadonlySet<string>
let stockAddress: string
let chosen: ReturnType<typeof choosePools>

beforeAll(async () => {
  house = await openHouse()
  await house.untilIndexed()
  const stocks = await house.apiOf('SQLite').readAll<StockView>('/api/v1/stocks')
  stockTokens = new Set(stocks.map(({ address }) => address))
  stockAddress = stocks.find((stock) => stock.symbol === symbol)?.address ?? ''
  chosen = choosePools(house.manifest, symbol)
})
afterAll(() => house?.close())

/** A trade by an account of its own. */
const drawTrade = (at: number, seed: number): Transaction => {
  const { accounts } = house.manifest
  const [from, pool] = [accounts.traders[at], chosen[at % chosen.length]]
  if (from === undefined || pool === undefined) throw new Error('too few accounts or pools')
  return { from, call: tradeCall(house.manifest, pool, seed % 3 === 0) }
}

/** Blocks with a trade and a change of liquidity in each chosen pool. */
const drawBlocks = (seed: number, count: number): readonly (readonly Transaction[])[] =>
  Array.from({ length: count }, (_, block) => [
    ...chosen.map((_pool, at) => drawTrade(at, seed + block + at)),
    ...chosen.map((pool, at) => ({
      from: house.manifest.accounts.provider,
      call: changeCall(house.manifest, pool, (seed + block + at) % 3 === 1 ? 'trim' : 'add'),
    })),
  ])

type Recent = {
  /** Time of the recent blocks. */
  readonly ts: number
  /** The first block that will be replaced. */
  readonly replaced: number
  /** Block by block from the first one that will be replaced. */
  readonly sent: readonly (readonly Sent[])[]
}

/** Two blocks that stay, two with one trade each, and two more. */
const mineRecent = async (): Promise<Recent> => {
  const blocks = [
    ...drawBlocks(0, 2),
    ...[[drawTrade(2, 0)], [drawTrade(3, 0)]],
    ...drawBlocks(4, 2),
  ]
  const head = await house.headBlock()
  const sent = await house.mineBlocks(blocks)
  const replaced = head + 3
  const ts = (await house.chain.blockTimes([replaced])).get(replaced) ?? 0
  await house.untilIndexed()
  return { ts, replaced, sent: sent.slice(2) }
}

/** A list that a reader goes through, and where it waits for the reorganisation. */
type Reader = {
  readonly what: string
  readonly kind: StoreKind
  readonly query: ListQuery
  readonly isDue: (last: EventRow) => boolean
  /** Whether the row of its cursor is replaced then. */
  readonly meetsFault: boolean
}

/** One of the list's own kind of readers. */
const readersOf = (kind: StoreKind, path: string, limit: number, recent: Recent): Reader[] => {
  const { replaced, ts } = recent
  const isKept = ({ block }: EventRow) => block < replaced
  const isReplaced = ({ block }: EventRow) => block >= replaced
  const reader = (order: 'asc' | 'desc', at: 'kept' | 'replaced'): Reader => ({
    what: `${kind} ${path} ${order}, at a row that is ${at}`,
    kind,
    query: { path, order, ...(at === 'kept' ? { limit, from: 0 } : { limit: 1, from: ts }) },
    isDue: at === 'kept' ? isKept : isReplaced,
    meetsFault: at === 'replaced',
  })
  return (['asc', 'desc'] as const).flatMap((order) => [
    reader(order, 'kept'),
    reader(order, 'replaced'),
  ])
}

const swapLists = () => [
  '/api/v1/swaps',
  `/api/v1/stocks/${symbol}/swaps`,
  ...chosen.map(({ id }) => `/api/v1/pools/${id}/swaps`),
]
const changeLists = () => chosen.map(({ id }) => `/api/v1/pools/${id}/liquidity`)

/** Lines of the logs that belong to a list, up to a block. */
const linesOfLogs = (
  events: readonly ChainEvent[],
  { path, from }: ListQuery,
  { asOfBlock }: ReadList<EventRow>,
): readonly string[] => {
  const within = events.filter(({ block, ts }) => block <= asOfBlock && ts >= from)
  const [, id = ''] = /pools\/(0x\w+)/.exec(path) ?? []
  if (path.endsWith('/liquidity')) return changesOf(within, id).map(lineOfChangeLog)
  const tokens = path.includes('/stocks/') ? new Set([stockAddress]) : stockTokens
  const pools = id === '' ? poolsHolding(events, tokens) : new Set([id])
  return swapsOf(within, pools).map(lineOfSwapLog)
}

const lineOf = (row: EventRow): string =>
  'poolId' in row ? lineOfSwap(row as PastSwapView) : lineOfChange(row as LiquidityChangeView)

/** Each pool has several times as many swaps: a reader must not end before the last moment. */
const poolPage = 10

type Found = { readonly reader: Reader; readonly read: ReadList<EventRow> }

const runReaders = async (
  readers: readonly Reader[],
  moments: readonly (() => Promise<void>)[],
): Promise<readonly Found[]> => {
  const openMoments = createMoments(readers.length, moments)
  return Promise.all(
    readers.map(async (reader) => {
      const { between, seen } = openMoments(reader.isDue)
      const read = await readList(house.apiOf(reader.kind), reader.query, between)
      if (seen() < moments.length) throw new Error(`${reader.what} ended too early`)
      return { reader, read }
    }),
  )
}

/** In pages of a few. */
const readCandles = async (api: Api, path: string): Promise<readonly CandleView[]> => {
  const first = await api.read<HistoryPage<CandleView>>(`${path}&limit=4`)
  const rows = [...first.items]
  for (let { next } = first; next !== null; ) {
    const page = await api.read<HistoryPage<CandleView>>(`${path}&limit=4&cursor=${next}`)
    rows.push(...page.items)
    next = page.next
  }
  return rows
}

const mapValues = (row: object, to: (value: number) => unknown) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, to(value)]))

/** The service adds and multiplies in another order. */
const isNear = (value: number) =>
  Number.isInteger(value) ? value : expect.closeTo(value, 8 - Math.ceil(Math.log10(value)))

/** What the services read of the chain; quotes each reads at its own time. */
const chainPartOf = (detail: PoolDetailView | undefined) => {
  const { pool, past, swaps } = detail ?? {}
  const { sqrtPriceX96, tick, liquidity, stockReserve, otherReserve, lastSwapTs } = pool ?? {}
  const places = swaps?.map(({ txHash, logIndex, block, ts }) => [txHash, logIndex, block, ts])
  const state = { sqrtPriceX96, tick, liquidity, stockReserve, otherReserve, lastSwapTs }
  return { ...state, past, places }
}

describe('lists of a chain that grows and is reorganised', () => {
  let found: readonly Found[]
  let events: readonly ChainEvent[]
  let recent: Recent

  beforeAll(async () => {
    recent = await mineRecent()
    const [, again = []] = recent.sent
    /** At a swap whose transaction both branches have in the same place, unlike the one before. */
    const sameAgain = storeKinds.map(
      (kind): Reader => ({
        what: `${kind}, at a transaction that is in both branches`,
        kind,
        query: {
          path: '/api/v1/swaps',
          order: 'asc',
          limit: 2 * chosen.length + 2,
          from: recent.ts,
        },
        isDue: () => true,
        meetsFault: true,
      }),
    )
    const readers = storeKinds.flatMap((kind) => [
      ...swapLists().flatMap((path) =>
        readersOf(kind, path, path.includes('/pools/') ? poolPage : 40, recent),
      ),
      ...changeLists().flatMap((path) => readersOf(kind, path, 3, recent)),
    ])
    found = await runReaders(
      [...readers, ...sameAgain],
      [
        async () => {
          await house.mineBlocks(drawBlocks(8, 2))
          await house.untilIndexed()
        },
        async () => {
          await house.replaceFrom(recent.replaced, [[], again])
          await house.mineBlocks(drawBlocks(11, 3))
          await house.untilIndexed()
        },
      ],
    )
    events = await house.readEvents(await house.headBlock())
  })

  test('are what the logs of the chain say, each row once', () => {
    for (const { reader, read } of found) {
      const expected = linesOfLogs(events, reader.query, read)
      expect(read.rows.map(lineOf), reader.what).toEqual(expected)
      expect(expected.length, reader.what).toBeGreaterThan(3)
    }
  })

  test('answer 409 to a reader whose row was replaced, and to no other one', () => {
    const refused = found.filter(({ read }) => read.restarts > 0).map(({ reader }) => reader.what)
    const meant = found.filter(({ reader }) => reader.meetsFault).map(({ reader }) => reader.what)
    expect(refused).toEqual(meant)
  })

  test('newest first have rows, not settled, that the chain replaces later', () => {
    for (const { reader, read } of found) {
      if (reader.query.order === 'asc' || reader.meetsFault) continue
      const lines = new Set(read.rows.map(lineOf))
      const gone = read.unsettled.filter((row) => !lines.has(lineOf(row)))
      expect(gone.length, reader.what).toBeGreaterThan(1)
    }
  })

  test('have a transaction that both branches have in the same place', () => {
    const swaps = events.flatMap((event) =>
      event.kind === 'swapped' && [0, 1].includes(event.block - recent.replaced) ? [event] : [],
    )
    const [, again] = recent.sent
    const expected = again?.map(({ hash }) => ({ block: recent.replaced + 1, txHash: hash }))
    expect(swaps.map(({ block, txHash }) => ({ block, txHash }))).toEqual(expected)
  })

  test.each(storeKinds)('have candles that are the fold of the swaps, from %s', async (kind) => {
    const widths = { '1m': 60, '5m': 300, '1h': 3600 } as const
    const api = house.apiOf(kind)
    for (const pool of chosen) {
      const logs = swapsOf(events, new Set([pool.id]))
      for (const [width, step] of Object.entries(widths)) {
        const expected = foldCandles(house.manifest, pool, { logs, step, stock: symbol })
        for (const order of ['asc', 'desc'] as const) {
          const path = `/api/v1/pools/${pool.id}/candles?width=${width}&price=other&order=${order}`
          const rows = await readCandles(api, path)
          expect(order === 'asc' ? rows : rows.toReversed(), path).toMatchObject(
            expected.map((candle) => mapValues(candle, isNear)),
          )
        }
      }
    }
  })

  test('have records of past blocks as the contracts answer, alike from both stores', async () => {
    const { manifest, chain } = house
    const head = await house.headBlock()
    for (const block of [recent.replaced - 2, recent.replaced, recent.replaced + 1, head - 25]) {
      const past = replayAll(events.filter((event) => event.block <= block))
      const pools = chosen.map(({ id }) => past.get(id) as Replayed)
      const states = await readStates(chain, manifest.contracts, pools, block)
      for (const [id, { sqrtPriceX96, tick, liquidity }] of states) {
        const path = `/api/v1/pools/${id}?range=1h&asOfBlock=${block}`
        const [one, other] = await Promise.all(
          storeKinds.map((kind) => house.apiOf(kind).read<PoolDetailView>(path)),
        )
        const expected = { sqrtPriceX96: `${sqrtPriceX96}`, tick, liquidity: `${liquidity}` }
        expect(one?.pool, path).toMatchObject({ ...expected, asOfBlock: block })
        expect(one?.past, path).toMatchObject({ block, complete: true })
        expect(chainPartOf(other), path).toEqual(chainPartOf(one))
      }
    }
  })
})
