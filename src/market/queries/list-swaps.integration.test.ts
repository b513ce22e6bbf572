import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../../test/setup/postgres.ts'
import { batchOf } from '../../../test/store-contract/fixtures.ts'
import {
  postgresLocation,
  sqliteLocationAt,
  temporaryFolder,
  unwrap,
} from '../../../test/support/backup/homes.ts'
import {
  addressOf,
  hexOf,
  keyOf,
  stateOf,
  tokens,
} from '../../../test/support/domain/sample-inputs.ts'
import {
  allTokens,
  anchorAt,
  candleOf,
  marketOver,
  poolOf,
  stocks,
  swapOf,
} from '../../../test/support/market/sample-market.ts'
import { toEventCursor } from '../../domain/history/event-cursor.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import {
  historyOrders,
  type LiquidityChangeView,
  type PastSwapView,
} from '../../domain/views/history.ts'
import type { Store } from '../../ports/store.ts'
import type { SyncedMarket } from '../create-market.ts'
import type { SwapPage, SwapQuery } from '../history.ts'

/* Lists of swaps on real stores, page by page, against the list of all. */

/** 18 pools of NVDA, more than are merged, and 3 of TSLA. */
const nvdaPools = 18
const tradedPools = nvdaPools + 3
/** And one that has traded lately only. */
const quietPool = tradedPools + 1
const pools = Array.from({ length: quietPool }, (_, at) =>
  poolOf(at + 1, at < nvdaPools ? {} : { key: keyOf({ token0: tokens.tsla }) }),
)
const blocks = 3_000
/** Ten minutes before an hour begins: with block 2,400. */
const start = 1_789_483_800
/** Four blocks a second. */
const tsOf = (block: number): number => start + Math.floor(block / 4)
const [rare, common, router] = [addressOf(0x71), addressOf(0x72), addressOf(0x73)]

/** One or two swaps a block; a trader who comes once in a thousand. */
const swapsOf = (from: number, to: number, fork = 0): readonly StoredSwap[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at).flatMap((block) =>
    Array.from({ length: 1 + (block % 2) }, (_none, at) => {
      const seed = block * 7 + at
      const sign = seed % 3 === 0 ? 1n : -1n
      return swapOf(block, {
        pool: block > 2_900 && block % 20 === 0 ? quietPool : 1 + ((block * 5 + at) % tradedPools),
        logIndex: 3 * at + (seed % 2),
        ts: tsOf(block),
        txHash: hexOf(fork * 1e9 + seed, 4).padEnd(66, '0') as `0x${string}`,
        txIndex: at,
        amount0: sign * BigInt(1 + (seed % 100)) * 10n ** 16n,
        amount1: -sign * 10n ** 8n,
        usdMicro: seed % 11 === 0 ? null : (seed % 500) * 1_000_000,
        sender: seed % 4 === 0 ? router : addressOf(1),
        trader: seed % 997 === 0 ? rare : seed % 5 === 0 ? null : common,
      })
    }),
  )

const swaps = swapsOf(1, blocks)
const finalizedBlock = 2_000

/** Before, between and behind swaps: 0.5 each of both tokens would be 10^18 at a price of 1. */
const changes = [10, 1_000, 1_001, 2_999].map((block, at) => ({
  ...{ pool: 1, block, logIndex: 9, ts: tsOf(block), txHash: hexOf(block, 32), txIndex: 3 },
  ...{ tickLower: -600, tickUpper: 600, liquidityDelta: 10n ** 18n * BigInt(at === 2 ? -1 : 1) },
  ...{ owner: common, sender: null, salt: null },
}))

const statesAt = (all: readonly StoredSwap[]) =>
  pools.map(({ number }) => {
    const last = all.findLast(({ pool }) => pool === number)
    const lastSwapTs = last?.ts ?? null
    return { pool: number, state: stateOf({ lastSwapTs, lastSwapBlock: last?.block ?? null }) }
  })

type Opened = { readonly store: Store; readonly market: SyncedMarket }

