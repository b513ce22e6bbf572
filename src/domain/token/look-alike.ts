import type { Address } from '../units.ts'
import { foldsOf, squash } from './confusables.ts'

/** A token whose identity is sure: a verified stock or a trusted token (methodology §1). */
export type VerifiedName = {
  /** Null of a well-known currency that is no trusted token here. */
  readonly address: Address | null
  readonly symbol: string
  readonly name: string | null
}

export const lookAlikeSigns = [
  'same_symbol',
  'confusable_symbol',
  'same_name',
  'confusable_name',
] as const
/** What gives a look-alike away: equal as typed, or only to the eye. */
export type LookAlikeSign = (typeof lookAlikeSigns)[number]

/** A verified token that another one imitates. */
type Imitation = { readonly of: VerifiedName; readonly signs: readonly LookAlikeSign[] }

/** Currencies whose symbols no other token should have. */
const currencySymbols = ['USDG', 'USDC', 'USDT', 'DAI', 'ETH', 'WETH', 'BTC', 'WBTC']

/** What names of companies end with; a reader may leave it out. */
const ending =
  /(?<=\S) (?:inc|incorporated|corp|corporation|co|company|ltd|limited|plc|holdings?|group|class [a-c]|common stock|stock|shares?|token)$/

const withoutEndings = (name: string): string => {
  const shorter = name.replace(ending, '')
  return shorter === name ? name : withoutEndings(shorter)
}

/** A name as it is typed in full, and without its endings. */
export const nameForms = (name: string): readonly [full: string, short: string] => {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return [squash(words), squash(withoutEndings(words.replace(/^the /, '')))]
}

/** How issuers end the names of their tokens: "NVIDIA • Robinhood Token". */
const issuerWording = / • [^•]{1,60} token$/iu

type Key = { readonly of: VerifiedName; readonly isSymbol: boolean; readonly text: string }

export type VerifiedNames = {
  readonly all: readonly VerifiedName[]
  /** By the fold of a symbol or a name. */
  readonly byFold: ReadonlyMap<string, readonly Key[]>
}

const keysOf = (of: VerifiedName): readonly Key[] => {
  const names = of.name === null ? [] : nameForms(of.name)
  return [
    { of, isSymbol: true, text: squash(of.symbol) },
    ...[...new Set(names)].map((text) => ({ of, isSymbol: false, text })),
  ]
}

export const collectVerifiedNames = (verified: readonly VerifiedName[]): VerifiedNames => {
  const symbols = new Set(verified.map(({ symbol }) => symbol))
  const currencies = currencySymbols
    .filter((symbol) => !symbols.has(symbol))
    .map((symbol) => ({ address: null, symbol, name: null }))
  const byFold = new Map<string, Key[]>()
  for (const key of [...verified, ...currencies].flatMap(keysOf)) {
    for (const fold of foldsOf(key.text)) byFold.set(fold, [...(byFold.get(fold) ?? []), key])
  }
  return { all: verified, byFold }
}

/** The verified symbols and names that a text is, or that it looks like. */
export const findNames = (
  { byFold }: Pick<VerifiedNames, 'byFold'>,
  text: string,
): readonly (Key & { readonly isSame: boolean })[] => {
  const keys = new Set(foldsOf(text).flatMap((fold) => byFold.get(fold) ?? []))
  if (keys.size === 0) return []
  const plain = squash(text)
  return [...keys].map((key) => ({ ...key, isSame: key.text === plain }))
}

/** What a token says of itself. */
export type NamedToken = {
  readonly address: Address
  readonly symbol: string | null
  readonly name: string | null
}

/** The verified tokens that a token imitates, other than itself; none for most. */
export const findImitations = (
  names: Pick<VerifiedNames, 'byFold'>,
  token: NamedToken,
): readonly Imitation[] => {
  const found = new Map<VerifiedName, Set<LookAlikeSign>>()
  const add = (text: string, isOwnSymbol: boolean): void => {
    for (const { of, isSymbol, isSame } of findNames(names, text)) {
      if (of.address === token.address) continue
      const what = isOwnSymbol && isSymbol ? 'symbol' : 'name'
      const signs = found.get(of) ?? new Set()
      found.set(of, signs.add(isSame ? `same_${what}` : `confusable_${what}`))
    }
  }
  if (token.symbol !== null) add(token.symbol, true)
  if (token.name !== null) add(token.name.replace(issuerWording, ''), false)
  return [...found].map(([of, signs]) => ({
    of,
    signs: lookAlikeSigns.filter((sign) => signs.has(sign)),
  }))
}
