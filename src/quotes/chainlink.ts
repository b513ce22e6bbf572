import { amountToApprox } from '../domain/math/pool-price.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PublishedQuote, QuoteRefusal } from '../domain/price/quote.ts'
import { readDecimals } from '../domain/token/metadata.ts'
import type { Address, Hex, UnixSeconds } from '../domain/units.ts'
import {
  type CallResult,
  type ChainReader,
  isUnanswered,
  type RpcFault,
} from '../ports/chain-reader.ts'
import type {
  QuoteBatch,
  QuoteRequest,
  QuoteSource,
  RejectedQuote,
  SourceFault,
} from '../ports/sources.ts'
import { checkPublishedTs } from './bid-ask.ts'

/** AggregatorV3Interface (Chainlink contracts, shared/interfaces/AggregatorV3Interface.sol). */
const latestRoundDataSelector = '0xfeaf968c'
const decimalsSelector = '0x313ce567'

/** (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound) */
const roundPattern = /^0x(?:[0-9a-f]{64}){5}$/

type Round = {
  readonly roundId: bigint
  readonly answer: bigint
  readonly updatedAt: bigint
  readonly answeredInRound: bigint
}

const readRound = (data: Hex): Round | null => {
  if (!roundPattern.test(data)) return null
  const word = (index: number): bigint => BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`)
  return {
    roundId: word(0),
    answer: BigInt.asIntN(256, word(1)),
    updatedAt: word(3),
    answeredInRound: word(4),
  }
}

type Price = { readonly usd: number; readonly publishedTs: UnixSeconds }

const priceOf = (
  result: CallResult | undefined,
  decimals: number | undefined,
  now: UnixSeconds,
): Outcome<Price, QuoteRefusal> => {
  if (result?.ok !== true) {
    return failure(isUnanswered(result) ? 'feed-unanswered' : 'feed-reverted')
  }
  const round = readRound(result.data)
  if (round === null) return failure('answer-malformed')
  if (decimals === undefined) return failure('decimals-unknown')
  const { answer, answeredInRound, roundId, updatedAt } = round
  if (updatedAt === 0n || answeredInRound < roundId) return failure('round-incomplete')
  if (answer <= 0n) return failure('answer-not-positive')
  const publishedTs = checkPublishedTs(Number(updatedAt), now)
  if (!publishedTs.ok) return publishedTs
  return success({ usd: amountToApprox(answer, decimals), publishedTs: publishedTs.value })
}

const sourceFault = ({ kind, detail }: RpcFault): SourceFault => {
  if (kind === 'rate-limited' || kind === 'malformed') return { kind, detail }
  return { kind: 'unreachable', detail }
}

type TokenWithFeed = QuoteRequest & { readonly feed: Address }

const hasFeed = (token: QuoteRequest): token is TokenWithFeed => token.feed !== null

const noAnswer: CallResult = { ok: false, reason: 'unanswered' }

const quoteOf = (
  { address, feedPer }: QuoteRequest,
  price: Price,
  now: UnixSeconds,
): PublishedQuote => ({
  address,
  source: 'chainlink',
  per: feedPer,
  bid: null,
  ask: null,
  last: price.usd,
  publishedTs: price.publishedTs,
  fetchedTs: now,
  halted: false,
  haltTs: null,
  lapse: null,
})

/**
 * Quotes of on-chain Chainlink feeds. The price is per token, because it already includes the
 * multiplier, unless the network file says otherwise (methodology §3).
 */
export const createChainlinkSource = (deps: {
  readonly chain: Pick<ChainReader, 'callContracts'>
}): QuoteSource => {
  /** Decimals of a feed never change, so they are read once; failed reads are retried. */
  const decimalsByFeed = new Map<Address, number>()

  const readFeeds = async (
    feeds: readonly Address[],
  ): Promise<Outcome<ReadonlyMap<Address, CallResult>, RpcFault>> => {
    const withoutDecimals = feeds.filter((feed) => !decimalsByFeed.has(feed))
    const read = await deps.chain.callContracts(
      [
        ...feeds.map((to) => ({ to, data: latestRoundDataSelector }) as const),
        ...withoutDecimals.map((to) => ({ to, data: decimalsSelector }) as const),
      ],
      'latest',
    )
    if (!read.ok) return read
    const results = read.value.values()
    const rounds = new Map<Address, CallResult>()
    for (const feed of feeds) rounds.set(feed, results.next().value ?? noAnswer)
    for (const feed of withoutDecimals) {
      const decimals = readDecimals(results.next().value ?? noAnswer)
      if (decimals.known) decimalsByFeed.set(feed, decimals.value)
    }
    return success(rounds)
  }

  const quotesOf = (
    tokens: readonly TokenWithFeed[],
    rounds: ReadonlyMap<Address, CallResult>,
    now: UnixSeconds,
  ): Omit<QuoteBatch, 'expected'> => {
    const quotes: PublishedQuote[] = []
    const refused: RejectedQuote[] = []
    for (const token of tokens) {
      const { address, symbol, feed } = token
      const price = priceOf(rounds.get(feed), decimalsByFeed.get(feed), now)
      if (price.ok) quotes.push(quoteOf(token, price.value, now))
      else refused.push({ address, symbol, reason: price.fault })
    }
    return { quotes, refused }
  }

  return {
    id: 'chainlink',
    read: async (wanted, now) => {
      const tokens = wanted.filter(hasFeed)
      const feeds = [...new Set(tokens.map(({ feed }) => feed))]
      if (feeds.length === 0) return success({ quotes: [], refused: [], expected: 0 })
      const rounds = await readFeeds(feeds)
      if (!rounds.ok) return failure(sourceFault(rounds.fault))
      return success({ ...quotesOf(tokens, rounds.value, now), expected: tokens.length })
    },
  }
}
