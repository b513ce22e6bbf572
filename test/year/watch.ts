import type { DeepPool } from '../../src/domain/price/pricing-pools.ts'
import { createReferenceHistory } from '../../src/domain/price/reference-history.ts'
import { policyDefault } from '../../src/domain/status/freshness.ts'
import { dayNumber } from '../../src/domain/stock/new-york-time.ts'
import type { Stock } from '../../src/domain/stock/stock.ts'
import type { Address, Hex } from '../../src/domain/units.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { createEnricher } from '../../src/indexer/enrich/enrich.ts'
import { createReferencePrices } from '../../src/indexer/enrich/reference-prices.ts'
import type { QuoteRequest } from '../../src/ports/sources.ts'
import type { EnrichmentBatch } from '../../src/ports/store-batches.ts'
import { createChainlinkSource } from '../../src/quotes/chainlink.ts'
import { createIssuerSource } from '../../src/quotes/issuer-source.ts'
import { addressOf, stateOf, stockOf, tokens } from '../support/domain/sample-inputs.ts'
import { beaconStandard } from '../support/domain/sample-standard.ts'
import { newYorkInstant } from '../support/domain/sessions.ts'
import { createMemoryStore } from '../support/market/memory-store.ts'
import {
  allTokens,
  anchorAt,
  anyPool,
  marketOver,
  quietLogger,
  samplePools,
  trusted,
} from '../support/market/sample-market.ts'

/*
 *  issuer's text ─┐
 *                 ├─ quote sources ─ enricher ─ store ─ read model ─ rows of the API
 *  feeds' words ──┘
 *
 * Everything between the two ends is the service's own; only the world and the clock are simulated.
 */

/** The instant at which New York's clock shows `2026-09-15 12:00:00`. */
export const newYork = (text: string): number => {
  const [date = '', clock = ''] = text.split(' ')
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number)
  const secondOfDay = hour * 3600 + minute * 60 + second
  return newYorkInstant({ day: dayNumber(year, month, day), secondOfDay })
}

export const iso = (ts: number): string => new Date(ts * 1000).toISOString()

const feeds = { nvda: addressOf(0xfe1), usdg: addressOf(0xfe2) } as const

const wanted: readonly QuoteRequest[] = [
  {
    address: tokens.nvda,
    symbol: 'NVDA',
    isStock: true,
    feedPer: 'token' as const,
    feed: feeds.nvda,
  },
  {
    address: tokens.usdg,
    symbol: 'USDG',
    isStock: false,
    feedPer: 'token' as const,
    feed: feeds.usdg,
  },
]

type Answer = { readonly usd: number; readonly ts: number }

const word = (value: number): string =>
  BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')

/** latestRoundData() and decimals() of a feed with eight decimals, as the chain answers them. */
const feedAnswer = (answer: Answer | null, data: Hex) => {
  if (answer === null) return { ok: false, reason: 'reverted' } as const
  if (data === '0x313ce567') return { ok: true, data: `0x${word(8)}` } as const
  const words = [1, Math.round(answer.usd * 1e8), answer.ts, answer.ts, 1].map(word)
  return { ok: true, data: `0x${words.join('')}` } as const
}

/** What the issuer says of NVDA; each field as its text says it. */
export type IssuerRow = Readonly<Record<string, unknown>>

/** The body of `/prices`; null where the issuer does not answer. */
const bodyOf = (row: IssuerRow): string => {
  const deployments = [{ contractAddress: tokens.nvda, chainId: 4663 }]
  return JSON.stringify({ quotes: [{ tokenSymbol: 'NVDA', deployments, currency: 'USD', ...row }] })
}

/** √102.01 · 10^-6 in Q64.96: 102.01 USDG per NVDA. */
const price = { sqrtPriceX96: (101n << 96n) / 10_000_000n, tick: -230_071 }

