import type { Venues } from '../../domain/dex/venue.ts'
import { venueNameOf } from '../../domain/dex/venue-name.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import type { StockView } from '../../domain/views/stock.ts'
import type { PoolsQuery } from '../market.ts'
import type { ListedPool } from '../model/model-pool.ts'
import { normalizeText, textEnd } from '../model/token-index.ts'
import type { PoolRow } from '../valuation/pool-rows.ts'

/** Digits of a prefix key: shorter prefixes match by accident and are not searched. */
const prefixDigits = 4

/** The first digits after `0x` as a number. */
export const hexPrefixKey = (hex: string): number =>
  Number.parseInt(hex.slice(2, 2 + prefixDigits), 16)

const hexPrefix = new RegExp(`^(?:0x)?([0-9a-f]{${prefixDigits},64})$`)

/** Returns a text as prefix of an id or address, with `0x`; null if it cannot be one. */
export const hexPrefixOf = (q: string): string | null => {
  const digits = hexPrefix.exec(q.toLowerCase())?.[1]
  return digits === undefined ? null : `0x${digits}`
}

/** Whether one of the pool's token texts contains the text. */
export const nameContains = (q: string): ((pool: ListedPool) => boolean) => {
  const text = normalizeText(q)
  if (text.includes(textEnd)) return () => false
  return ({ token0, token1 }) => token0.text.includes(text) || token1.text.includes(text)
}

/** Whether the pool's id or a token address starts with the prefix. */
export const idStartsWith =
  (prefix: string) =>
  ({ id, token0, token1 }: ListedPool): boolean =>
    [id, token0.address, token1.address].some((hex) => hex.startsWith(prefix))

/** Whether the pool matches a search text (docs/api.md). */
const matchesSearch = (q: string): ((pool: ListedPool) => boolean) => {
  const [hasName, prefix] = [nameContains(q), hexPrefixOf(q)]
  if (prefix === null) return hasName
  const hasPrefix = idStartsWith(prefix)
  return (pool) => hasName(pool) || hasPrefix(pool)
}

type Predicate = (row: PoolRow) => boolean

const hasTicker =
  (ticker: string): Predicate =>
  ({ shared: { stock, otherStock } }) =>
    stock.symbol.toUpperCase() === ticker || otherStock?.symbol.toUpperCase() === ticker

/** Whether the pool's venue has the name, in letters of either case. */
export const isOfVenue = (
  pool: Pick<PoolIdentity, 'venue' | 'protocol'>,
  name: string,
  venues: Venues,
): boolean => venueNameOf(pool, venues).toLowerCase() === name

/** Builds the predicates of a query; none if it selects all pools. */
export const buildPredicates = (
  query: Omit<PoolsQuery, 'limit' | 'offset'>,
  venues: Venues,
): readonly Predicate[] => {
  const { symbol, q, kind, version, venue, active, hot, comparable } = query
  const { minLiquidityUsd, minDepthUsd } = query
  const isFound = q === null ? null : matchesSearch(q)
  const predicates: (Predicate | null)[] = [
    symbol === null ? null : hasTicker(symbol),
    isFound && (({ pool }) => isFound(pool)),
    kind === null ? null : (row) => row.pool.classification.kind === kind,
    version === null ? null : (row) => row.pool.parameters.version === version,
    venue === null ? null : (row) => isOfVenue(row.pool.parameters, venue, venues),
    active === null ? null : (row) => row.active === active,
    hot === null ? null : (row) => row.hot === hot,
    comparable === null ? null : (row) => row.comparable === comparable,
    minLiquidityUsd === null
      ? null
      : (row) => row.liquidityUsd !== null && row.liquidityUsd >= minLiquidityUsd,
    minDepthUsd === null ? null : (row) => row.depthUsd !== null && row.depthUsd >= minDepthUsd,
  ]
  return predicates.filter((predicate) => predicate !== null)
}

/** Finds stocks whose symbol or name contains the text, or whose address starts with it. */
export const searchStocks = (
  stocks: readonly StockView[],
  q: string | null,
): readonly StockView[] => {
  if (q === null) return stocks
  const text = normalizeText(q)
  const prefix = hexPrefixOf(q)
  return stocks.filter(
    ({ symbol, name, address }) =>
      normalizeText(symbol).includes(text) ||
      normalizeText(name).includes(text) ||
      (prefix !== null && address.startsWith(prefix)),
  )
}
