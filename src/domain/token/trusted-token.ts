import type { Address } from '../units.ts'

/** A token with a US dollar price from an external source: the other side of a canonical pool. */
export type TrustedToken = { readonly symbol: string; readonly address: Address }

/** Whether a trusted token is pegged to the dollar, by its configured symbol. */
export const isDollarToken = ({ symbol }: Pick<TrustedToken, 'symbol'>): boolean =>
  symbol.startsWith('USD')
