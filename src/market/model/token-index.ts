import type { PoolKey } from '../../domain/pool/pool-event.ts'
import type { TokenRoles } from '../../domain/pool/pool-kind.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { type Reading, unknown } from '../../domain/reading.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { TrustedToken } from '../../domain/token/trusted-token.ts'
import { type Address, nativeAddress } from '../../domain/units.ts'
import type { StoredToken } from '../../ports/store-batches.ts'

/** Ends each text that a token is searched by. No text that was cleaned for display has it. */
export const textEnd = '\u0000'

/** How texts are compared: without case, composed. */
export const normalizeText = (text: string): string => text.normalize('NFC').toLowerCase()

/** How a token is shown and found: one object for all of its pools, until it changes. */
export type TokenInfo = {
  readonly address: Address
  /** Of a trusted token or a stock the registered one, else the token's own, cleaned. */
  readonly symbol: string | null
  readonly decimals: Reading<number>
  /** Lower-case symbol, own name and, of a stock, registered name, each followed by `textEnd`. */
  readonly text: string
}

/** What is known of tokens, and which pools hold them. */
export type TokenIndex = {
  readonly roles: TokenRoles
  readonly stocks: ReadonlyMap<Address, Stock>
  readonly infoOf: (address: Address) => TokenInfo
  readonly addPool: (number: PoolNumber, key: PoolKey) => void
  readonly numbersWith: (address: Address) => readonly PoolNumber[]
  /** The pools whose labels or sides may have become others; so does the next one. */
  readonly applyStocks: (stocks: readonly Stock[]) => readonly PoolNumber[]
  readonly applyTokens: (tokens: readonly StoredToken[]) => readonly PoolNumber[]
}

const textOf = (texts: readonly string[]): string => texts.map((text) => text + textEnd).join('')

const decimalsNotRead = unknown('decimals-not-read')

/** Nearly all tokens have one pool, which needs no list. */
type Holders = PoolNumber | PoolNumber[] | null

/** The label that a token gives itself; in the same object, as there are many, its pools. */
type OwnInfo = TokenInfo & { holders: Holders }

const unreadInfo = (address: Address): OwnInfo => ({
  address,
  symbol: null,
  decimals: decimalsNotRead,
  text: textOf(['', '']),
  holders: null,
})

const textIn = (reading: Reading<string>): string | null => (reading.known ? reading.value : null)

/** What the token says of itself. */
const toOwnInfo = (before: OwnInfo, { symbol, name, decimals }: StoredToken): OwnInfo => ({
  // Its pools know the address by the text that came first: one of each is enough.
  address: before.address,
  symbol: textIn(symbol),
  decimals,
  text: textOf([textIn(symbol) ?? '', textIn(name) ?? ''].map(normalizeText)),
  holders: before.holders,
})

/** By the name that somebody registered; what it calls itself stays one of its names. */
const renamed = (own: TokenInfo, symbol: string, name: string): TokenInfo => {
  const { address, decimals } = own
  const [, ownName = ''] = own.text.split(textEnd)
  const text = textOf([normalizeText(symbol), ownName, normalizeText(name)])
  return { address, symbol, decimals, text }
}

const isSameListed = (a: Stock | undefined, b: Stock): boolean =>
  a !== undefined && a.verdict === b.verdict && a.symbol === b.symbol && a.name === b.name

const numbersOf = (holders: Holders): readonly PoolNumber[] =>
  typeof holders === 'number' ? [holders] : (holders ?? [])

const addHolder = (label: OwnInfo, number: PoolNumber): void => {
  const { holders } = label
  if (holders === null) label.holders = number
  else if (typeof holders === 'number') label.holders = [holders, number]
  else holders.push(number)
}

export const createTokenIndex = (trustedTokens: readonly TrustedToken[]): TokenIndex => {
  const trusted = new Map(trustedTokens.map(({ address, symbol }) => [address, symbol]))
  const stocks = new Map<Address, Stock>()
  const own = new Map<Address, OwnInfo>()
  /** Of stocks and trusted tokens, in the place of their own. */
  const registered = new Map<Address, TokenInfo>()
  const roles: TokenRoles = {
    isStock: (address) => stocks.get(address)?.verdict === 'verified',
    isTrusted: (address) => trusted.has(address),
  }

  const numbersWith = (address: Address): readonly PoolNumber[] =>
    numbersOf(own.get(address)?.holders ?? null)

  const ownOf = (address: Address): OwnInfo => {
    const label = own.get(address) ?? unreadInfo(address)
    own.set(label.address, label)
    return label
  }

  const register = (address: Address): void => {
    const stock = roles.isStock(address) ? stocks.get(address) : undefined
    const named = trusted.get(address) ?? (address === nativeAddress ? 'ETH' : stock?.symbol)
    if (named === undefined) registered.delete(address)
    else registered.set(address, renamed(ownOf(address), named, stock?.name ?? ''))
  }
  for (const address of [nativeAddress, ...trusted.keys()]) register(address)

  const relabelled = (address: Address): readonly PoolNumber[] => {
    register(address)
    return numbersWith(address)
  }

  return {
    roles,
    stocks,
    infoOf: (address) => registered.get(address) ?? ownOf(address),
    addPool: (number, { token0, token1 }) => {
      for (const token of [token0, token1]) addHolder(ownOf(token), number)
    },
    numbersWith,
    applyStocks: (given) => {
      const changed = given.filter((stock) => !isSameListed(stocks.get(stock.address), stock))
      for (const stock of given) stocks.set(stock.address, stock)
      return changed.flatMap(({ address }) => relabelled(address))
    },
    applyTokens: (given) =>
      given.flatMap((token) => {
        const label = toOwnInfo(ownOf(token.address), token)
        own.set(label.address, label)
        return relabelled(label.address)
      }),
  }
}
