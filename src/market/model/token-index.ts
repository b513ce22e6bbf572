import type { PoolKey } from '../../domain/pool/pool-event.ts'
import type { TokenRoles } from '../../domain/pool/pool-kind.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { type Reading, unknown } from '../../domain/reading.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { NamedToken, VerifiedName } from '../../domain/token/look-alike.ts'
import type { TrustedToken } from '../../domain/token/trusted-token.ts'
import { type Address, nativeAddress } from '../../domain/units.ts'
import type { StoredToken } from '../../ports/store-batches.ts'
import type { SlicedWork } from '../../util/time-slice.ts'
import { createLookAlikeIndex, type LookAlikeIndex } from './look-alike-index.ts'

/** Ends each text that a token is searched by; cleaned display text never contains it. */
export const textEnd = '\u0000'

/** Normalizes text for comparison: lower case, NFC. */
export const normalizeText = (text: string): string => text.normalize('NFC').toLowerCase()

/** A token as shown and searched: one object for all of its pools, until it changes. */
export type TokenInfo = {
  readonly address: Address
  /** The registered symbol of a trusted token or stock, else the token's own, cleaned. */
  readonly symbol: string | null
  readonly decimals: Reading<number>
  /** Lower-case symbol, own name and, of a stock, registered name, each followed by `textEnd`. */
  readonly text: string
  /** Symbol of the verified token that it imitates; null for nearly all. */
  readonly imitates: string | null
}

/** What is known of tokens by name; may include tokens of later revisions. */
export type TokenNames = Pick<LookAlikeIndex, 'names' | 'addresses'> & {
  /** Undefined for a token that is not in memory. */
  readonly find: (address: Address) => TokenInfo | undefined
}

/** Tokens, stocks, and the pools that hold them. */
export type TokenIndex = {
  readonly roles: TokenRoles
  readonly stocks: ReadonlyMap<Address, Stock>
  readonly infoOf: (address: Address) => TokenInfo
  /** The same for a token that is not held, from its stored row. */
  readonly infoFrom: (address: Address, stored: StoredToken | undefined) => TokenInfo
  /**
   * Whether the stored row of the token is known. That of a stock need not be: the token may be
   * stored before the stock is verified, and that before its first pool.
   */
  readonly isRead: (address: Address) => boolean
  readonly addPool: (number: PoolNumber, key: PoolKey) => void
  readonly numbersWith: (address: Address) => readonly PoolNumber[]
  /** Both return the pools in memory whose token infos or classification may change. */
  readonly applyStocks: (stocks: readonly Stock[]) => readonly PoolNumber[]
  readonly applyTokens: (tokens: readonly StoredToken[]) => readonly PoolNumber[]
  readonly names: TokenNames
  /** After a change of verified names: compares all tokens with them. Null if there is none. */
  readonly applyNames: () => SlicedWork<readonly PoolNumber[]> | null
  /** Sets held tokens in place, before any model refers to them: no pool needs a new listing. */
  readonly fillTokens: (tokens: readonly StoredToken[]) => void
}

const joinTexts = (texts: readonly string[]): string => texts.map((text) => text + textEnd).join('')

const decimalsNotRead = unknown('decimals-not-read')

/** Nearly all tokens have one pool: then no list is allocated. */
type PoolNumbers = PoolNumber | PoolNumber[] | null

/** What the token's contract reports. Holds its pools too, to save a map of a million entries. */
type OwnInfo = TokenInfo & { pools: PoolNumbers }

const unreadInfo = (address: Address): OwnInfo => ({
  address,
  symbol: null,
  decimals: decimalsNotRead,
  text: joinTexts(['', '']),
  imitates: null,
  pools: null,
})

const textOrNull = (reading: Reading<string>): string | null =>
  reading.known ? reading.value : null

/** The name in lower case: memory holds no other. */
export const toNamedToken = ({
  address,
  symbol,
  text,
}: Pick<TokenInfo, 'address' | 'symbol' | 'text'>): NamedToken => {
  const [, name = ''] = text.split(textEnd)
  return { address, symbol, name: name === '' ? null : name }
}

const toOwnInfo = (
  before: OwnInfo,
  stored: StoredToken,
  imitatedBy: LookAlikeIndex['note'],
): OwnInfo => {
  const symbol = textOrNull(stored.symbol)
  const text = joinTexts([symbol ?? '', textOrNull(stored.name) ?? ''].map(normalizeText))
  // Keeps the string that the pools refer to, to hold one copy only.
  const { address, pools } = before
  const imitates = imitatedBy(toNamedToken({ address, symbol, text }))
  return { address, symbol, decimals: stored.decimals, text, imitates, pools }
}

/** Replaces the symbol by a registered one; the token's own name stays searchable. */
const withRegisteredName = (own: TokenInfo, symbol: string, name: string): TokenInfo => {
  const { address, decimals } = own
  const [, ownName = ''] = own.text.split(textEnd)
  const text = joinTexts([normalizeText(symbol), ownName, normalizeText(name)])
  return { address, symbol, decimals, text, imitates: null }
}

