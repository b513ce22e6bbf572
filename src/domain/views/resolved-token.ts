import type { LookAlikeSign } from '../token/look-alike.ts'
import type { Address, PoolId } from '../units.ts'

export const resolveResults = [
  'verified',
  'candidates',
  'look_alike',
  'unverified',
  'unknown',
] as const
/** What a ticker, a name or an address turns out to be (docs/methodology.md §15). */
export type ResolveResult = (typeof resolveResults)[number]

export const resolveMatches = ['address', 'symbol', 'name'] as const
/** By what the answer was found. */
export type ResolveMatch = (typeof resolveMatches)[number]

/** A stock that the chain confirms, or a trusted token. */
export type VerifiedTokenView = {
  readonly address: Address
  readonly symbol: string
  /** The registered name; null of a trusted token. */
  readonly name: string | null
  readonly kind: 'stock' | 'trusted'
  readonly issuer: string | null
}

/** A verified token that another one imitates. */
export type ImitationView = {
  readonly symbol: string
  /** Null of a well-known currency that is no trusted token here. */
  readonly address: Address | null
  readonly signs: readonly LookAlikeSign[]
}

/** A token that is not verified. */
export type UnverifiedTokenView = {
  readonly address: Address
  /** The token's own, cleaned. */
  readonly symbol: string | null
  readonly imitates: readonly ImitationView[]
  /** Pools with a stock that hold it. */
  readonly pools: number
  /** The most liquid of them. */
  readonly poolId: PoolId | null
  readonly liquidityUsd: number | null
}

export type ResolvedTokenView = {
  readonly q: string
  readonly result: ResolveResult
  readonly match: ResolveMatch | null
  /** The one verified token; never a look-alike. */
  readonly token: VerifiedTokenView | null
  /** The token at the address asked for, if it is not verified. */
  readonly asked: UnverifiedTokenView | null
  /** Verified tokens that may be meant. */
  readonly candidates: readonly VerifiedTokenView[]
  /** Of the token or the candidates, the most liquid first. */
  readonly lookAlikes: readonly UnverifiedTokenView[]
  readonly lookAlikesTotal: number
}
