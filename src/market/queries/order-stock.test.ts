import { expect, test } from 'vitest'
import { tickMapOf } from '../../../test/support/domain/quoted-pool.ts'
import {
  addressOf,
  keyOf,
  noon,
  oracleOf,
  tokens,
} from '../../../test/support/domain/sample-inputs.ts'
import { standardWith } from '../../../test/support/domain/sample-standard.ts'
import {
  followedMarket,
  marketOver,
  poolOf,
  quotesAt,
  sampleStore,
} from '../../../test/support/market/sample-market.ts'
import { listTicks } from '../../domain/pool/tick-map.ts'
import type { StockOrder } from '../../domain/swap/quote-stock.ts'
import { orderPoolsMax } from '../../domain/swap/stock-pools.ts'
import type { StoredPool } from '../../ports/store-batches.ts'

/** Permits `beforeSwap`, and `beforeSwap` with its delta. */
const swapHook = addressOf(0x80)
const deltaHook = addressOf(0x88)
const key = { symbol: 'NVDA' }
const order: StockOrder = { side: 'sell', amount: { whole: { digits: 1n, decimals: 0 } } }

const first = poolOf(1)
const ticksOf = ({ number, liquidity }: StoredPool) =>
  listTicks(tickMapOf([[-260_040, -199_980, liquidity]])).map((tick) => ({ pool: number, ...tick }))

const storeWith = (...pools: readonly StoredPool[]) => {
  const store = sampleStore()
  store.write({ pools, ticks: [first, ...pools].flatMap(ticksOf) })
  return store
}

const v4 = (number: number, hooks: `0x${string}` | null, rest: Partial<StoredPool> = {}) =>
  poolOf(number, {
    version: 'v4',
    key: keyOf({ hooks }),
    fees: { lpFee: 3000, protocolFee: 0, block: 1 },
    ...rest,
  })

const answerOf = async (market: Awaited<ReturnType<typeof followedMarket>>['market']) => {
  const answer = await market.stockQuote(key, order)
  if (!answer?.ok) throw new Error('no answer')
  return answer.value
}

test('an order goes to all pools against trusted tokens, as of the row of the stock', async () => {
  const { market } = await followedMarket(storeWith(poolOf(7)))
  const { quote, excluded, reasons, assumptions, ...origin } = await answerOf(market)
  expect(quote?.legs.map(({ poolId }) => poolId).sort()).toEqual([first.id, poolOf(7).id])
  expect([excluded, reasons, assumptions]).toEqual([[], [], []])
  const row = (await market.stock(key, '1h'))?.stock
  expect(origin).toEqual({
    asOfBlock: 1000,
    stateTs: noon - 2,
    dataStatus: row?.dataStatus,
    statusReasons: row?.statusReasons,
  })
  expect(quote?.midPriceUsd).toBe(row?.poolPriceUsd)
  const depth = await market.stockDepth(key)
  expect(depth).toMatchObject({ ...origin, reasons: [], excluded: [] })
  expect(depth?.depth?.midPriceUsd).toBe(quote?.midPriceUsd)
  expect(depth?.depth?.topPoolShare).toBeCloseTo(0.5, 6)
})

test('an unknown stock has none', async () => {
  const { market } = await followedMarket()
  expect(await market.stockQuote({ symbol: 'NONE' }, order)).toBeNull()
  expect(await market.stockDepth({ symbol: 'NONE' })).toBeNull()
})

test('pools that may not do what the maps say are named with the reason', async () => {
  const pools = [
    v4(7, swapHook),
    v4(8, deltaHook),
    v4(9, null, { fees: null }),
    poolOf(10, { mapFault: 'index_gap', reserves: null, depth: null }),
    poolOf(11, { mapFault: 'reserve_short', reserves: null, depth: null }),
    poolOf(12, { key: keyOf({ token1: tokens.weth }) }),
    poolOf(13, { price: null }),
  ]
  const store = storeWith(...pools)
  const stale = quotesAt(noon - 1).filter(({ address }) => address !== tokens.weth)
  store.write({ quotes: [...stale, oracleOf(4000, { address: tokens.weth, publishedTs: 0 })] })
  const { market } = await followedMarket(store)
  const { quote, excluded } = await answerOf(market)
  expect(quote?.legs.map(({ poolId }) => poolId)).toEqual([first.id])
  const reasons = Object.fromEntries(excluded.map(({ poolId, reason }) => [poolId, reason]))
  expect(reasons).toMatchObject({
    [poolOf(7).id]: 'hook_unreviewed',
    [poolOf(8).id]: 'hook_custom_accounting',
    [poolOf(9).id]: 'fee_unknown',
    [poolOf(10).id]: 'index_gap',
    [poolOf(11).id]: 'reserve_short',
  })
  expect(['quote_old', 'usd_price_missing']).toContain(reasons[poolOf(12).id])
  expect(reasons).not.toHaveProperty([poolOf(13).id])
})

test('pools of a rebasing stock give no quotes, no depth and no part in orders', async () => {
  const store = storeWith()
  const standardOf = () => standardWith({ rebasing: true })
  const { market } = marketOver(store, { standardOf })
  await market.refresh()
  const { quote, reasons, excluded } = await answerOf(market)
  expect([quote, reasons]).toEqual([null, ['no_usable_pool']])
  expect(excluded).toEqual([{ poolId: first.id, reason: 'reserve_rebasing' }])
  expect(await market.stockDepth(key)).toMatchObject({ depth: null })
  const amount = { of: 'stock', raw: 10n ** 18n } as const
  const ofPool = await market.quote(first.id, { side: 'sell', amount })
  expect(ofPool?.ok && ofPool.value).toMatchObject({ quote: null, reasons: ['reserve_rebasing'] })
  expect(await market.depth(first.id, 'none')).toMatchObject({ depth: null })
})

test('an old state has no quote, and an old quote of the stock has one', async () => {
  const { market, clock, store } = await followedMarket(storeWith())
  store.write({ quotes: quotesAt(noon - 200).filter(({ address }) => address === tokens.nvda) })
  await market.refresh()
  const old = await answerOf(market)
  expect(old.statusReasons).toContain('quote_old')
  expect(old.quote?.filled).toBe(true)
  clock.ts += 60
  const { quote, reasons, excluded } = await answerOf(market)
  expect([quote, reasons]).toEqual([null, ['no_usable_pool']])
  expect(excluded).toEqual([{ poolId: first.id, reason: 'state_old' }])
})

test('the deepest pools take part, however many there are', async () => {
  const depthOf = (number: number) => ({ amount0: 10n ** 18n, amount1: BigInt(number) * 10n ** 6n })
  const pools = Array.from({ length: orderPoolsMax + 60 }, (_, index) =>
    poolOf(100 + index, { depth: depthOf(100 + index) }),
  )
  const { market } = await followedMarket(storeWith(...pools))
  const { quote, excluded } = await answerOf(market)
  expect(quote?.legs).toHaveLength(orderPoolsMax)
  expect(excluded).toHaveLength(50)
  expect(new Set(excluded.map(({ reason }) => reason))).toEqual(new Set(['pool_limit']))
  const used = quote?.legs.map(({ poolId }) => poolId) ?? []
  expect(used).toContain(pools.at(-1)?.id)
  expect(used).not.toContain(pools[0]?.id)
})

test('the store is read once per change of a pool', async () => {
  const { market, store, clock } = await followedMarket(storeWith(poolOf(7)))
  const before = store.snapshots()
  for (let time = 0; time < 3; time++) {
    clock.ts += 1
    await answerOf(market)
    await market.stockDepth(key)
  }
  expect(store.snapshots()).toBe(before + 1)
})
