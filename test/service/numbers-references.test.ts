import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/view/pool-view.ts'
import type { HealthView } from '../../src/domain/view/service-view.ts'
import type { StockDetailView, StockView } from '../../src/domain/view/stock-view.ts'
import { eventually } from './api.ts'
import { readStocks, type ToldStock } from './numbers/contracts.ts'
import type { Answered, Place } from './numbers/events.ts'
import { atOneMoment, type Moment, openService } from './numbers/moment.ts'
import { type Replayed, replayAll } from './numbers/replay.ts'

/*
 * Where the dollars come from: the issuer's quotes, the feeds' answers and the tokens' multipliers
 * against their publishers, and every dollar figure of every pool recomputed from them by
 * docs/methodology.md §3, §4 and §6.
 */

const service = openService()
afterAll(() => service.stored.close())

type Answer = Place & Answered

type Facts = {
  readonly moment: Moment
  /** As of a block after the moment's: feeds are read at the head. */
  readonly answers: readonly Answer[]
  readonly told: ReadonlyMap<Address, ToldStock>
  readonly replayed: ReadonlyMap<string, Replayed>
}

let facts: Facts

beforeAll(async () => {
  const { chain, manifest } = service
  const addresses = manifest.tokens.flatMap(({ role, address }) =>
    role === 'stock' ? [address] : [],
  )
  const { moment, found } = await atOneMoment(service, async ({ block }) => {
    const told = await readStocks(chain, addresses, block)
    const events = await service.events.upTo(await chain.head())
    const answers = events.filter((event): event is Answer => event.kind === 'answered')
    const replayed = replayAll(events.filter((event) => event.block <= block))
    return { told, answers, replayed }
  })
  facts = { moment, ...found }
})

/** A double's rounding, a few times over. */
const nearly = (actual: number | null, expected: number, tolerance = 1e-12): boolean =>
  actual !== null && Math.abs(actual - expected) <= tolerance * Math.abs(expected)

const expectNearly = (actual: number | null, expected: number, of: string): void => {
  expect(nearly(actual, expected), `${of}: ${actual} is not ${expected}`).toBe(true)
}

const stockOf = (address: Address): StockView => {
  const stock = facts.moment.stocks.find((each) => each.address === address)
  if (stock === undefined) throw new Error(`${address} is no stock of the API`)
  return stock
}

type IssuerQuote = { readonly bid: number; readonly ask: number; readonly halted: boolean }

/** What the issuer has published, by contract and second. */
const createIssuerBook = () => {
  const book = new Map<string, IssuerQuote>()
  const nameOf = (address: string, ts: number | null): string => `${address.toLowerCase()}@${ts}`
  return {
    read: async (): Promise<void> => {
      const answer = await fetch(`${service.manifest.urls.issuer}/prices`)
      const { quotes } = (await answer.json()) as {
        quotes: {
          deployments: { contractAddress: string }[]
          bid: string
          ask: string
          isTradingHalt: boolean
          generatedAt: string
        }[]
      }
      for (const { deployments, bid, ask, isTradingHalt, generatedAt } of quotes) {
        const ts = Math.floor(Date.parse(`${generatedAt.slice(0, 19)}Z`) / 1000)
        const quote = { bid: Number(bid), ask: Number(ask), halted: isTradingHalt }
        for (const { contractAddress } of deployments) book.set(nameOf(contractAddress, ts), quote)
      }
    },
    at: (address: Address, ts: number | null) => book.get(nameOf(address, ts)),
  }
}

