import type { Address, UnixSeconds } from '../units.ts'

/** Who publishes a price. `pools` is our own median over pools: never independent of them. */
export type QuoteSourceId = 'issuer' | 'chainlink' | 'file' | 'pools'

/**
 * The latest price of one token by one source.
 * `per`: the issuer and files quote a *share*; Chainlink and pools the *token*, which already
 * contains the multiplier (methodology §3: never multiply twice).
 */
export type Quote = {
  readonly address: Address
  readonly source: QuoteSourceId
  readonly per: 'share' | 'token'
  /** US dollars; null when the source has one price only, or this side is missing. */
  readonly bid: number | null
  readonly ask: number | null
  /** US dollars: Chainlink's answer, a pool median; null for two-sided sources. */
  readonly last: number | null
  /** The publisher's clock: `generatedAt`, `updatedAt`. */
  readonly publishedTs: UnixSeconds
  /** Our clock when it was read. */
  readonly fetchedTs: UnixSeconds
  readonly halted: boolean
}
