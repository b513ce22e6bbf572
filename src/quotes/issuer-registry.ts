import { decimalsMax } from '../domain/math/pool-price.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import { listingNameOf, type StockListing } from '../domain/stock/stock.ts'
import { cleanText } from '../domain/token/clean-text.ts'
import type { Address } from '../domain/units.ts'
import { fetchJson, malformedResponse } from '../net/fetch-json.ts'
import type { HttpClient } from '../net/http-client.ts'
import { isRecord, type JsonRecord, readAddress } from '../net/json.ts'
import type { StockListSource } from '../ports/sources.ts'

/** Name of the company and the issuer. */
const nameCharsMax = 128
/** The form that the API accepts as a filter. */
const symbolPattern = /^[A-Za-z0-9.-]{1,16}$/

const addressOn = (row: JsonRecord, chainId: number): Address | null => {
  const deployments = Array.isArray(row.deployments) ? row.deployments.filter(isRecord) : []
  const here = deployments.find((deployment) => Number(deployment.chainId) === chainId)
  return readAddress(here?.contractAddress)
}

const namesOf = (tokenName: string): Pick<StockListing, 'name' | 'issuer'> | null => {
  const text = cleanText(tokenName, { charsMax: nameCharsMax })
  return text === null ? null : listingNameOf(text)
}

/**
 * A listing of this chain, or null for any other row. `status` is ignored: a stock token stays one
 * when the issuer ends its trading.
 */
const readListing = (row: unknown, chainId: number): StockListing | null => {
  if (!isRecord(row)) return null
  const { tokenSymbol, tokenName, tokenDecimals } = row
  const address = addressOn(row, chainId)
  if (address === null) return null
  if (typeof tokenSymbol !== 'string' || !symbolPattern.test(tokenSymbol)) return null
  const names = typeof tokenName === 'string' ? namesOf(tokenName) : null
  const decimals = typeof tokenDecimals === 'number' ? tokenDecimals : -1
  const hasDecimals = Number.isInteger(decimals) && decimals >= 0 && decimals <= decimalsMax
  if (names === null || !hasDecimals) return null
  return { address, symbol: tokenSymbol, ...names, decimals, feed: null }
}

const readListings = (json: unknown, chainId: number): Outcome<readonly StockListing[], string> => {
  const rows = isRecord(json) ? json.assets : null
  if (!Array.isArray(rows)) return failure('response without a list of assets')
  const byAddress = new Map<Address, StockListing>()
  for (const row of rows) {
    const listing = readListing(row, chainId)
    if (listing !== null && !byAddress.has(listing.address)) byAddress.set(listing.address, listing)
  }
  // A list without any valid listing has another form or belongs to another chain.
  if (rows.length > 0 && byAddress.size === 0) return failure('no asset of this chain')
  return success([...byAddress.values()])
}

/** The issuer's live list, GET {url} such as `/rhj/assets`. Feeds come from the network file. */
export const createIssuerRegistry = (deps: {
  readonly url: string
  readonly chainId: number
  readonly httpClient: HttpClient
}): StockListSource => ({
  read: async () => {
    const json = await fetchJson(deps.httpClient, deps.url)
    if (!json.ok) return json
    const listings = readListings(json.value, deps.chainId)
    return listings.ok ? listings : failure(malformedResponse(deps.url, listings.fault))
  },
})
