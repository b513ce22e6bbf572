import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bundleCalls,
  type CallWorld,
  createTrade,
  trimLiquidity,
} from '../../sandbox/market/calls.ts'
import { sqrtPriceMax, sqrtPriceMin, toSqrtPriceX96 } from '../../sandbox/world/maths.ts'
import type { Pool } from '../../sandbox/world/pool.ts'
import { type PoolSpec, v3, v4 } from '../../sandbox/world/pool-table.ts'
import { microPerUsd, usdMicroMax } from '../../src/domain/pool/stored-rows.ts'
import type { StatusReason } from '../../src/domain/status/data-status.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { eventually } from '../service/api.ts'
import type { Rung } from './attacker.ts'
import { type House, openHouse, type Rows } from './house.ts'

/*
 * The attacks that are cheap to play on a real EVM: Uniswap's own contracts, transactions of the
 * attacker's account, and the service over HTTP.
 *
 *     honest rows ── attacks on AAPL and GME, one after the other ──► the same rows
 */

/** One whose pools are compared while its market is open, and one that is halted. */
const victims = ['AAPL', 'GME'] as const
/** Below the ratio at which a price alone is implausible. */
const times = 1.4
const fortuneUsd = 50_000_000
const flashUsd = 100_000_000_000
const swapUsd = 20_000_000_000

const around = (usd: number): Rung => ({ low: 0.7, high: 1.4, liquidity: { usd } })
const small: Rung = { low: 0.8, high: 1.2, liquidity: { usd: 100 } }
const oneUnit: Rung = { low: 0.9, high: 1.1, liquidity: 1n }
const fortune = 10n ** 20n
const hooked = { hook: 'dynamic-fee' } as const

type Attack = {
  readonly name: string
  readonly spec: (symbol: string) => PoolSpec
  readonly times: number
  readonly rungs: readonly Rung[]
  /** Alone they keep the pool from being comparable. */
  readonly reasons: readonly string[]
}

const flashed = { times: 1, rungs: [small], reasons: ['depth_thin', 'volume_implausible'] }

const attacks = {
  parked: {
    name: 'one unit in range and a fortune far away from the price',
    spec: (symbol) => v3(symbol, 'USDG', 3000, 0),
    times,
    rungs: [
      oneUnit,
      { low: 0.2, high: 0.3, liquidity: fortune },
      { low: 3, high: 5, liquidity: fortune },
    ],
    reasons: ['depth_thin'],
  },
  fee: {
    name: 'a deep pool with a fee of 99 %',
    spec: (symbol) => v4(symbol, 'USDG', [990_000, 60], 0),
    times,
    rungs: [around(fortuneUsd)],
    reasons: ['fee_excessive'],
  },
  hook: {
    name: 'a deep pool with a hook that reverts for everybody else',
    spec: (symbol) => v4(symbol, 'USDG', [3000, 60], 0, hooked),
    times,
    rungs: [around(fortuneUsd)],
    reasons: ['hook_unreviewed'],
  },
  oneSided: {
    name: 'the same with money on one side only',
    spec: (symbol) => v4(symbol, 'USDG', [500, 10], 0, hooked),
    times,
    rungs: [oneUnit, { low: 1.01, high: 1.4, liquidity: fortune }],
    reasons: ['depth_thin', 'hook_unreviewed'],
  },
  flashV3: {
    ...flashed,
    name: 'liquidity and swaps of billions in one transaction, on v3',
    spec: (symbol) => v3(symbol, 'USDG', 100, 0),
  },
  flashV4: {
    ...flashed,
    name: 'liquidity and swaps of billions in one transaction, on v4',
    spec: (symbol) => v4(symbol, 'USDG', [100, 1], 0),
  },
} as const satisfies Readonly<Record<string, Attack>>

/** Reasons of the stock, which its honest pools have too. */
const marketReasons: ReadonlySet<StatusReason> = new Set(['market_closed', 'trading_halt'])

type AttackName = keyof typeof attacks
const attackNames = Object.keys(attacks) as AttackName[]