/** A service with one stock, NVDA, and its canonical pool, in which it costs 102.01 dollars. */
export const createWatch = () => {
  const store = createMemoryStore()
  const { market, clock, lines } = marketOver(store)
  let stock: Stock = stockOf({ feed: feeds.nvda })
  let body: string | null = null
  let oracle: Answer | null = null
  let deepPools: readonly DeepPool[] = []
  let dollarTs = 0
  let enricherTs = 0
  let indexedTs = 0
  const desk = createReferencePrices({
    policy: policyDefault,
    trusted,
    stocks: () => [stock],
    standardOf: beaconStandard(null),
    stockOf: (address) => (address === stock.address ? stock : undefined),
    stored: [],
  })
  const answerOf = (feed: Address): Answer | null =>
    feed === feeds.usdg ? { usd: 1, ts: dollarTs } : oracle
  const chainlink = createChainlinkSource({
    chain: {
      callContracts: async (calls) => ({
        ok: true,
        value: calls.map(({ to, data }) => feedAnswer(answerOf(to), data)),
      }),
    },
  })
  const issuer = createIssuerSource({
    url: 'https://issuer.example/rhj',
    chainId: 4663,
    httpClient: async () =>
      body === null
        ? { ok: false, fault: { kind: 'unreachable', detail: 'connection failed' } }
        : { ok: true, value: { status: 200, retryAfterSeconds: null, body: [Buffer.from(body)] } },
  })
  const reports: string[] = []
  const { logger } = quietLogger()
  const enricher = createEnricher({
    store: {
      recordEnrichment: async ({ ts, quotes }: EnrichmentBatch) =>
        store.write({ header: { enrichedTs: ts }, quotes }),
    },
    clock: { now: () => enricherTs },
    logger,
    policy: policyDefault,
    report: {
      success: async (lack: string | null) => void reports.push(lack ?? 'ok'),
      failure: async (error: string) => void reports.push(error),
    },
    sources: [issuer, chainlink],
    quoteRequests: () => wanted,
    referencePrices: desk,
    referenceHistory: createReferenceHistory(),
    index: { cursor: () => anchorAt(1000, indexedTs) },
    pricingPools: () => ({
      deepPools: (token: Address) => (token === stock.address ? deepPools : []),
      deepestUsd: () => null,
    }),
    hotPools: { read: async () => [] },
    externalReserves: () => [],
  } as unknown as Parameters<typeof createEnricher>[0])

  store.write({ tokens: allTokens, header: { writerStartedTs: 1 } })

  return {
    lines,
    /** What the last look at the sources brought, in the words of the source row. */
    report: () => reports.at(-1),
    setStock: (rest: Partial<Stock>) => {
      stock = { ...stock, ...rest }
    },
    /** Sets how many pricing pools there are, and what the token costs in them. */
    setPools: (count: number, usd: number) => {
      const pool = { depthUsd: 25_000, samples: [{ value: usd, seconds: 300 }] }
      deepPools = Array.from({ length: count }, () => pool)
    },
    /** Sets what the two publishers answer from now on. */
    publish: (next: {
      readonly issuer?: IssuerRow | string | null
      readonly oracle?: Answer | null
    }) => {
      if (next.issuer !== undefined) {
        body =
          next.issuer === null || typeof next.issuer === 'string'
            ? next.issuer
            : bodyOf(next.issuer)
      }
      if (next.oracle !== undefined) oracle = next.oracle
    },
    /** The writer looks at everything once, at this moment of its clock and of the chain's. */
    look: async (ts: number, chainTs = ts): Promise<void> => {
      enricherTs = ts
      indexedTs = chainTs - 2
      dollarTs = chainTs - 1000
      const lastSwapTs = chainTs - 60
      if (!stock.readFailed) stock = { ...stock, readTs: ts }
      const pool = {
        ...samplePools.canonical,
        ...stateOf({ price, lastSwapTs }),
        createdTs: chainTs - 1e6,
      }
      store.write({
        header: { cursor: anchorAt(1000, indexedTs), head: anchorAt(1020, chainTs) },
        pools: [pool],
        stocks: [stock],
      })
      await enricher.step()
    },
    /** The rows that the API would serve at this moment of its clock. */
    read: async (ts: number): Promise<{ readonly stock: StockView; readonly pool: PoolView }> => {
      clock.ts = ts
      await market.refresh()
      const [stocks, pools] = [await market.stocks(anyPool), await market.pools(anyPool)]
      return { stock: stocks.items[0] as StockView, pool: pools.items[0] as PoolView }
    },
  }
}

export type Watch = ReturnType<typeof createWatch>
