import { type Static, Type } from 'typebox'
import {
  address,
  block,
  decimals,
  hash,
  integer,
  label,
  list,
  nullable,
  object,
  openUrl,
  slug,
  symbol,
  url,
} from './schema-parts.ts'

const trustedQuote = object({ symbol, address, decimals, feed: nullable(address) })
const stockToken = object({ symbol, name: label, address, decimals, feed: nullable(address) })
const screenerKind = Type.Union([Type.Literal('dexscreener'), Type.Literal('geckoterminal')], {
  expected: '"dexscreener" or "geckoterminal"',
})
const finalityTags = [Type.Literal('finalized'), Type.Literal('safe')]

/** The network file, key by key; docs/networks.md tells what each means. */
export const networkFileSchema = object({
  name: slug,
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  rpcUrls: list(url),
  multicall3: nullable(address),
  uniswapV3: list(object({ factory: address, startBlock: block, initCodeHash: nullable(hash) })),
  uniswapV4: list(
    object({ poolManager: address, stateView: nullable(address), startBlock: block }),
  ),
  wrappedNative: address,
  trustedQuotes: list(trustedQuote, 1),
  stocks: object({
    beacon: nullable(address),
    registryUrl: nullable(url),
    tokens: list(stockToken),
  }),
  quoteSources: list(Type.Object({ kind: Type.String({ expected: 'a text' }) })),
  screener: nullable(object({ kind: screenerKind, url, chain: slug })),
  explorerUrl: Type.Optional(nullable(openUrl)),
  finality: Type.Union([...finalityTags, object({ blocks: block })], {
    expected: '"finalized", "safe" or { "blocks": <integer> }',
  }),
  confirmations: Type.Optional(integer(0, 100_000)),
  pollMs: Type.Optional(integer(50, 60_000)),
  historyDays: Type.Optional(integer(2, 3650)),
})

export type NetworkFileJson = Static<typeof networkFileSchema>