const stockOf = ({ stocks }: Rows, symbol: string): StockView => stocks.get(symbol) as StockView
const bestOf = (rows: Rows, symbol: string): PoolView =>
  rows.pools.get(stockOf(rows, symbol).bestPoolId ?? '') as PoolView

const isQuoted = ({ stocks }: Rows): boolean =>
  stocks.size > 0 && [...stocks.values()].every(({ quoteTs }) => quoteTs !== null)

/** Without traders only quotes move these, in a minute by a fraction of a percent. */
const poolFields = [
  ...(['stockPriceInOther', 'stockPriceUsd', 'otherPriceUsd', 'stockReserve'] as const),
  ...(['otherReserve', 'liquidityUsd', 'depthUsd', 'vol24hUsd', 'swaps24h'] as const),
] satisfies readonly (keyof PoolView)[]
const stockFields = [
  ...(['quoteUsd', 'tokenUsd', 'poolPriceUsd'] as const),
] satisfies readonly (keyof StockView)[]
const moveMax = 0.01

const isMoved = (before: number | null, after: number | null): boolean =>
  before !== after &&
  !(before !== null && after !== null && Math.abs(after / before - 1) <= moveMax)

/** What of the honest rows is another now. */
const movesOf = (before: Rows, after: Rows): readonly string[] => [
  ...[...before.pools].flatMap(([id, row]) => {
    const now = after.pools.get(id)
    const fields = poolFields.filter((field) => isMoved(row[field], now?.[field] ?? null))
    return fields.map((field) => `${row.stockSymbol} ${id} ${field}: ${row[field]} ${now?.[field]}`)
  }),
  ...[...before.stocks].flatMap(([symbol, row]) => {
    const now = stockOf(after, symbol)
    const fields = stockFields.filter((field) => isMoved(row[field], now[field]))
    const best = row.bestPoolId === now.bestPoolId ? [] : [`${symbol} bestPoolId`]
    return [...best, ...fields.map((field) => `${symbol} ${field}: ${row[field]} ${now[field]}`)]
  }),
]

/** When the index has read so many further blocks, it has valued everything again. */
const blocksAfter = 24

const rowsAfter = (block: number, read: () => Promise<Rows>): Promise<Rows> =>
  eventually(read, (rows) => rows.block >= block + blocksAfter)

/** The rows once they stay the same by themselves. */
const readCalm = async (): Promise<Rows> => {
  let rows = await eventually(house.rows, isQuoted)
  for (;;) {
    const before = rows
    rows = await rowsAfter(before.block, house.rows)
    if (before.pools.size === rows.pools.size && movesOf(before, rows).length === 0) return rows
  }
}

let house: House
/** The rows just before. */
let honest: Rows
/** The last rows of those that were read during the attacks and after them. */
let attacked: Rows
const moves = new Set<string>()
const own = new Map<string, Pool>()
const keyOf = (name: AttackName, symbol: string): string => `${name} ${symbol}`
const ownOf = (name: AttackName, symbol: string): Pool => own.get(keyOf(name, symbol)) as Pool

const look = async (): Promise<Rows> => {
  attacked = await house.rows()
  for (const move of movesOf(honest, attacked)) moves.add(move)
  return attacked
}

/** Mints, swaps there and back, and burns, all in one transaction. */
const flash = (pool: Pool, price: number): Promise<number> => {
  const { world, transact, positionsOf, positionOf } = house.attacker
  const isUsdg0 = pool.token0 === 'USDG'
  const recipient = world.contracts.router
  const amount = -BigInt(swapUsd) * 10n ** 6n
  const limit = isUsdg0 ? sqrtPriceMin + 1n : sqrtPriceMax - 1n
  const rung = around(flashUsd)
  return transact(
    bundleCalls(world, [
      ...positionsOf(pool, price, [rung]),
      createTrade(world, pool, { zeroForOne: isUsdg0, amount, limit, recipient }),
      createTrade(world, pool, {
        ...{ zeroForOne: !isUsdg0, amount: -(10n ** 30n), recipient },
        limit: toSqrtPriceX96(price),
      }),
      trimLiquidity(world, pool, positionOf(pool, price, rung), 10_000n),
    ]),
  )
}

