import type { UnixSeconds } from '../units.ts'

/*
 * ERC-8056: one token stands for `uiMultiplier() / 1e18` shares. Only what is displayed changes:
 * balances and pool amounts never move, so a pool's price is always dollars per *token*.
 */

/** One share per token: multipliers are fixed point numbers with 18 decimals. */
export const multiplierOne = 10n ** 18n

/**
 * What is known of a token's multiplier. An announced change takes effect at `effectiveTs` without
 * any event; the announcement stays readable on the contract afterwards.
 */
export type Multiplier = {
  /** In force when this was read or announced. */
  readonly current: bigint
  /** The last announced one, also when it is in force already; null if there was never one. */
  readonly pending: bigint | null
  readonly effectiveTs: UnixSeconds | null
}

/**
 * The multiplier that prices of `ts` go with: a share's price from before a change is that of
 * another share (docs/methodology.md §3). Null where only what came after the change is known,
 * because the contract was read too late.
 */
export const multiplierAt = (
  multiplier: Multiplier,
  { ts, now }: { readonly ts: UnixSeconds; readonly now: UnixSeconds },
): bigint | null => {
  const { current, pending, effectiveTs } = multiplier
  const isOfBefore = effectiveTs !== null && ts < effectiveTs && effectiveTs <= now
  // A publisher's clock may run a little ahead of ours, and past the change before it.
  if (!isOfBefore) return effectiveMultiplier(multiplier, Math.max(ts, now))
  return current === pending ? null : current
}

/** A change that is still to come. */
export type PendingMultiplier = { readonly value: bigint; readonly effectiveTs: UnixSeconds }

/** The multiplier in force: the contract's own rule, `block.timestamp >= effectiveAt`. */
export const effectiveMultiplier = (
  { current, pending, effectiveTs }: Multiplier,
  now: UnixSeconds,
): bigint => (pending !== null && effectiveTs !== null && now >= effectiveTs ? pending : current)

/** The announced change, if it lies ahead and changes anything; else null. */
export const pendingMultiplier = (
  { current, pending, effectiveTs }: Multiplier,
  now: UnixSeconds,
): PendingMultiplier | null =>
  pending === null || effectiveTs === null || effectiveTs <= now || pending === current
    ? null
    : { value: pending, effectiveTs }

/** What the contract answers to `uiMultiplier()`, `newUIMultiplier()` and `effectiveAt()`. */
export type MultiplierAnswers = {
  readonly uiMultiplier: bigint
  readonly newUiMultiplier: bigint
  /** Unix seconds; 0 if no change was ever announced. */
  readonly effectiveAt: bigint
}

const timeMax = BigInt(Number.MAX_SAFE_INTEGER)

/** The three answers of one block. A change at a time beyond all clocks is no announcement. */
export const multiplierFromAnswers = (answers: MultiplierAnswers): Multiplier => {
  const { uiMultiplier: current, newUiMultiplier, effectiveAt } = answers
  return effectiveAt === 0n || effectiveAt > timeMax
    ? { current, pending: null, effectiveTs: null }
    : { current, pending: newUiMultiplier, effectiveTs: Number(effectiveAt) }
}

/** The crossing to number: shares per token, to about one unit in the last place. */
const sharesPerToken = (multiplier: bigint): number => Number(multiplier) / Number(multiplierOne)

/**
 * US dollars per token from US dollars per share (docs/methodology.md §3), for quotes of shares
 * only: Chainlink's answers hold the multiplier already. Null for a multiplier that is no positive
 * number of shares.
 */
export const usdPerToken = (shareUsd: number, multiplier: bigint): number | null =>
  multiplier > 0n ? shareUsd * sharesPerToken(multiplier) : null

/** US dollars per share from US dollars per token; null as for `usdPerToken`. */
export const usdPerShare = (tokenUsd: number, multiplier: bigint): number | null =>
  multiplier > 0n ? tokenUsd / sharesPerToken(multiplier) : null

/** All 18 decimals, as the issuer's registry writes it: `1.000957519890990718`. */
export const multiplierText = (multiplier: bigint): string => {
  const sign = multiplier < 0n ? '-' : ''
  const digits = String(multiplier < 0n ? -multiplier : multiplier).padStart(19, '0')
  return `${sign}${digits.slice(0, -18)}.${digits.slice(-18)}`
}