describe('the quotes of stocks', () => {
  test('are what the issuer published at their time', async () => {
    const book = createIssuerBook()
    const stocks = await eventually(
      async () => {
        await book.read()
        return service.api.readAll<StockView>('/api/v1/stocks')
      },
      (rows) => rows.every((row) => book.at(row.address, row.quoteTs) !== undefined),
    )
    expect(stocks).toHaveLength(facts.told.size)
    for (const row of stocks) {
      const quote = book.at(row.address, row.quoteTs) as IssuerQuote
      expect(row).toMatchObject({
        ...{ quoteSource: 'issuer', quoteBid: quote.bid, quoteAsk: quote.ask },
        ...{ tradingHalt: quote.halted, dataStatus: 'fresh' },
      })
      expectNearly(row.quoteUsd, (quote.bid + quote.ask) / 2, row.symbol)
    }
  }, 60_000)

  test('are of one share: a token is worth as many as its contract says', () => {
    const seen = new Set<string | null>()
    for (const row of facts.moment.stocks) {
      const { multiplier, announced, effectiveTs, oraclePaused } = facts.told.get(
        row.address,
      ) as ToldStock
      expect(row.oraclePaused, row.symbol).toBe(oraclePaused)
      // The contract switches by its block's clock, the service by its own.
      if (Math.abs(effectiveTs - facts.moment.health.ts) < 15) continue
      const text = String(multiplier).padStart(19, '0')
      expect(row.multiplier).toBe(`${text.slice(0, -18)}.${text.slice(-18)}`)
      expectNearly(row.tokenUsd, ((row.quoteUsd ?? 0) * Number(multiplier)) / 1e18, row.symbol)
      const isPending = effectiveTs > facts.moment.ts && announced !== multiplier
      expect(row.pendingMultiplier !== null, row.symbol).toBe(isPending)
      expect(row.statusReasons.includes('multiplier_pending')).toBe(isPending)
      if (effectiveTs > 0) expect(row.multiplierEffectiveTs).toBe(effectiveTs)
      seen.add(row.multiplier)
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['4.000000000000000000', '1.021500000000000000']),
    )
  })

  test('say what is wrong with a stock', () => {
    for (const [role, reason] of [
      ['oracle-paused', 'oracle_paused'],
      ['halted', 'trading_halt'],
    ] as const) {
      const { id } = service.manifest.pools.find(({ roles }) => roles.includes(role)) ?? {}
      const pool = facts.moment.pools.find((row) => row.id === id) as PoolView
      expect(pool.statusReasons, role).toContain(reason)
      expect(pool.comparable).toBe(false)
      expect(stockOf(pool.stockAddress).statusReasons).toContain(reason)
    }
  })
})

/** Feeds are read every five seconds; a machine with other work may be late. */
const feedLagSecondsMax = 30
const answerScale = 1e8

/** The answers of a token's feed that may be the latest that the service knows. */
const answersInForce = (aggregator: Address): readonly Answer[] => {
  const own = facts.answers.filter((answer) => answer.aggregator === aggregator.toLowerCase())
  const sinceTs = facts.moment.health.ts - feedLagSecondsMax
  const first = own.findLastIndex((answer) => answer.updatedTs <= sinceTs)
  return own.slice(Math.max(0, first))
}

const aggregatorOf = (key: string): Address => {
  const { aggregator } = service.manifest.tokens.find((token) => token.key === key) ?? {}
  if (aggregator == null) throw new Error(`${key} has no feed`)
  return aggregator
}

const usdInForce = (key: string): readonly number[] =>
  answersInForce(aggregatorOf(key)).map(({ answer }) => Number(answer) / answerScale)

describe('the answers of feeds', () => {
  test('are those that the aggregators logged, and stocks without a feed have none', () => {
    const { tokens } = service.manifest
    for (const row of facts.moment.stocks) {
      const token = tokens.find(({ address }) => address === row.address)
      const { oracleUsd, oracleTs } = row
      if (token?.aggregator == null) {
        expect({ oracleUsd, oracleTs }).toEqual({ oracleUsd: null, oracleTs: null })
        continue
      }
      const inForce = answersInForce(token.aggregator).map(({ answer, updatedTs }) => ({
        oracleUsd: Number(answer) / answerScale,
        oracleTs: updatedTs,
      }))
      expect(inForce, row.symbol).toContainEqual({ oracleUsd, oracleTs })
    }
  })

  test('price ether and the dollar', () => {
    expect(usdInForce('ETH')).toContain(facts.moment.health.ethUsd)
    const usdByKey = { USDG: usdInForce('USDG'), WETH: usdInForce('ETH'), ETH: usdInForce('ETH') }
    for (const [key, usd] of Object.entries(usdByKey)) {
      const { address } = service.manifest.tokens.find((token) => token.key === key) ?? {}
      const against = facts.moment.pools.filter(
        (row) => row.kind === 'canonical' && row.otherAddress === address,
      )
      expect(against.length).toBeGreaterThanOrEqual(3)
      for (const row of against) expect(usd, row.id).toContain(row.otherPriceUsd)
      expect(new Set(against.map((row) => row.otherPriceUsd)).size).toBe(1)
    }
  })
})

/** What a token of the stock is worth, by the fresh quotes that the sandbox always has. */
const refUsdOf = (address: Address): number => {
  const { tokenUsd, quoteTs } = stockOf(address)
  const age = facts.moment.health.ts - (quoteTs ?? 0)
  if (tokenUsd === null || age > 45) throw new Error(`${address} has no fresh quote`)
  return tokenUsd
}