const play = async (symbol: string): Promise<void> => {
  const { openPool, mint } = house.attacker
  await mint(symbol)
  const sqrtPriceX96 = BigInt(bestOf(honest, symbol).sqrtPriceX96 ?? 0)
  for (const name of attackNames) {
    const { spec, ...plan } = attacks[name]
    const { pool, price } = await openPool(spec(symbol), { ...plan, honest: sqrtPriceX96 })
    own.set(keyOf(name, symbol), pool)
    if (name === 'flashV3' || name === 'flashV4') await flash(pool, price)
    await look()
  }
}

beforeAll(async () => {
  house = await openHouse()
  honest = await readCalm()
  await house.attacker.mint('USDG')
  for (const symbol of victims) await play(symbol)
  await rowsAfter(await house.attacker.head(), look)
  const areRead = ({ pools }: Rows): boolean =>
    [...own.values()].every(({ id }) => (pools.get(id)?.enrichedTs ?? null) !== null)
  await eventually(look, areRead)
})
afterAll(() => house?.close())

test('no price of another pool or stock moves by more than a percent', () => {
  expect([...moves]).toEqual([])
})

describe.each(victims)('%s', (symbol) => {
  const named = attackNames.map((key) => ({ key, ...attacks[key] }))
  test.each(named)('$name: not comparable, for its own reason', ({ key, reasons }) => {
    const row = attacked.pools.get(ownOf(key, symbol).id)
    expect(row?.comparable).toBe(false)
    const found = row?.statusReasons.filter((reason) => !marketReasons.has(reason))
    expect(found?.toSorted()).toEqual(reasons)
  })

  test('its price is that of the honest pool, which is not even the deepest', () => {
    const [before, after] = [bestOf(honest, symbol), stockOf(attacked, symbol)]
    expect(after.bestPoolId).toBe(before.id)
    expect(after.poolPriceUsd).toBe(bestOf(attacked, symbol).stockPriceUsd)
    for (const name of ['fee', 'hook'] as const) {
      const row = attacked.pools.get(ownOf(name, symbol).id)
      expect(row?.active).toBe(true)
      expect(row?.depthUsd).toBeGreaterThan(before.depthUsd ?? Number.NaN)
      expect(row?.stockPriceUsd).toBeGreaterThan(1.3 * (before.stockPriceUsd ?? Number.NaN))
    }
  })

  test.each(['parked', 'oneSided'] as const)('there are millions in the pool (%s)', (name) => {
    const row = attacked.pools.get(ownOf(name, symbol).id)
    expect(row?.active).toBe(true)
    expect(row?.liquidityUsd).toBeGreaterThan(1_000_000)
  })

  test('the hook lets the attacker trade, and no other', async () => {
    const { canTrade, world } = house.attacker
    const pool = ownOf('hook', symbol)
    const order = { zeroForOne: true, amount: -1000n, limit: sqrtPriceMin + 1n }
    const tradeIn = ({ contracts }: CallWorld): Promise<boolean> =>
      canTrade(createTrade({ contracts }, pool, { ...order, recipient: contracts.router }))
    expect(await tradeIn(world)).toBe(true)
    expect(await tradeIn(house.manifest)).toBe(false)
  })

  test('the volume of the swaps is a sum, each at the most that a swap counts', () => {
    const pairUsd = (2 * usdMicroMax) / microPerUsd
    for (const name of ['flashV3', 'flashV4'] as const) {
      const row = attacked.pools.get(ownOf(name, symbol).id)
      expect(row?.active).toBe(true)
      expect(row?.swaps24h).toBe(2)
      expect(row?.vol24hUsd).toBeCloseTo(pairUsd, 0)
    }
    const { vol24hUsd } = stockOf(honest, symbol)
    expect(stockOf(attacked, symbol).vol24hUsd).toBeCloseTo(2 * pairUsd + (vol24hUsd ?? 0), 0)
  })
})
