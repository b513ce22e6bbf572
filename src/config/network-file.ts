import { getProtocol } from '../domain/dex/find-protocol.ts'
import type { Protocol } from '../domain/dex/protocol.ts'
import { protocols } from '../domain/dex/registry.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { StockProof, StockStandard, Wrapping } from '../domain/stock/stock-standard.ts'
import type { Hex } from '../domain/units.ts'
import type {
  ListedStock,
  ListedVenue,
  Network,
  NetworkFile,
  QuoteSourceTarget,
  ScreenerTarget,
  TrustedQuote,
} from './network.ts'
import { type NetworkFileJson, networkFileSchema } from './network-schema.ts'
import { quoteSourceReaders, readQuoteSources } from './quote-source-file.ts'
import { secretUrl } from './secret-url.ts'
import { validateAgainstSchema } from './validate.ts'

const lower = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`
const lowerOrNull = (text: string | null): Hex | null => (text === null ? null : lower(text))

const toTrustedQuote = (quote: NetworkFileJson['trustedQuotes'][number]): TrustedQuote => ({
  symbol: quote.symbol,
  address: lower(quote.address),
  decimals: quote.decimals,
  feed: lowerOrNull(quote.feed),
})

type StocksJson = NetworkFileJson['stocks']

type StandardJson = Partial<StocksJson['tokens'][number]>

/** Null unless the asset is another stock of the list, and no wrapper (`findWrapperFault`). */
const toWrapping = (tokens: StocksJson['tokens'], own: StandardJson): Wrapping | null => {
  const address = own.asset === undefined ? null : lower(own.asset)
  const asset = tokens.find((token) => lower(token.address) === address)
  if (asset === undefined || asset.proof === 'erc4626' || own.decimals === undefined) return null
  return {
    asset: lower(asset.address),
    decimals: own.decimals,
    assetDecimals: asset.decimals,
  }
}

const findWrapperFault = ({ tokens }: StocksJson): string | null => {
  for (const [at, token] of tokens.entries()) {
    const path = `stocks.tokens[${at}]`
    if (token.proof !== 'erc4626') {
      if (token.asset === undefined) continue
      return `${path}.asset: only a token with the proof "erc4626" has one`
    }
    if (toWrapping(tokens, token) === null) {
      return `${path}.asset: expected the address of another stock token here, which is no wrapper`
    }
    if (token.feed !== null)
      return `${path}.feed: expected null, as a wrapper is priced by its asset`
  }
  return null
}

/** The schema has checked the name of the proof. */
const toStandard = (stocks: StocksJson, own: StandardJson): StockStandard => {
  const proof = (own.proof ?? stocks.proof ?? 'beacon') as StockProof
  const { feedIncludes = stocks.feedIncludes } = own
  return {
    proof,
    beacon: proof === 'beacon' ? lowerOrNull(stocks.beacon) : null,
    feedPer: feedIncludes === null ? 'share' : 'token',
    wraps: proof === 'erc4626' ? toWrapping(stocks.tokens, own) : null,
    rebasing: own.rebasing ?? false,
  }
}

const toListedStock = (token: StocksJson['tokens'][number], stocks: StocksJson): ListedStock => ({
  ...toTrustedQuote(token),
  name: token.name,
  standard: toStandard(stocks, token),
})

const toScreener = (screener: NetworkFileJson['screener']): ScreenerTarget | null =>
  screener === null ? null : { ...screener, url: secretUrl(screener.url) }

const toExplorerUrl = (url: string | null): string | null =>
  url === null ? null : new URL(url).href.replace(/\/+$/, '')

/** The schema has checked that a venue has the keys of its protocol. */
type VenueJson = {
  readonly [addressKey: string]: string | number | null | undefined
  readonly startBlock: number
  readonly name?: string
}

const toVenues = (
  json: NetworkFileJson,
  { id: protocol, name: protocolName, emitter, network: { key, addressKey, takes } }: Protocol,
): readonly ListedVenue[] => {
  const lists = json as { readonly [key: string]: unknown }
  const rows = (lists[key] ?? []) as readonly VenueJson[]
  const answersItself = emitter === 'singleton' && !takes.includes('stateView')
  return rows.map((row, place) => {
    const hexAt = (name: string): Hex | null => lowerOrNull((row[name] ?? null) as string | null)
    return {
      path: `${key}[${place}]`,
      address: lower(String(row[addressKey])),
      protocol,
      name: row.name ?? protocolName,
      startBlock: row.startBlock,
      initCodeHash: hexAt('initCodeHash'),
      poolDeployer: hexAt('poolDeployer'),
      poolImplementation: hexAt('poolImplementation'),
      stateView: answersItself ? lower(String(row[addressKey])) : hexAt('stateView'),
    }
  })
}

const toNetwork = (json: NetworkFileJson, quoteSources: readonly QuoteSourceTarget[]): Network => ({
  name: json.name,
  chainId: json.chainId,
  multicall3: lowerOrNull(json.multicall3),
  venues: protocols.flatMap((protocol) => toVenues(json, protocol)),
  reviewedHooks: (json.reviewedHooks ?? []).map(({ address, note }) => ({
    address: lower(address),
    note,
  })),
  wrappedNative: lower(json.wrappedNative),
  trustedQuotes: json.trustedQuotes.map(toTrustedQuote),
  stocks: {
    beacon: lowerOrNull(json.stocks.beacon),
    standard: toStandard(json.stocks, {}),
    registryUrl: json.stocks.registryUrl === null ? null : secretUrl(json.stocks.registryUrl),
    tokens: json.stocks.tokens.map((token) => toListedStock(token, json.stocks)),
  },
  quoteSources,
  screener: toScreener(json.screener),
  traders: json.traders ?? false,
  finality: json.finality,
  explorerUrl: toExplorerUrl(json.explorerUrl ?? null),
})

const places = protocols.map(
  ({ network: { key, noun } }, place) => `a ${noun} ${place === 0 ? 'here' : `in ${key}`}`,
)
const noVenues = `${protocols[0]?.network.key}: expected ${places.join(' or ')}`

type AddressAtPath = readonly [path: string, address: Hex]

const tokensAndVenues = (network: Network): readonly AddressAtPath[] => [
  ...network.trustedQuotes.map((row, i) => [`trustedQuotes[${i}].address`, row.address] as const),
  ...network.stocks.tokens.map((row, i) => [`stocks.tokens[${i}].address`, row.address] as const),
  ...network.venues.map(({ path, address, protocol }) => {
    return [`${path}.${getProtocol(protocol).network.addressKey}`, address] as const
  }),
]

/** A hook may be a token at the same time. */
const reviewedAddresses = ({ reviewedHooks }: Network): readonly AddressAtPath[] =>
  reviewedHooks.map((row, i) => [`reviewedHooks[${i}].address`, row.address])

const findDuplicate = (addresses: readonly AddressAtPath[]): string | null => {
  const pathByAddress = new Map<Hex, string>()
  for (const [path, address] of addresses) {
    const earlier = pathByAddress.get(address)
    if (earlier !== undefined) return `${path}: the same address as ${earlier}`
    pathByAddress.set(address, path)
  }
  return null
}

/** Returns a conflict between valid keys, or null. */
const findConflict = (network: Network): string | null => {
  const duplicate =
    findDuplicate(tokensAndVenues(network)) ?? findDuplicate(reviewedAddresses(network))
  if (duplicate !== null) return duplicate
  if (network.venues.length === 0) return noVenues
  if (network.stocks.tokens.length === 0 && network.stocks.registryUrl === null) {
    return 'stocks: expected tokens or a registryUrl'
  }
  return null
}

/** V8's message quotes the text, which may contain a key: only the position is used. */
const jsonFault = (error: SyntaxError): string => {
  const place = /\(line (\d+) column (\d+)\)/.exec(error.message)
  return place === null ? 'not valid JSON' : `not valid JSON (line ${place[1]}, column ${place[2]})`
}

const parseJson = (text: string): Outcome<unknown, string> => {
  try {
    return success(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return failure(jsonFault(error))
    throw error
  }
}

/**
 * Parses a network file. The fault is one line: the path of the key and what was expected. Relative
 * paths in the file are resolved against `directory`.
 */
export const parseNetworkFile = (text: string, directory: string): Outcome<NetworkFile, string> => {
  const json = parseJson(text)
  if (!json.ok) return json
  const conformed = validateAgainstSchema(networkFileSchema, json.value)
  if (!conformed.ok) return conformed
  const file = conformed.value
  const quoteSources = readQuoteSources(quoteSourceReaders, file.quoteSources, directory)
  if (!quoteSources.ok) return quoteSources
  const network = toNetwork(file, quoteSources.value)
  const fault = findConflict(network) ?? findWrapperFault(file.stocks)
  if (fault !== null) return failure(fault)
  return success({
    network,
    rpcUrls: file.rpcUrls.map(secretUrl),
    confirmations: file.confirmations ?? null,
    pollMs: file.pollMs ?? null,
    historyDays: file.historyDays ?? null,
  })
}
