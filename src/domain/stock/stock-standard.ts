import type { Address } from '../units.ts'

/** How the chain confirms that a listed token is a stock (methodology §1). */
export const stockProofs = ['beacon', 'erc8056', 'erc4626', 'listed'] as const
export type StockProof = (typeof stockProofs)[number]

/** What a wrapper holds: another stock token of the network file, with the decimals of both. */
export type Wrapping = {
  readonly asset: Address
  readonly decimals: number
  readonly assetDecimals: number
}

/** The issuer's standard of one stock token, by the network file. */
export type StockStandard = {
  readonly proof: StockProof
  /** Of the proof `beacon`: the EIP-1967 beacon of genuine tokens; null disables the check. */
  readonly beacon: Address | null
  /** What its feed's answers are a price of: a token's contain the multiplier already. */
  readonly feedPer: 'token' | 'share'
  /** Of the proof `erc4626`; null for all others. */
  readonly wraps: Wrapping | null
  /** Its balances change without transfers, so a pool may hold more or less than its events say. */
  readonly rebasing: boolean
}

/** Also of stocks that only the issuer's live list names. */
export type StandardOf = (stock: Address) => StockStandard

/** Whether a token of the pool rebases. */
export const holdsRebasing = (
  { token0, token1 }: { readonly token0: Address; readonly token1: Address },
  standardOf: StandardOf,
): boolean => standardOf(token0).rebasing || standardOf(token1).rebasing