/** The newest price from outside: what drift is measured by. */
const lastOutsideUsdOf = (address: Address): number => {
  const { tokenUsd, quoteTs, oracleUsd, oracleTs } = stockOf(address)
  const isOracleNewer = (oracleTs ?? 0) > (quoteTs ?? 0)
  return (isOracleNewer ? oracleUsd : tokenUsd) ?? Number.NaN
}

const inSessionOf = (row: PoolView): boolean => stockOf(row.stockAddress).marketSession !== 'closed'

describe('the dollar prices of a pool', () => {
  test('canonical: the stock is worth what the other token is, times the price', () => {
    for (const row of facts.moment.pools.filter(({ kind }) => kind === 'canonical')) {
      const { stockPriceInOther: price, otherPriceUsd } = row
      if (price === null) expect(row.stockPriceUsd).toBeNull()
      else expectNearly(row.stockPriceUsd, price * (otherPriceUsd ?? 0), row.id)
    }
  })

  test('meme: the stock is worth its reference, the meme what follows from it', () => {
    for (const row of facts.moment.pools.filter(({ kind }) => kind === 'meme')) {
      const { stockPriceInOther: price } = row
      const usd = refUsdOf(row.stockAddress)
      expectNearly(row.stockPriceUsd, usd, row.id)
      if (price === null) expect(row.otherPriceUsd).toBeNull()
      else expectNearly(row.otherPriceUsd, usd / price, row.id)
    }
  })

  test('stock-stock: the other stock is worth its reference, the first what follows', () => {
    const rows = facts.moment.pools.filter(({ kind }) => kind === 'stock-stock')
    expect(rows.length).toBeGreaterThanOrEqual(5)
    for (const row of rows) {
      const usd = refUsdOf(row.otherAddress)
      expectNearly(row.otherPriceUsd, usd, row.id)
      expectNearly(row.stockPriceUsd, (row.stockPriceInOther ?? 0) * usd, row.id)
    }
  })

  test('premium in session, drift against the last price off it, neither beyond 50 %', () => {
    for (const row of facts.moment.pools) {
      const isOpen = inSessionOf(row)
      const base = (isOpen ? refUsdOf : lastOutsideUsdOf)(row.stockAddress)
      const bps = row.stockPriceUsd === null ? null : 10_000 * (row.stockPriceUsd / base - 1)
      const isTold = row.kind !== 'meme' && bps !== null && Math.abs(bps) <= 5000
      const [told, untold] = isOpen
        ? [row.premiumBps, row.driftBps]
        : [row.driftBps, row.premiumBps]
      expect(untold, row.id).toBeNull()
      if (!isTold) expect(told, row.id).toBeNull()
      else expect(told, row.id).toBeCloseTo(bps, 6)
      const isImplausible = row.kind !== 'meme' && bps !== null && Math.abs(bps) > 5000
      expect(row.statusReasons.includes('premium_implausible'), row.id).toBe(isImplausible)
    }
  })
})

const product = (amount: number | null, usd: number | null): number | null =>
  amount === 0 ? 0 : amount === null || usd === null ? null : amount * usd

describe('the dollars in a pool', () => {
  test('are both sides; of a meme at most as much as of the stock', () => {
    for (const row of facts.moment.pools) {
      const stockUsd = product(row.stockReserve, refUsdOf(row.stockAddress))
      const otherUsd = product(row.otherReserve, row.otherPriceUsd)
      const isWorthless = row.kind === 'meme' && stockUsd === 0
      if (isWorthless) expect(row.liquidityUsd, row.id).toBe(0)
      else if (stockUsd === null || otherUsd === null) {
        expect(row.liquidityUsd, row.id).toBeNull()
      } else {
        const capped = row.kind === 'meme' ? Math.min(otherUsd, stockUsd) : otherUsd
        expectNearly(row.liquidityUsd, stockUsd + capped, row.id)
      }
    }
  })
})

const weekSeconds = 7 * 86_400
const daySeconds = 86_400

/** Low bits of a hook's address: it may change deltas (v4-core Hooks.sol). */
const changesDeltas = (hooks: string | null): boolean =>
  hooks !== null && (Number.parseInt(hooks.slice(-1), 16) & 0b1111) !== 0

/** A swap that meets nobody ends one step before TickMath's bounds. */
const isInside = ({ sqrtPriceX96 }: PoolView): boolean => {
  const price = BigInt(sqrtPriceX96 ?? 0)
  return (
    price > 4_295_128_740n &&
    price < 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n
  )
}

