import { parseAbi, toEventSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRpc, type Rpc, toHex } from '../../sandbox/chain/rpc.ts'
import type { Transaction } from '../../sandbox/chain/sender.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { changeCall, choosePools, tradeCall } from '../history/acts.ts'
import { type House, openHouse, type StoreKind, storeKinds } from '../history/house.ts'
import { eventually, sleep } from '../service/api.ts'
import type { ChainEvent, LiquidityMoved, Place, Swapped } from '../service/numbers/events.ts'
import { approx, token1PerToken0 } from '../service/numbers/exact.ts'
import { createReplay, principalOf, tickRowsOf } from '../service/numbers/replay.ts'
import { checkOrderBooks, checkPairs, checkTickers, checkTrades } from './coingecko.ts'
import { createIndexer, type FeedEvent, type Indexer } from './indexer.ts'

/*
 * Two indexers follow a chain of 2,000 blocks with reorganisations, one through each store:
 *
 *   past ── trades ── other blocks ──►  trades ── other blocks ──► … ── settled
 *
 * What they have rebuilt at the end is what the chain's logs say, and what the API's rows say.
 */

const rounds = 3
const blocksPerRound = 700

let house: House
let rpc: Rpc
const indexers = new Map<StoreKind, Indexer>()
/** The first block that was mined while the indexers ran. */
let firstMined = 0

/** Blocks with trades and changes of liquidity. */
const drawBlocks = (seed: number): readonly (readonly Transaction[])[] => {
  const { manifest } = house
  const pools = choosePools(manifest, 'NVDA')
  return Array.from({ length: 4 }, (_, block) => [
    ...pools.flatMap((pool, at) => {
      const from = manifest.accounts.traders[at]
      const call = tradeCall(manifest, pool, (seed + block + at) % 3 === 0)
      return from === undefined ? [] : [{ from, call }]
    }),
    ...pools.map((pool, at) => ({
      from: manifest.accounts.provider,
      call: changeCall(manifest, pool, (seed + block + at) % 3 === 1 ? 'trim' : 'add'),
    })),
  ])
}

/** Mines blocks that are indexed, and replaces some of them before they are final. */
const mineRound = async (seed: number): Promise<void> => {
  const head = await house.headBlock()
  const sent = await house.mineBlocks(drawBlocks(seed))
  await house.untilIndexed()
  await house.replaceFrom(head + 2, seed % 2 === 0 ? [] : [sent.slice(1).flat()])
  await house.mineBlocks(drawBlocks(seed + 7))
  await rpc.call('anvil_mine', toHex(blocksPerRound), '0x0')
}

/** Until the indexers have read all of it. */
const mineAll = async (): Promise<void> => {
  for (let round = 0; round < rounds; round++) await mineRound(round)
  const last = await house.headBlock()
  await rpc.call('anvil_mine', toHex(100), '0x0')
  const isRead = () => [...indexers.values()].every(({ newest }) => newest() >= last)
  await eventually(isRead, Boolean, { waitMs: 50 })
}

const follow = async (indexer: Indexer, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await indexer.catchUp()
    await sleep(20)
  }
}

type Swaps = { readonly items: readonly { readonly trader: string | null }[] }

const untilTraded = async (kind: StoreKind): Promise<void> => {
  const read = () => house.apiOf(kind).read<Swaps>('/api/v1/swaps?limit=50')
  await eventually(read, ({ items }) => items.every(({ trader }) => trader !== null))
}

beforeAll(async () => {
  house = await openHouse()
  rpc = createRpc(house.manifest.urls.node)
  await house.untilIndexed()
  for (const kind of storeKinds) {
    indexers.set(kind, createIndexer(house.apiOf(kind), { blocksPerRequest: 100 }))
  }
  for (const kind of storeKinds) await untilTraded(kind)
  firstMined = (await house.headBlock()) + 1
  const stop = new AbortController()
  const following = [...indexers.values()].map((indexer) => follow(indexer, stop.signal))
  // An indexer that halts ends the wait.
  await Promise.race([mineAll(), ...following]).finally(() => stop.abort())
  await Promise.all(following)
})
afterAll(() => house?.close())

