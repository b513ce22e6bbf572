import { type PoolSides, poolSidesOf, type TokenRoles } from '../../domain/pool/kind.ts'
import { type Reading, unknown } from '../../domain/reading.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import { type Address, nativeAddress } from '../../domain/units.ts'
import type { PoolVolume } from '../../domain/valuation/pool-view.ts'
import type { FallbackReserve } from '../../domain/valuation/reserves.ts'
import type { ScreenerFigure } from '../../domain/valuation/screener-check.ts'
import type { StoredPool, StoredToken } from '../../ports/store-rows.ts'

/** What is known of tokens, to name the sides of a pool by. */
export type TokenBook = {
  readonly roles: TokenRoles
  readonly tokens: ReadonlyMap<Address, StoredToken>
  readonly stocks: ReadonlyMap<Address, Stock>
  /** Registered names of trusted tokens. */
  readonly trusted: ReadonlyMap<Address, string>
}

/** What a listed pool is, apart from its state; changes only with what is known of its tokens. */
export type Listing = {
  readonly sides: PoolSides
  readonly stockAddress: Address
  readonly otherAddress: Address
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  readonly otherSymbol: string | null
  /** Lower-case symbols and names of both sides, each followed by `textEnd`. */
  readonly text: string
  /** The heads of the id and of both tokens' addresses. */
  readonly heads: readonly number[]
}

/** A listed pool as of one revision of the store. */
export type PoolEntry = {
  readonly pool: StoredPool
  readonly listing: Listing
  readonly volume: PoolVolume
  readonly fallback: FallbackReserve | null
  readonly screened: ScreenerFigure | null
}

/** Parts the texts of a listing; no text that was cleaned for display contains it. */
export const textEnd = '\u0000'

/** Hexadecimal digits of a head, the fewest that are searched for. */
export const headDigits = 4

/** The first digits after `0x` as a number: comparing it passes over all but a few texts. */
export const headOf = (hex: string): number => Number.parseInt(hex.slice(2, 2 + headDigits), 16)

/** How texts are compared: without case, composed. */
export const searchable = (text: string): string => text.normalize('NFC').toLowerCase()

const decimalsOf = (address: Address, { tokens }: TokenBook): Reading<number> =>
  tokens.get(address)?.decimals ?? unknown('decimals-not-read')

const symbolOf = (address: Address, { trusted, stocks, roles, tokens }: TokenBook) => {
  if (trusted.has(address)) return trusted.get(address) ?? null
  if (address === nativeAddress) return 'ETH'
  if (roles.isStock(address)) return stocks.get(address)?.symbol ?? null
  const symbol = tokens.get(address)?.symbol
  return symbol?.known ? symbol.value : null
}

const namesOf = (address: Address, { tokens, stocks, roles }: TokenBook): readonly string[] => {
  const name = tokens.get(address)?.name
  const registered = roles.isStock(address) ? stocks.get(address)?.name : undefined
  return [name?.known ? name.value : '', registered ?? '']
}

/** Each text once. */
const textOf = (names: readonly string[]): string => {
  const texts: string[] = []
  for (const name of names) {
    const text = searchable(name)
    if (!texts.includes(text)) texts.push(text)
  }
  texts.push('')
  return texts.join(textEnd)
}

/** How a pool is listed; null when it holds no verified stock. */
export const listingOf = (pool: StoredPool, book: TokenBook): Listing | null => {
  const { token0, token1 } = pool.key
  const sides = poolSidesOf(pool.key, book.roles)
  if (sides === null) return null
  const [stockAddress, otherAddress] = sides.stockIsToken0 ? [token0, token1] : [token1, token0]
  const stockSymbol = symbolOf(stockAddress, book) ?? ''
  const otherSymbol = symbolOf(otherAddress, book)
  const names = [...namesOf(stockAddress, book), ...namesOf(otherAddress, book)]
  return {
    sides,
    stockAddress,
    otherAddress,
    decimals0: decimalsOf(token0, book),
    decimals1: decimalsOf(token1, book),
    otherSymbol,
    text: textOf([stockSymbol, otherSymbol ?? '', ...names]),
    heads: [pool.id, token0, token1].map(headOf),
  }
}