const isSameStock = (a: Stock | undefined, b: Stock): boolean =>
  a !== undefined && a.verdict === b.verdict && a.symbol === b.symbol && a.name === b.name

const toList = (pools: PoolNumbers): readonly PoolNumber[] =>
  typeof pools === 'number' ? [pools] : (pools ?? [])

const addPoolNumber = (info: OwnInfo, number: PoolNumber): void => {
  const { pools } = info
  if (pools === null) info.pools = number
  else if (typeof pools === 'number') info.pools = [pools, number]
  else pools.push(number)
}

/** About three milliseconds of work. */
const namesPerSlice = 2000

/** Yields between slices; returns the pools of tokens that imitate another one than before. */
const compareNames = function* (
  own: Map<Address, OwnInfo>,
  { note }: LookAlikeIndex,
): SlicedWork<readonly PoolNumber[]> {
  const affected: PoolNumber[] = []
  let compared = 0
  for (const info of own.values()) {
    compared += 1
    if (compared % namesPerSlice === 0) yield
    const imitates = note(toNamedToken(info))
    if (imitates === info.imitates) continue
    own.set(info.address, { ...info, imitates })
    affected.push(...toList(info.pools))
  }
  return affected
}

export const createTokenIndex = (trustedTokens: readonly TrustedToken[]): TokenIndex => {
  const trusted = new Map(trustedTokens.map(({ address, symbol }) => [address, symbol]))
  const stocks = new Map<Address, Stock>()
  const own = new Map<Address, OwnInfo>()
  /** Overrides `own` for stocks and trusted tokens. */
  const registered = new Map<Address, TokenInfo>()
  const roles: TokenRoles = {
    isStock: (address) => stocks.get(address)?.verdict === 'verified',
    isTrusted: (address) => trusted.has(address),
  }

  const listVerified = (): readonly VerifiedName[] => [
    ...trustedTokens.map(({ address, symbol }) => ({ address, symbol, name: null })),
    ...[...stocks.values()]
      .filter(({ address }) => roles.isStock(address))
      .map(({ address, symbol, name }) => ({ address, symbol, name })),
  ]
  const lookAlikes = createLookAlikeIndex(listVerified)

  const numbersWith = (address: Address): readonly PoolNumber[] =>
    toList(own.get(address)?.pools ?? null)

  const getOwn = (address: Address): OwnInfo => {
    const info = own.get(address) ?? unreadInfo(address)
    own.set(info.address, info)
    return info
  }

  const register = (address: Address): void => {
    const stock = roles.isStock(address) ? stocks.get(address) : undefined
    const named = trusted.get(address) ?? (address === nativeAddress ? 'ETH' : stock?.symbol)
    if (named === undefined) registered.delete(address)
    else registered.set(address, withRegisteredName(getOwn(address), named, stock?.name ?? ''))
  }
  for (const address of [nativeAddress, ...trusted.keys()]) register(address)

  const fill = (token: StoredToken): void => {
    const info = own.get(token.address)
    if (info === undefined) return
    Object.assign(info, toOwnInfo(info, token, lookAlikes.note))
    const before = registered.get(token.address)
    register(token.address)
    const after = registered.get(token.address)
    if (before === undefined || after === undefined) return
    registered.set(token.address, Object.assign(before, after))
  }

  const updateInfo = (address: Address): readonly PoolNumber[] => {
    register(address)
    return numbersWith(address)
  }

  return {
    roles,
    stocks,
    infoOf: (address) => registered.get(address) ?? getOwn(address),
    infoFrom: (address, stored) => {
      const held = registered.get(address) ?? own.get(address)
      if (held !== undefined) return held
      const unread = unreadInfo(address)
      return stored === undefined ? unread : toOwnInfo(unread, stored, lookAlikes.imitatedBy)
    },
    isRead: (address) => (own.get(address)?.decimals ?? decimalsNotRead) !== decimalsNotRead,
    fillTokens: (rows) => {
      for (const token of rows) fill(token)
    },
    addPool: (number, { token0, token1 }) => {
      for (const token of [token0, token1]) addPoolNumber(getOwn(token), number)
    },
    numbersWith,
    names: {
      names: lookAlikes.names,
      addresses: lookAlikes.addresses,
      find: (address) => registered.get(address) ?? own.get(address),
    },
    applyNames: () => (lookAlikes.update() ? compareNames(own, lookAlikes) : null),
    applyStocks: (rows) => {
      const changed = rows.filter((stock) => !isSameStock(stocks.get(stock.address), stock))
      for (const stock of rows) stocks.set(stock.address, stock)
      return changed.flatMap(({ address }) => updateInfo(address))
    },
    applyTokens: (rows) =>
      rows.flatMap((token) => {
        const before = own.get(token.address)
        if (before === undefined) return []
        const info = toOwnInfo(before, token, lookAlikes.note)
        own.set(info.address, info)
        return updateInfo(info.address)
      }),
  }
}