const indexerOf = (kind: StoreKind): Indexer => indexers.get(kind) as Indexer

describe.each(storeKinds)('%s', (kind) => {
  test('an indexer reads 2,000 blocks with reorganisations and never halts', async () => {
    const { newest, events, pairs, checkPairs } = indexerOf(kind)
    expect(newest() - firstMined).toBeGreaterThan(2_000)
    expect(events.length).toBeGreaterThan(500)
    expect(pairs.size).toBeGreaterThan(20)
    await checkPairs()
  })

  test('blocks that are not settled, or too many at once, are refused', async () => {
    const api = house.apiOf(kind)
    const newest = indexerOf(kind).newest()
    const ask = async (fromBlock: number, toBlock: number) => {
      const path = `/integrations/dexscreener/events?fromBlock=${fromBlock}&toBlock=${toBlock}`
      const { status, text } = await api.ask(path)
      return [status, status === 200 ? null : JSON.parse(text).error.code]
    }
    expect(await ask(newest, newest)).toEqual([200, null])
    expect(await ask(newest, newest + 500)).toEqual([404, 'block_not_settled'])
    expect(await ask(newest, newest - 1)).toEqual([400, 'invalid_parameter'])
    expect(await ask(0, 10_000)).toEqual([400, 'invalid_parameter'])
  })
})

test('both stores say the same, but for makers that were not read yet', () => {
  const lines = (kind: StoreKind) =>
    indexerOf(kind)
      .events.filter(({ block }) => block.blockNumber <= indexerOf('SQLite').newest())
      .filter(({ block }) => block.blockNumber <= indexerOf('PostgreSQL').newest())
      .map(({ maker, block, ...event }) => ({
        ...{ ...event, block },
        ...(block.blockNumber >= firstMined ? { maker } : {}),
      }))
  expect(lines('SQLite')).toEqual(lines('PostgreSQL'))
})

type Logged = Place & (Swapped | LiquidityMoved)

const keyOf = ({ txHash, logIndex }: Logged): string => `${txHash} ${logIndex}`
const keyOfEvent = ({ txnId, eventIndex }: FeedEvent): string => `${txnId} ${eventIndex}`

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

const range = 'int24 indexed tickLower, int24 indexed tickUpper'
const paid = 'uint128 amount, uint256 amount0, uint256 amount1'
const amountLogs = parseAbi([
  `event Mint(address sender, address indexed owner, ${range}, ${paid})`,
  `event Burn(address indexed owner, ${range}, ${paid})`,
])

/** The two last words of `Mint` and `Burn` of v3: what was taken or paid. */
const readPaidAmounts = async (to: number) => {
  const logs = await house.chain.logs(
    amountLogs.map((event) => toEventSelector(event)),
    { from: 0, to },
  )
  return new Map<string, { amount0: bigint | undefined; amount1: bigint | undefined }>(
    logs.map(({ transactionHash, logIndex, data }) => {
      const words = data.slice(2).match(/.{64}/g) ?? []
      const [amount0, amount1] = words.slice(-2).map((word) => BigInt(`0x${word}`))
      return [`${transactionHash.toLowerCase()} ${Number(logIndex)}`, { amount0, amount1 }] as const
    }),
  )
}

const isMovement = (event: ChainEvent): event is Logged =>
  event.kind === 'liquidity' ? event.delta !== 0n : event.kind === 'swapped'

/** One asset in and the other out. */
const isTrade = ({ amount0, amount1 }: Swapped): boolean =>
  (amount0 > 0n && amount1 < 0n) || (amount0 < 0n && amount1 > 0n)

