import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { eventually } from './api.ts'
import type { ContractStock } from './numbers/contracts.ts'
import {
  answerScale,
  answersInForce,
  createIssuerBook,
  expectNearly,
  type IssuerQuote,
  isBeingSplit,
  type MarketFacts,
  readMarketFacts,
  stockOf,
} from './numbers/market-facts.ts'
import { openService } from './numbers/moment.ts'

/*
 * Where the dollars come from: the issuer's quotes, the feeds' answers and the tokens' multipliers
 * against their publishers (docs/methodology.md §3).
 */

const service = openService()
afterAll(() => service.stored.close())

let facts: MarketFacts
beforeAll(async () => {
  facts = await readMarketFacts(service)
})

describe('the quotes of stocks', () => {
  test('are what the issuer published at their time', async () => {
    const book = createIssuerBook(service)
    const stocks = await eventually(
      async () => {
        await book.read()
        return service.api.readAll<StockView>('/api/v1/stocks')
      },
      (rows) =>
        rows.every(
          (row) => row.dataStatus === 'fresh' && book.at(row.address, row.quoteTs) !== undefined,
        ),
    )
    expect(stocks).toHaveLength(facts.contractStocks.size)
    for (const row of stocks) {
      const quote = book.at(row.address, row.quoteTs) as IssuerQuote
      expect(row).toMatchObject({
        ...{ quoteSource: 'issuer', quoteBid: quote.bid, quoteAsk: quote.ask },
        ...{ tradingHalt: quote.halted, dataStatus: 'fresh' },
      })
      expectNearly(row.quoteUsd, (quote.bid + quote.ask) / 2, row.symbol)
    }
  })

  test('are of one share: a token is worth as many as its contract says', () => {
    const seen = new Set<string | null>()
    for (const row of facts.moment.stocks) {
      const { multiplier, announced, effectiveTs, oraclePaused } = facts.contractStocks.get(
        row.address,
      ) as ContractStock
      expect(row.oraclePaused, row.symbol).toBe(oraclePaused)
      if (isBeingSplit(facts, row)) continue
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
      expect(stockOf(facts, pool.stockAddress).statusReasons).toContain(reason)
    }
  })
})

const aggregatorOf = (key: string): Address => {
  const { aggregator } = service.manifest.tokens.find((token) => token.key === key) ?? {}
  if (aggregator == null) throw new Error(`${key} has no feed`)
  return aggregator
}

const usdInForce = (key: string): readonly number[] =>
  answersInForce(facts, aggregatorOf(key), facts.moment.stocks).map(
    ({ answer }) => Number(answer) / answerScale,
  )

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
      const latest = answersInForce(facts, token.aggregator, [row])
      const inForce = latest.map(({ answer, updatedTs }) => ({
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