/** Two young references more than 5 % apart. */
const isInConflict = ({ tokenUsd, quoteTs, oracleUsd, oracleTs }: StockView): boolean => {
  const sinceTs = facts.moment.health.ts - 3600
  if (tokenUsd === null || oracleUsd === null) return false
  const areYoung = (quoteTs ?? 0) > sinceTs && (oracleTs ?? 0) > sinceTs
  return areYoung && Math.abs(tokenUsd / oracleUsd - 1) > 0.05
}

describe('active and comparable', () => {
  test('active: a price inside the range, liquidity around it, and a swap or a birth', () => {
    const { ts } = facts.moment
    for (const row of facts.moment.pools) {
      const createdTs = facts.replayed.get(row.id)?.created.ts ?? 0
      const isAlive = ts - (row.lastSwapTs ?? 0) <= weekSeconds || ts - createdTs <= daySeconds
      const isActive = isInside(row) && BigInt(row.liquidity ?? 0) > 0n && isAlive
      expect(row.active, row.id).toBe(isActive)
    }
    expect(facts.moment.pools.some((row) => row.active)).toBe(true)
    expect(facts.moment.pools.some((row) => !row.active)).toBe(true)
  })

  test('comparable: by the definition, from what the rows themselves say', () => {
    for (const row of facts.moment.pools) {
      const other = row.kind === 'stock-stock' ? [stockOf(row.otherAddress)] : []
      const stocks = [stockOf(row.stockAddress), ...other]
      const isQuiet = stocks.every(
        (stock) =>
          stock.tradingHalt === false &&
          stock.oraclePaused === false &&
          stock.pendingMultiplier === null &&
          stock.marketSession !== 'closed' &&
          !isInConflict(stock),
      )
      const isComparable =
        row.kind !== 'meme' &&
        row.active &&
        row.dataStatus === 'fresh' &&
        isQuiet &&
        (row.otherReserve ?? 0) * (row.otherPriceUsd ?? 0) >= 10_000 &&
        row.reserveSource === 'ticks' &&
        !changesDeltas(row.hooks) &&
        row.premiumBps !== null
      expect(row.comparable, row.id).toBe(isComparable)
    }
    const isOpen = facts.moment.stocks.some(({ marketSession }) => marketSession !== 'closed')
    expect(facts.moment.pools.some(({ comparable }) => comparable)).toBe(isOpen)
  })
})

test('the health reply counts the rows of the list', async () => {
  const countsOf = (pools: readonly PoolView[]) => {
    const count = (matches: (row: PoolView) => boolean): number => pools.filter(matches).length
    return {
      total: pools.length,
      active: count((row) => row.active),
      hot: count((row) => row.hot),
      v3: count((row) => row.version === 'v3'),
      v4: count((row) => row.version === 'v4'),
      meme: count((row) => row.kind === 'meme'),
      canonical: count((row) => row.kind === 'canonical'),
    }
  }
  const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  // The list moves between two requests: one pair of replies of the same moment is enough.
  await eventually(
    async () => {
      const pools = await service.api.readAll<PoolView>('/api/v1/pools')
      const health = await service.api.read<HealthView>('/api/v1/health')
      return { counted: countsOf(pools), told: health.pools }
    },
    ({ counted, told }) => isEqual(counted, told),
  )
}, 60_000)

const sumOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

test('a stock sums up its pools, and its best one speaks for it', async () => {
  for (const { symbol } of facts.moment.stocks) {
    const { stock, pools } = await service.api.read<StockDetailView>(`/api/v1/stocks/${symbol}`)
    const count = (matches: (row: PoolView) => boolean): number => pools.filter(matches).length
    expect(stock.pools).toEqual({
      total: pools.length,
      active: count((row) => row.active),
      canonical: count((row) => row.kind === 'canonical'),
      meme: count((row) => row.kind === 'meme'),
      stockStock: count((row) => row.kind === 'stock-stock'),
    })
    if (pools.length > 0) {
      expectNearly(stock.liquidityUsd, sumOf(pools.map((row) => row.liquidityUsd)), symbol)
      expectNearly(stock.vol24hUsd, sumOf(pools.map((row) => row.vol24hUsd)), symbol)
    }
    const candidates = pools.filter((row) => row.kind === 'canonical' && row.active)
    const best = candidates.sort((a, b) => (b.liquidityUsd ?? -1) - (a.liquidityUsd ?? -1))[0]
    expect(stock).toMatchObject({
      bestPoolId: best?.id ?? null,
      poolPriceUsd: best?.stockPriceUsd ?? null,
      premiumBps: best?.premiumBps ?? null,
      driftBps: best?.driftBps ?? null,
    })
  }
})
