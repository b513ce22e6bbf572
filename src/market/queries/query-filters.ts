import type { StockView } from '../../domain/views/stock.ts'
import type { PoolsQuery } from '../market.ts'
import type { ListedPool } from '../model/model-pool.ts'
import { normalizeText, textEnd } from '../model/token-index.ts'
import type { PoolRow } from '../valuation/pool-rows.ts'

/** Hexadecimal digits of a head, the fewest that are searched for. */
const headDigits = 4

/** The first digits after `0x` as a number: comparing it passes over all but a few texts. */
export const hexPrefixKey = (hex: string): number =>
  Number.parseInt(hex.slice(2, 2 + headDigits), 16)

/** Shorter beginnings of an id match by accident. */
const hexPrefix = new RegExp(`^(?:0x)?([0-9a-f]{${headDigits},64})$`)

/** The beginning of an id or address that a text may be, with its `0x`; null if it is none. */
export const hexPrefixOf = (q: string): string | null => {
  const digits = hexPrefix.exec(q.toLowerCase())?.[1]
  return digits === undefined ? null : `0x${digits}`
}

/** Whether a name of the pool contains the text; it is none that runs over the end of one. */
export const nameContains = (q: string): ((pool: ListedPool) => boolean) => {
  const text = normalizeText(q)
  if (text.includes(textEnd)) return () => false
  return ({ token0, token1 }) => token0.text.includes(text) || token1.text.includes(text)
}

/** Whether the pool's id or a token's address begins so. */
export const idStartsWith =
  (prefix: string) =>
  ({ id, token0, token1 }: ListedPool): boolean =>
    [id, token0.address, token1.address].some((hex) => hex.startsWith(prefix))

/** Whether a search for this text means the pool (docs/api.md). */
const isAbout = (q: string): ((pool: ListedPool) => boolean) => {
  const [isName, prefix] = [nameContains(q), hexPrefixOf(q)]
  if (prefix === null) return isName
  const isBegin = idStartsWith(prefix)
  return (pool) => isName(pool) || isBegin(pool)
}

type Test = (row: PoolRow) => boolean

const isOfTicker =
  (ticker: string): Test =>
  ({ shared: { stock, otherStock } }) =>
    stock.symbol.toUpperCase() === ticker || otherStock?.symbol.toUpperCase() === ticker

/** What a list asks of its rows; nothing when everything is wanted. */
export const buildPredicates = (query: Omit<PoolsQuery, 'limit' | 'offset'>): readonly Test[] => {
  const { symbol, q, kind, version, active, hot, comparable, minLiquidityUsd } = query
  const isMeant = q === null ? null : isAbout(q)
  const tests: (Test | null)[] = [
    symbol === null ? null : isOfTicker(symbol),
    isMeant && (({ pool }) => isMeant(pool)),
    kind === null ? null : (row) => row.pool.classification.kind === kind,
    version === null ? null : (row) => row.pool.parameters.version === version,
    active === null ? null : (row) => row.active === active,
    hot === null ? null : (row) => row.hot === hot,
    comparable === null ? null : (row) => row.comparable === comparable,
    minLiquidityUsd === null
      ? null
      : (row) => row.liquidityUsd !== null && row.liquidityUsd >= minLiquidityUsd,
  ]
  return tests.filter((test) => test !== null)
}

/** Stocks whose symbol or name contains the text, or whose address begins with it. */
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
