import { addressAt, parseWords, uint256At, type Words } from '../dex/abi-words.ts'
import type { Reading } from '../reading.ts'
import { known, unknown } from '../reading.ts'
import { type Address, type Hash, type Hex, nativeAddress, type UnixSeconds } from '../units.ts'
import { multiplierFromAnswers } from './multiplier.ts'
import type { StockOnChain, StockVerdict } from './stock.ts'

/** A call's return data, or why there is none; `unanswered`: the node refused the call. */
type Answer =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly reason: 'reverted' | 'too-large' | 'unanswered' }

/** EIP-1967: keccak256("eip1967.proxy.beacon") − 1. */
export const beaconSlot: Hash = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'

/** ERC-8056 and the issuer's pause flag, in the order in which `stockFromAnswers` reads them. */
const selectors: readonly Hex[] = [
  // uiMultiplier()
  '0xa60bf13d',
  // newUIMultiplier()
  '0xdc767007',
  // effectiveAt()
  '0x97a4064f',
  // oraclePaused()
  '0x7706ba52',
]

export const stockStateCalls = (
  token: Address,
): readonly { readonly to: Address; readonly data: Hex }[] =>
  selectors.map((data) => ({ to: token, data }))

const wordOf = (answer: Answer | undefined): Words | null =>
  answer?.ok ? parseWords(answer.data, 1) : null

const uintOf = (answer: Answer | undefined): bigint | null =>
  uint256At(wordOf(answer) ?? undefined, 0)

const isUnanswered = (answer: Answer | undefined): boolean =>
  answer === undefined || (!answer.ok && answer.reason === 'unanswered')

const isMissing = (answer: Answer | undefined): boolean =>
  isUnanswered(answer) || (answer?.ok === false && answer.reason === 'too-large')

/**
 * A multiplier that is too large proves nothing: the node may be at fault. A refused call leaves
 * the other answers without their meaning, as a multiplier without its announced successor.
 */
const isUnread = (answers: readonly (Answer | undefined)[]): boolean => {
  return isMissing(answers[0]) || answers.some(isUnanswered)
}

/**
 * Whether the chain confirms a listed stock (methodology §1): its multiplier answers and, where
 * the network has a beacon, its EIP-1967 slot names that one.
 */
const verdictOf = (input: {
  readonly isUnread: boolean
  readonly multiplier: bigint | null
  readonly slot: Hash | null
  readonly beacon: Address | null
}): StockVerdict => {
  if (input.isUnread) return 'unknown'
  if (input.multiplier === null || input.multiplier === 0n) return 'disproven'
  if (input.beacon === null) return 'verified'
  if (input.slot === null) return 'unknown'
  return input.slot.slice(-40) === input.beacon.slice(2) ? 'verified' : 'disproven'
}

/** What the token contract says of itself, from the answers to `stockCallsOf` of one block. */
export const stockFromAnswers = (input: {
  readonly answers: readonly (Answer | undefined)[]
  /** The beacon slot's content; null when it was not read. */
  readonly slot: Hash | null
  readonly beacon: Address | null
  readonly readTs: UnixSeconds
}): StockOnChain => {
  const [current, announced, effectiveAt, paused] = input.answers.map(uintOf)
  const multiplier = current ?? null
  const { slot, beacon } = input
  const verdict = verdictOf({ isUnread: isUnread(input.answers), multiplier, slot, beacon })
  const announcement = multiplierFromAnswers({
    uiMultiplier: multiplier ?? 0n,
    newUiMultiplier: announced ?? multiplier ?? 0n,
    effectiveAt: announced === null ? 0n : (effectiveAt ?? 0n),
  })
  return {
    verdict,
    multiplier,
    pendingMultiplier: multiplier === null ? null : announcement.pending,
    multiplierEffectiveTs: multiplier === null ? null : announcement.effectiveTs,
    oraclePaused: paused === null || paused === undefined ? null : paused !== 0n,
    readTs: input.readTs,
    readFailed: multiplier === null || selectors.some((_, at) => isMissing(input.answers[at])),
  }
}

/** The aggregator behind a Chainlink proxy: it, not the proxy, emits `AnswerUpdated`. */
export const aggregatorSelector: Hex = '0x245a7bfc'

export const aggregatorFromAnswer = (answer: Answer): Reading<Address> => {
  const address = addressAt(wordOf(answer) ?? undefined, 0)
  return address === null || address === nativeAddress ? unknown('no-aggregator') : known(address)
}
