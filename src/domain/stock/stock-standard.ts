import type { Address } from '../units.ts'

/** How the chain confirms that a listed token is a stock (methodology §1). */
export const stockProofs = ['beacon', 'erc8056', 'listed'] as const
export type StockProof = (typeof stockProofs)[number]

/** The issuer's standard of one stock token, by the network file. */
export type StockStandard = {
  readonly proof: StockProof
  /** Of the proof `beacon`: the EIP-1967 beacon of genuine tokens; null disables the check. */
  readonly beacon: Address | null
  /** What its feed's answers are a price of: a token's contain the multiplier already. */
  readonly feedPer: 'token' | 'share'
}

/** Also of stocks that only the issuer's live list names. */
export type StandardOf = (stock: Address) => StockStandard
