import type { Address, UnixSeconds } from '../units.ts'

/** One line of an issuer's registry, or of the list that a network file ships. */
export type StockListing = {
  readonly address: Address
  /** The ticker: display text and filter key, never identity. */
  readonly symbol: string
  readonly name: string
  readonly issuer: string | null
  readonly decimals: number
  /** Chainlink proxy of its price, where there is one. */
  readonly feed: Address | null
}

/**
 * Whether the chain confirms that the listed contract is a stock token (methodology §1):
 * a failed read keeps the last verdict and never promotes.
 */
export type StockVerdict = 'verified' | 'disproven' | 'unknown'

/** State of the token contract, by its standard. Multipliers are 1e18 fixed point. */
export type StockOnChain = {
  readonly verdict: StockVerdict
  readonly multiplier: bigint | null
  readonly pendingMultiplier: bigint | null
  readonly multiplierEffectiveTs: UnixSeconds | null
  /** The multiplier is that of the alias `multiplier()`, as `uiMultiplier()` gives none. */
  readonly multiplierAlias: boolean
  readonly oraclePaused: boolean | null
  /** When the contract was last read completely. In a stored row: when the row was written. */
  readonly readTs: UnixSeconds | null
  /** The last pass over all stocks could not read this one, so that `readTs` stands still. */
  readonly readFailed: boolean
}

export type Stock = StockListing & StockOnChain

export const unverifiedStock: StockOnChain = {
  verdict: 'unknown',
  multiplier: null,
  pendingMultiplier: null,
  multiplierEffectiveTs: null,
  multiplierAlias: false,
  oraclePaused: null,
  readTs: null,
  readFailed: true,
}

/** The stock with the time of the last pass over all stocks, unless that pass could not read it. */
export const withPassTime = (stock: Stock, passTs: UnixSeconds | null): Stock =>
  passTs === null || stock.readFailed || passTs <= (stock.readTs ?? Number.NEGATIVE_INFINITY)
    ? stock
    : { ...stock, readTs: passTs }

/** How issuers end the names of their tokens: "NVIDIA • Robinhood Token". */
const issuerSuffix = /^(.+) • ([^•]{1,60}) Token$/u

/** The company's name and, where the listing's wording contains it, the issuer's. */
export const listingNameOf = (
  text: string,
): { readonly name: string; readonly issuer: string | null } => {
  const match = issuerSuffix.exec(text)
  const [, name, issuer] = match ?? []
  return name === undefined || issuer === undefined
    ? { name: text, issuer: null }
    : { name, issuer }
}
