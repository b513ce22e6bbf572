import type { Address } from '../domain/units.ts'

/** A ticker in any case, or an address. */
export type StockKey = { readonly symbol: string } | { readonly address: Address }