const fill = async (store: Store): Promise<Opened> => {
  const originHash = hexOf(0, 32)
  await store.claim({ chainId: 4663, network: 'sample', originHash }, start)
  await store.recordTokens(allTokens)
  await store.recordStocks(stocks)
  const identities = pools.map(({ number, id, version, protocol, venue, key, createdBlock }) => ({
    ...{ number, id, version, protocol, venue, key, createdBlock, createdTs: start - 100 },
  }))
  const to = anchorAt(blocks, tsOf(blocks))
  const hours = Map.groupBy(swaps, ({ pool, ts }) => `${pool} ${ts - (ts % 3600)}`)
  const candles = [...hours.values()].map((own) => {
    const { pool, ts } = own[0] as StoredSwap
    return candleOf(ts - (ts % 3600), { pool, width: 3600, swaps: own.length })
  })
  const events = { swaps, liquidity: changes, candles }
  const rest = { to, pools: identities, states: statesAt(swaps), ...events }
  await store.commitRange(batchOf({ before: null, to: blocks }, rest))
  const finalized = anchorAt(finalizedBlock, tsOf(finalizedBlock))
  const update = { expectedCursor: null, to: finalized, crossChecked: true }
  expect(await store.advanceFinalized(update)).toBe('committed')
  const { market, clock } = marketOver(store)
  clock.ts = to.ts
  await market.refresh()
  return { store, market }
}

const whole: SwapQuery = {
  ...{ limit: 100, cursor: null, fromTs: null, toTs: null, order: 'desc' },
  ...{ side: null, minUsd: null, trader: null, sender: null },
}

type List = { readonly name: string; readonly has: (pool: number) => boolean } & {
  readonly read: (market: SyncedMarket, query: SwapQuery) => ReturnType<SyncedMarket['poolSwaps']>
}

const listOfPool = (number: number): List => ({
  name: `pool ${number}`,
  has: (pool) => pool === number,
  read: (market, query) => market.poolSwaps(pools[number - 1]?.id ?? '0x', query),
})

const lists: readonly List[] = [
  listOfPool(1),
  listOfPool(nvdaPools + 2),
  {
    name: 'NVDA',
    has: (pool) => pool <= nvdaPools,
    read: (market, query) => market.stockSwaps({ symbol: 'NVDA' }, query),
  },
  {
    name: 'TSLA',
    has: (pool) => pool > nvdaPools,
    read: (market, query) => market.stockSwaps({ address: tokens.tsla }, query),
  },
  { name: 'all', has: () => true, read: (market, query) => market.swaps(query) },
]

const pageOf = async (list: List, market: SyncedMarket, query: SwapQuery): Promise<SwapPage> => {
  const result = await list.read(market, query)
  if (!result?.ok) throw new Error(`no page of ${list.name}`)
  return result.value
}

const placeOf = ({ block, logIndex }: { readonly block: number; readonly logIndex: number }) =>
  `${block}:${logIndex}`

const expectedOf = (list: List, query: SwapQuery, all = swaps): readonly string[] => {
  const kept = all.filter(({ pool, ts, usdMicro, trader, sender, amount0 }) => {
    const side = amount0 > 0n ? 'sell' : 'buy'
    return (
      list.has(pool) &&
      ts >= (query.fromTs ?? 0) &&
      ts <= (query.toTs ?? Number.POSITIVE_INFINITY) &&
      (query.side ?? side) === side &&
      (query.trader ?? trader) === trader &&
      (query.sender ?? sender) === sender &&
      (query.minUsd === null || (usdMicro ?? -1) >= query.minUsd * 1e6)
    )
  })
  return (query.order === 'asc' ? kept : kept.toReversed()).map(placeOf)
}

const readAll = async (
  list: List,
  market: SyncedMarket,
  query: SwapQuery,
  between: (pages: number) => Promise<unknown> = async () => {},
): Promise<readonly PastSwapView[]> => {
  const items: PastSwapView[] = []
  let { cursor } = query
  for (let pages = 1; pages === 1 || cursor !== null; pages += 1) {
    const page = await pageOf(list, market, { ...query, cursor })
    expect(page.items.length).toBeLessThanOrEqual(query.limit)
    items.push(...page.items)
    cursor = page.next
    await between(pages)
  }
  return items
}