describe('against the logs of the chain', () => {
  let chainEvents: readonly ChainEvent[]
  let reported: ReadonlyMap<string, FeedEvent>
  let decimals: ReadonlyMap<string, number>
  let rows: ReadonlyMap<string, PoolView>
  let senders: ReadonlyMap<string, { readonly from: string; readonly index: number }>
  beforeAll(async () => {
    const { newest, events } = indexerOf('SQLite')
    chainEvents = (await house.readEvents(newest())).filter(({ block }) => block <= newest())
    reported = new Map(events.map((event) => [keyOfEvent(event), event]))
    decimals = new Map(
      house.manifest.tokens.flatMap(({ address, decimals: own }) =>
        own === null ? [] : [[address.toLowerCase(), own]],
      ),
    )
    const pools = await house.apiOf('SQLite').readAll<PoolView>('/api/v1/pools')
    // Without decimals amounts have no size.
    const isSized = ({ token0, token1 }: PoolView) => decimals.has(token0) && decimals.has(token1)
    rows = new Map(pools.filter(isSized).map((row) => [row.id, row]))
    const hashes = [...new Set(events.map(({ txnId }) => txnId))]
    senders = new Map(
      await Promise.all(
        hashes.map(async (hash) => {
          const sent = await house.chain.request<{ from: string; transactionIndex: string }>(
            'eth_getTransactionByHash',
            [hash],
          )
          return [hash, { from: sent.from, index: Number(sent.transactionIndex) }] as const
        }),
      ),
    )
  })

  const movements = () => chainEvents.filter(isMovement).filter(({ pool }) => rows.has(pool))

  test('every swap and every change of liquidity is reported once, and nothing else', () => {
    const expected = movements().filter((log) => log.kind === 'liquidity' || isTrade(log))
    const keys = new Set(expected.map(keyOf))
    expect([...reported.keys()].filter((key) => !keys.has(key))).toEqual([])
    const missing = expected.filter((log) => !reported.has(keyOf(log)))
    expect(missing.filter(({ kind }) => kind === 'swapped')).toEqual([])
    // Less than a unit of either token.
    expect(missing.length).toBeLessThan(expected.length / 100)
  })

  const raw = (text: string | undefined, pool: string, at: 0 | 1): bigint => {
    const row = rows.get(pool)
    const places = decimals.get((at === 0 ? row?.token0 : row?.token1) ?? '') ?? 18
    const [whole = '', fraction = ''] = (text ?? '').split('.')
    return BigInt(whole + (places === 0 ? '' : fraction.padEnd(places, '0')))
  }

  test('amounts, places, makers and prices of swaps are those of the log', () => {
    const swaps = movements().filter((log) => log.kind === 'swapped' && isTrade(log))
    expect(swaps.length).toBeGreaterThan(200)
    for (const log of swaps as (Place & Swapped)[]) {
      const event = reported.get(keyOf(log)) as FeedEvent
      const { pool } = log
      const amount0 = raw(event.asset0In ?? event.asset0Out, pool, 0)
      const amount1 = raw(event.asset1In ?? event.asset1Out, pool, 1)
      expect([amount0, amount1]).toEqual([magnitude(log.amount0), magnitude(log.amount1)])
      expect(event.asset0In !== undefined).toBe(log.amount0 > 0n)
      expect(event.block).toEqual({ blockNumber: log.block, blockTimestamp: log.ts })
      const sent = senders.get(log.txHash)
      expect(event.txnIndex).toBe(sent?.index)
      const makers = log.block >= firstMined ? [sent?.from] : [sent?.from, log.sender]
      expect(makers).toContain(event.maker)
      const row = rows.get(pool)
      const [decimals0 = 18, decimals1 = 18] = [row?.token0, row?.token1].map((token) =>
        decimals.get(token ?? ''),
      )
      const { top, bottom } = token1PerToken0(log.sqrtPriceX96, decimals0, decimals1)
      const places = 10n ** 50n
      const [whole = '', fraction = ''] = (event.priceNative ?? '').split('.')
      expect(BigInt(whole + fraction.padEnd(50, '0'))).toBe((top * places) / bottom)
    }
  })

  test('amounts of v3 positions are those that Mint and Burn name', async () => {
    const named = await readPaidAmounts(indexerOf('SQLite').newest())
    const traded = new Set<string>()
    let exact = 0
    for (const log of movements()) {
      if (log.kind === 'swapped') traded.add(log.pool)
      const event = reported.get(keyOf(log))
      const amounts = named.get(keyOf(log))
      if (log.kind === 'swapped' || event === undefined || amounts === undefined) continue
      const own = [raw(event.amount0, log.pool, 0), raw(event.amount1, log.pool, 1)]
      const logged = [amounts.amount0 ?? 0n, amounts.amount1 ?? 0n]
      expect(event.eventType).toBe(log.delta > 0n ? 'join' : 'exit')
      if (traded.has(log.pool)) {
        exact += 1
        expect(own, JSON.stringify(event)).toEqual(logged)
      } else {
        // The price of then is derived from the first swap: an approximation.
        for (const at of [0, 1]) {
          const error = Number(magnitude((own[at] ?? 0n) - (logged[at] ?? 0n)))
          expect(error).toBeLessThanOrEqual(2 + 1e-3 * Number(logged[at]))
        }
      }
    }
    expect(exact).toBeGreaterThan(10)
  })

  test('reserves after each event are what all positions hold', () => {
    const replay = createReplay()
    const traded = new Set<string>()
    let compared = 0
    for (const log of chainEvents) {
      replay.apply(log)
      if (log.kind === 'swapped') traded.add(log.pool)
      const pool = isMovement(log) ? replay.pools.get(log.pool) : undefined
      const event = isMovement(log) ? reported.get(keyOf(log)) : undefined
      if (pool === undefined || event === undefined || !isMovement(log)) continue
      const { reserves } = event
      if (reserves === undefined) {
        const { reserveSource } = rows.get(log.pool) ?? {}
        const isFirst = log.kind === 'liquidity' && !traded.has(log.pool)
        expect(isFirst || reserveSource !== 'ticks', JSON.stringify(event)).toBe(true)
        continue
      }
      compared += 1
      const own = [raw(reserves.asset0, log.pool, 0), raw(reserves.asset1, log.pool, 1)]
      const slack = tickRowsOf(pool).length + 1
      for (const [at, expected] of principalOf(pool).entries()) {
        const error = Math.abs(Number(own[at]) - approx(expected))
        expect(error).toBeLessThanOrEqual(slack + 1e-9 * approx(expected))
      }
    }
    expect(compared).toBeGreaterThan(400)
  })

  test('what an indexer holds of each pool at the end is the row of the API', () => {
    let compared = 0
    for (const [id, [held0, held1]] of indexerOf('SQLite').held) {
      const row = rows.get(id)
      if (row?.reserveSource !== 'ticks') continue
      compared += 1
      const whole = [held0, held1].map((value) => Number(value) / 1e50)
      const served = row.stockIsToken0
        ? [row.stockReserve, row.otherReserve]
        : [row.otherReserve, row.stockReserve]
      for (const at of [0, 1]) {
        const [own = 0, other] = [whole[at], served[at] ?? 0]
        expect(Math.abs(own - other)).toBeLessThanOrEqual(1e-15 * Math.max(own, other))
      }
    }
    expect(compared).toBeGreaterThan(20)
  })
})

describe("CoinGecko's endpoints say what the API says of the same pools", () => {
  test.each(storeKinds)('%s', async (kind) => {
    const api = house.apiOf(kind)
    const pairs = await checkPairs(api)
    expect(pairs.length).toBeGreaterThan(10)
    expect(await checkTrades(api, pairs)).toBeGreaterThan(50)
  })

  test('prices and orders are those of swap quotes', async () => {
    const api = house.apiOf('SQLite')
    expect(await checkTickers(api)).toBeGreaterThan(20)
    expect(await checkOrderBooks(api, await checkPairs(api))).toBeGreaterThan(20)
  })
})
