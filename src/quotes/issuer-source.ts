import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PublishedQuote, QuoteRefusal } from '../domain/price/quote.ts'
import type { Address, UnixSeconds } from '../domain/units.ts'
import { fetchJson, malformedResponse } from '../net/fetch-json.ts'
import type { HttpClient } from '../net/http-client.ts'
import { isRecord, type JsonRecord, readAddress } from '../net/json.ts'
import { createRequestBudget } from '../net/request-budget.ts'
import type { QuoteRequest, QuoteSource, RejectedQuote, SourceFault } from '../ports/sources.ts'
import { createRoundRobin } from '../util/round-robin.ts'
import { checkPublishedTs, readBidAsk } from './bid-ask.ts'
import { parseRfc3339 } from './rfc3339.ts'

/*
 * The issuer's quotes of the underlying shares: GET {url}/prices for all, {url}/prices/NVDA for one
 * (docs.robinhood.com/chain, stock token APIs). Prices are per share, without the multiplier.
 */

/** Requests for symbols that the bulk response lacks; the API allows about five rapid calls. */
const singlesPerReadMax = 3
const singlesPerMinuteMax = 20

/** The symbol becomes part of the path, so no other characters are allowed. */
const symbolPattern = /^[A-Za-z0-9.-]{1,16}$/

type Rows = { readonly quotes: Map<Address, PublishedQuote>; readonly refused: RejectedQuote[] }

const isOfChain = (chainId: unknown, wanted: number): boolean =>
  chainId === wanted || chainId === String(wanted)

/** The requested token of a row, identified by its contract and never by its symbol. */
const findToken = (
  row: JsonRecord,
  chainId: number,
  wanted: ReadonlyMap<Address, QuoteRequest>,
): QuoteRequest | undefined => {
  const deployments = Array.isArray(row.deployments) ? row.deployments : []
  for (const deployment of deployments) {
    if (!isRecord(deployment) || !isOfChain(deployment.chainId, chainId)) continue
    const address = readAddress(deployment.contractAddress)
    const token = address === null ? undefined : wanted.get(address)
    if (token !== undefined) return token
  }
  return undefined
}

const readQuote = (
  row: JsonRecord,
  address: Address,
  now: UnixSeconds,
): Outcome<PublishedQuote, QuoteRefusal> => {
  if (row.currency !== 'USD') return failure('currency-not-usd')
  // Encoders may omit false values.
  const { isTradingHalt = false, generatedAt } = row
  if (typeof isTradingHalt !== 'boolean') return failure('halt-malformed')
  const sides = readBidAsk(row.bid, row.ask)
  if (!sides.ok) return sides
  const generatedTs = typeof generatedAt === 'string' ? parseRfc3339(generatedAt) : null
  if (generatedTs === null) return failure('time-malformed')
  const publishedTs = checkPublishedTs(generatedTs, now)
  if (!publishedTs.ok) return publishedTs
  return success({
    address,
    source: 'issuer',
    per: 'share',
    ...sides.value,
    last: null,
    publishedTs: publishedTs.value,
    fetchedTs: now,
    halted: isTradingHalt,
    haltTs: publishedTs.value,
    lapse: null,
  })
}

/** Of two rows for one token the later one is used. */
const keepLatest = (quotes: Map<Address, PublishedQuote>, quote: PublishedQuote): void => {
  const before = quotes.get(quote.address)
  if (before === undefined || quote.publishedTs > before.publishedTs) {
    quotes.set(quote.address, quote)
  }
}

type Deps = {
  /** Without a trailing slash, such as `https://api.example/rhj`. */
  readonly url: string
  readonly chainId: number
  readonly httpClient: HttpClient
}

const createReader = ({ url, chainId, httpClient }: Deps) => {
  /** Adds the quotes of `/prices…` for the requested tokens. */
  return async (
    path: string,
    wanted: ReadonlyMap<Address, QuoteRequest>,
    now: UnixSeconds,
    into: Rows,
  ): Promise<SourceFault | null> => {
    const json = await fetchJson(httpClient, `${url}${path}`)
    if (!json.ok) return json.fault
    const rows = isRecord(json.value) ? json.value.quotes : null
    if (!Array.isArray(rows)) return malformedResponse(url, 'response without a list of quotes')
    for (const row of rows) {
      if (!isRecord(row)) continue
      const token = findToken(row, chainId, wanted)
      if (token === undefined) continue
      const quote = readQuote(row, token.address, now)
      if (quote.ok) keepLatest(into.quotes, quote.value)
      else into.refused.push({ address: token.address, symbol: token.symbol, reason: quote.fault })
    }
    return null
  }
}

export const createIssuerSource = (deps: Deps): QuoteSource => {
  const read = createReader(deps)
  const select = createRoundRobin()
  const budget = createRequestBudget(singlesPerMinuteMax)

  /** Rejected rows are not missing: a request for one symbol would return the same row. */
  const missingFrom = (rows: Rows, wanted: readonly QuoteRequest[]): readonly QuoteRequest[] => {
    const refused = new Set(rows.refused.map(({ address }) => address))
    return wanted.filter(
      ({ address, symbol }) =>
        !rows.quotes.has(address) && !refused.has(address) && symbolPattern.test(symbol),
    )
  }

  return {
    id: 'issuer',
    read: async (tokens, now) => {
      const wanted = tokens.filter((token) => token.isStock)
      const byAddress = new Map(wanted.map((token) => [token.address, token]))
      const rows: Rows = { quotes: new Map(), refused: [] }
      const fault = await read('/prices', byAddress, now, rows)
      if (fault !== null) return failure(fault)
      const missing = missingFrom(rows, wanted)
      const count = budget.spend(Math.min(singlesPerReadMax, missing.length), now)
      const singles = await Promise.all(
        select(missing, count).map((token) => {
          const path = `/prices/${encodeURIComponent(token.symbol)}`
          return read(path, new Map([[token.address, token]]), now, rows)
        }),
      )
      // Faults of single requests do not invalidate the bulk response.
      if (singles.some((single) => single?.kind === 'rate-limited')) budget.pause(now)
      const quotes = [...rows.quotes.values()]
      return success({ quotes, refused: rows.refused, expected: wanted.length })
    },
  }
}