const seconds = fc.option(fc.integer({ min: start - 5, max: tsOf(blocks) + 5 }))
const queries: fc.Arbitrary<SwapQuery> = fc.record({
  limit: fc.constantFrom(40, 100, 333, 1000),
  cursor: fc.constant(null),
  fromTs: seconds,
  toTs: seconds,
  order: fc.constantFrom(...historyOrders),
  side: fc.option(fc.constantFrom('buy' as const, 'sell' as const), { freq: 2 }),
  minUsd: fc.option(fc.constantFrom(0, 250, 499), { freq: 2 }),
  trader: fc.option(fc.constantFrom(rare, common), { freq: 2 }),
  sender: fc.option(fc.constant(router), { freq: 2 }),
})

const server = await startPostgres()
afterAll(() => server.dispose())

const locations = [
  ['SQLite', () => sqliteLocationAt(join(temporaryFolder(afterAll), 'store.db'))],
  ['PostgreSQL', async () => postgresLocation(await server.createDatabase())],
] as const

describe.each(locations)('%s', (_, locate) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await fill(unwrap(await (await locate()).openStore()))
  })
  afterAll(() => opened.store.close())

  test('all pages together are the list, whatever is asked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lists), queries, async (list, query) => {
        const items = await readAll(list, opened.market, query)
        expect(items.map(placeOf)).toEqual(expectedOf(list, query))
      }),
      { numRuns: 40 },
    )
  })

  test('rows say where they come from and whether they are final', async () => {
    const { items, asOfBlock, complete } = await pageOf(lists[3] as List, opened.market, whole)
    expect([items.length, asOfBlock, complete]).toEqual([100, blocks, true])
    for (const item of items) {
      const row = swaps.find((swap) => placeOf(swap) === placeOf(item))
      expect(item).toMatchObject({
        ...{ poolId: pools[(row?.pool ?? 0) - 1]?.id, stockSymbol: 'TSLA' },
        ...{ txHash: row?.txHash, txIndex: row?.txIndex, trader: row?.trader },
        settled: item.block <= finalizedBlock,
      })
    }
  })

  test('changes of liquidity have the amounts of their range, page by page', async () => {
    for (const order of historyOrders) {
      const items: LiquidityChangeView[] = []
      let cursor: SwapQuery['cursor'] = null
      do {
        const query = { limit: 1, cursor, fromTs: null, toTs: null, order }
        const result = await opened.market.liquidityChanges(pools[0]?.id ?? '0x', query)
        if (!result?.ok) throw new Error('no page')
        expect(result.value).toMatchObject({ asOfBlock: blocks, complete: true })
        items.push(...result.value.items)
        cursor = result.value.next
      } while (cursor !== null)
      const rows = order === 'asc' ? changes : changes.toReversed()
      expect(items.map(placeOf)).toEqual(rows.map(placeOf))
      for (const [at, item] of items.entries()) {
        const { block, liquidityDelta } = rows[at] as (typeof rows)[number]
        const isPriced = swaps.some((swap) => swap.pool === 1 && swap.block <= block)
        // 10^18 · (1 - 1.0001^-300), of tokens with 18 and 6 decimals.
        const amount = isPriced ? 10 ** 18 * (1 - 1.0001 ** -300) : null
        expect(item).toMatchObject({
          ...{ txIndex: 3, owner: common, liquidityDelta: liquidityDelta.toString() },
          kind: liquidityDelta > 0n ? 'add' : 'remove',
          settled: block <= finalizedBlock,
          stockAmount: amount === null ? null : expect.closeTo(amount / 1e18, 9),
          otherAmount: amount === null ? null : expect.closeTo(amount / 1e6, -3),
        })
      }
    }
  })

  test('a page ends early instead of reading thousands of rows for a rare trader', async () => {
    const query = { ...whole, trader: rare, limit: 50 }
    const page = await pageOf(lists[4] as List, opened.market, query)
    const [at] = swaps.toReversed().slice(3_999)
    expect(page.next).toEqual(toEventCursor(at as StoredSwap, null))
    expect(page.items.length).toBeLessThan(query.limit)
  })

  test('one pool or stock that is not known has no list', async () => {
    expect(await opened.market.poolSwaps('0x99', whole)).toBeNull()
    expect(await opened.market.stockSwaps({ symbol: 'NONE' }, whole)).toBeNull()
  })

  test('new rows shift no page, and a cursor of a replaced block is refused', async () => {
    const { store, market } = opened
    const list = lists[4] as List
    let all: readonly StoredSwap[] = swaps
    const grow = async (pages: number): Promise<void> => {
      if (pages > 3) return
      const from = all.at(-1)?.block ?? 0
      const added = swapsOf(from + 1, from + 30)
      all = [...all, ...added]
      const to = anchorAt(from + 30, tsOf(from + 30))
      const rest = { to, swaps: added, states: statesAt(all) }
      const batch = batchOf({ before: from, to: from + 30 }, rest)
      expect(await store.commitRange(batch)).toBe('committed')
      await market.refresh()
    }
    const down = await readAll(list, market, { ...whole, limit: 800 }, grow)
    expect(down.map(placeOf)).toEqual(expectedOf(list, whole))
    const [cursor] = [await pageOf(list, market, { ...whole, limit: 5 })].map(({ next }) => next)
    const end = all.at(-1)?.block ?? 0
    const ancestor = end - 50
    const header = await store.snapshot((snapshot) => snapshot.header())
    const stays = all.filter(({ block }) => block <= ancestor)
    const branch = swapsOf(ancestor + 1, end + 10, 1)
    const to = { ...anchorAt(end + 10, tsOf(end + 10)), hash: hexOf(77, 32) }
    expect(
      await store.replaceBranch({
        epoch: header?.epoch ?? 0,
        cursor: anchorAt(end, tsOf(end)),
        ancestor: anchorAt(ancestor, tsOf(ancestor)),
        restored: [],
        branch: batchOf({ before: ancestor, to: end + 10 }, { to, swaps: branch }),
        repairs: 0,
      }),
    ).toBe('committed')
    await market.refresh()
    const fault = { kind: 'cursor-replaced' }
    expect(await list.read(market, { ...whole, cursor: cursor ?? null })).toEqual({
      ok: false,
      fault,
    })
    const kept = stays.at(-1) as StoredSwap
    const up = await readAll(list, market, {
      ...whole,
      cursor: toEventCursor(kept, null),
      order: 'asc',
    })
    expect(up.map(({ txHash }) => txHash)).toEqual(branch.map(({ txHash }) => txHash))
  })

  test('what was deleted is gone, and lists that begin before it are not complete', async () => {
    const { store, market } = opened
    const keptSince = tsOf(1_000)
    const cursor = toEventCursor(swaps[10] as StoredSwap, null)
    expect(await store.prune({ swapsBeforeTs: keptSince, minuteRowsBeforeTs: 0 })).toBeGreaterThan(
      0,
    )
    await market.refresh()
    // A pool of which nothing was deleted is complete.
    const quiet = listOfPool(quietPool)
    const all = { ...whole, toTs: tsOf(blocks) }
    const page = await pageOf(quiet, market, all)
    expect(page).toMatchObject({ complete: true, next: null })
    expect(page.items.map(placeOf)).toEqual(expectedOf(quiet, all))
    const early = await pageOf(quiet, market, { ...whole, toTs: keptSince - 1 })
    expect(early).toMatchObject({ items: [], complete: true })
    for (const list of lists) {
      const gone = { ok: false, fault: { kind: 'history-pruned', keptSince } }
      expect(await list.read(market, { ...whole, toTs: keptSince - 1 })).toEqual(gone)
      expect(await list.read(market, { ...whole, cursor, order: 'asc' })).toEqual(gone)
      expect(await pageOf(list, market, whole)).toHaveProperty('complete', false)
      const since = { ...whole, fromTs: keptSince, toTs: tsOf(blocks - 100) }
      expect(await pageOf(list, market, since)).toHaveProperty('complete', true)
      const items = await readAll(list, market, { ...since, limit: 1000 })
      expect(items.map(placeOf)).toEqual(expectedOf(list, since))
    }
    // The record of a block whose last swap was deleted is not known either.
    const id = pools[0]?.id ?? '0x'
    const [first] = swaps.filter(({ pool, ts }) => pool === 1 && ts >= keptSince)
    expect(await market.poolAt(id, '24h', { block: 990 })).toEqual({
      ok: false,
      fault: { kind: 'history-pruned', keptSince: first?.ts },
    })
  })
})
