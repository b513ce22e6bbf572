import { parseWords, uint256At } from '../../dex/abi-words.ts'
import type { Address, Hex, UnixSeconds } from '../../units.ts'
import { multiplierOne } from '../multiplier.ts'
import type { Wrapping } from '../stock-standard.ts'

/** A call's return data, or why there is none; `unanswered`: the node refused the call. */
export type Answer =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly reason: 'reverted' | 'too-large' | 'unanswered' }

export type ProofCall = { readonly to: Address; readonly data: Hex }

/** What a token's contract says of itself by one standard. */
export type ProofReading = {
  /** Shares per token, 1e18 fixed point; null unless it is plausible. */
  readonly multiplier: bigint | null
  readonly pendingMultiplier: bigint | null
  readonly multiplierEffectiveTs: UnixSeconds | null
  /** The multiplier is that of the alias `multiplier()`. */
  readonly multiplierAlias: boolean
  readonly oraclePaused: boolean | null
  /** Answers are missing without which nothing follows from the others. */
  readonly isUnread: boolean
  /** An answer is missing: the reading is not complete. */
  readonly readFailed: boolean
  /** Why the contract is no stock of this standard, as the end of a sentence; null if it is one. */
  readonly fault: string | null
}

export type ProvedToken = { readonly address: Address; readonly decimals: number }

export type MultiplierCall = { readonly call: string; readonly data: Hex }

export type ProofRules = {
  readonly calls: (token: ProvedToken, wraps: Wrapping | null) => readonly ProofCall[]
  /** From the answers of one block to `calls`. */
  readonly read: (
    answers: readonly (Answer | undefined)[],
    token: ProvedToken,
    wraps: Wrapping | null,
  ) => ProofReading
  /** The call that decides, for messages. */
  readonly call: string
  /** The call that returns the multiplier; null: it follows from the list. */
  readonly multiplierCall: (
    read: Pick<ProofReading, 'multiplierAlias'>,
    wraps: Wrapping | null,
  ) => MultiplierCall | null
}

export const uintOf = (answer: Answer | undefined): bigint | null =>
  uint256At((answer?.ok ? parseWords(answer.data, 1) : null) ?? undefined, 0)

export const isUnanswered = (answer: Answer | undefined): boolean =>
  answer === undefined || (!answer.ok && answer.reason === 'unanswered')

export const isMissing = (answer: Answer | undefined): boolean =>
  isUnanswered(answer) || (answer?.ok === false && answer.reason === 'too-large')

/** A millionth of a share to a million shares: Chainlink's CCIP SDK has the same upper limit. */
const multiplierMax = multiplierOne * 10n ** 6n
const multiplierMin = multiplierOne / 10n ** 6n

/** No honest token leaves these limits; a price by another number would be absurd. */
export const isPlausibleMultiplier = (multiplier: bigint): boolean =>
  multiplier >= multiplierMin && multiplier <= multiplierMax
