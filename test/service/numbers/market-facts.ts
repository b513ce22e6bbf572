import type { Address } from 'viem'
import { expect } from 'vitest'
import type { StockView } from '../../../src/domain/views/stock.ts'
import { type ContractStock, readStocks } from './contracts.ts'
import type { Answered, Place } from './events.ts'
import { atOneMoment, type Moment, type Service } from './moment.ts'
import { type Replayed, replayAll } from './replay.ts'

type Answer = Place & Answered

/** What the service says at one moment, and what the publishers of its prices say. */
export type MarketFacts = {
  readonly moment: Moment
  /** As of a block after the moment's: feeds are read at the head. */
  readonly answers: readonly Answer[]
  readonly contractStocks: ReadonlyMap<Address, ContractStock>
  readonly replayed: ReadonlyMap<string, Replayed>
}

export const readMarketFacts = async (service: Service): Promise<MarketFacts> => {
  const { chain, manifest } = service
  const addresses = manifest.tokens.flatMap(({ role, address }) =>
    role === 'stock' ? [address] : [],
  )
  const { moment, found } = await atOneMoment(service, async ({ block }) => {
    const contractStocks = await readStocks(chain, addresses, block)
    const events = await service.events.upTo(await chain.head())
    const answers = events.filter((event): event is Answer => event.kind === 'answered')
    const replayed = replayAll(events.filter((event) => event.block <= block))
    return { contractStocks, answers, replayed }
  })
  return { moment, ...found }
}

/** A double's rounding, a few times over. */
export const nearly = (actual: number | null, expected: number, tolerance = 1e-12): boolean =>
  actual !== null && Math.abs(actual - expected) <= tolerance * Math.abs(expected)

export const expectNearly = (actual: number | null, expected: number, of: string): void => {
  expect(nearly(actual, expected), `${of}: ${actual} is not ${expected}`).toBe(true)
}

export const stockOf = ({ moment }: MarketFacts, address: Address): StockView => {
  const stock = moment.stocks.find((each) => each.address === address)
  if (stock === undefined) throw new Error(`${address} is no stock of the API`)
  return stock
}

export type IssuerQuote = { readonly bid: number; readonly ask: number; readonly halted: boolean }

/** What the issuer has published, by contract and second. */
export const createIssuerBook = (service: Service) => {
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

/** Of chain and issuer beside each other: whole seconds, and a block that is yet to come. */
const feedLagSecondsMax = 5
export const answerScale = 1e8

/**
 * The answers of a token's feed that may be the latest that the service knows beside these quotes:
 * feeds and quotes are read together, which may be a while ago on a machine with other work.
 */
export const answersInForce = (
  { answers }: MarketFacts,
  aggregator: Address,
  quoted: readonly StockView[],
): readonly Answer[] => {
  const own = answers.filter((answer) => answer.aggregator === aggregator.toLowerCase())
  const sinceTs = Math.min(...quoted.map(({ quoteTs }) => quoteTs ?? 0)) - feedLagSecondsMax
  const first = own.findLastIndex((answer) => answer.updatedTs <= sinceTs)
  return own.slice(Math.max(0, first))
}

/** Of the contract's clock, which is its block's, and the service's own. */
const clockGapSecondsMax = 15

/** Whether another multiplier took effect about the time of these readings. */
export const isBeingSplit = (
  { moment, contractStocks }: MarketFacts,
  { address, quoteTs }: StockView,
): boolean => {
  const { effectiveTs } = contractStocks.get(address) as ContractStock
  const sinceTs = Math.min(moment.ts, quoteTs ?? 0) - clockGapSecondsMax
  return effectiveTs > sinceTs && effectiveTs < moment.health.ts + clockGapSecondsMax
}

/** What a token of the stock is worth, by the fresh quotes that the sandbox always has. */
export const refUsdOf = (facts: MarketFacts, address: Address): number => {
  const { tokenUsd, quoteTs } = stockOf(facts, address)
  const age = facts.moment.health.ts - (quoteTs ?? 0)
  if (tokenUsd === null || age > 45) throw new Error(`${address} has no fresh quote`)
  return tokenUsd
}

/** The newest price from outside: what drift is measured by. */
export const lastOutsideUsdOf = (facts: MarketFacts, address: Address): number => {
  const { tokenUsd, quoteTs, oracleUsd, oracleTs } = stockOf(facts, address)
  const isOracleNewer = (oracleTs ?? 0) > (quoteTs ?? 0)
  return (isOracleNewer ? oracleUsd : tokenUsd) ?? Number.NaN
}

/** Two young references more than 5 % apart. */
export const isInConflict = (facts: MarketFacts, stock: StockView): boolean => {
  const { tokenUsd, quoteTs, oracleUsd, oracleTs } = stock
  const sinceTs = facts.moment.health.ts - 3600
  if (tokenUsd === null || oracleUsd === null) return false
  const areYoung = (quoteTs ?? 0) > sinceTs && (oracleTs ?? 0) > sinceTs
  return areYoung && Math.abs(tokenUsd / oracleUsd - 1) > 0.05
}
