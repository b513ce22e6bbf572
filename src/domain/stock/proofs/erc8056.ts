import type { Hex } from '../../units.ts'
import { multiplierFromAnswers } from '../multiplier.ts'
import {
  type Answer,
  isMissing,
  isPlausibleMultiplier,
  isUnanswered,
  type ProofReading,
  type ProofRules,
  uintOf,
} from './proof.ts'

/*
 * ERC-8056, "Scaled UI Amount" (eips.ethereum.org/EIPS/eip-8056), and the issuer's pause flag.
 * `multiplier()` is the alias of Base's B20 tokens, the only one of the two that they had before
 * the Cobalt upgrade (docs.base.org, B20 changelog "02-cobalt-b20asset-multiplier").
 */

export const uiMultiplierSelector: Hex = '0xa60bf13d'
/** multiplier() */
export const multiplierAliasSelector: Hex = '0x1b3ed722'

const selectors: readonly Hex[] = [
  uiMultiplierSelector,
  // newUIMultiplier()
  '0xdc767007',
  // effectiveAt()
  '0x97a4064f',
  // oraclePaused()
  '0x7706ba52',
]

const faultOf = (multiplier: bigint | null): string | null => {
  if (multiplier === null || multiplier === 0n) return 'its uiMultiplier() returns nothing, or zero'
  return isPlausibleMultiplier(multiplier)
    ? null
    : 'its uiMultiplier() is less than a millionth of a share, or more than a million shares'
}

const plausible = (multiplier: bigint | null): bigint | null =>
  multiplier !== null && isPlausibleMultiplier(multiplier) ? multiplier : null

/**
 * A multiplier that is too large proves nothing: the node may be at fault. A refused call leaves
 * the other answers without their meaning, as a multiplier without its announced successor.
 */
const readAnswers = (
  answers: readonly (Answer | undefined)[],
  asked: readonly Hex[],
): ProofReading => {
  const [own, announced, effectiveAt, paused, alias] = asked.map((_, at) => uintOf(answers[at]))
  const said = own ?? alias ?? null
  const multiplier = plausible(said)
  const pending = plausible(announced ?? multiplier)
  const announcement = multiplierFromAnswers({
    uiMultiplier: multiplier ?? 0n,
    newUiMultiplier: pending ?? 0n,
    effectiveAt: announced === null || pending === null ? 0n : (effectiveAt ?? 0n),
  })
  return {
    multiplier,
    pendingMultiplier: multiplier === null ? null : announcement.pending,
    multiplierEffectiveTs: multiplier === null ? null : announcement.effectiveTs,
    multiplierAlias: (own ?? null) === null && multiplier !== null,
    oraclePaused: paused === null || paused === undefined ? null : paused !== 0n,
    isUnread: isMissing(answers[0]) || answers.some(isUnanswered),
    readFailed: multiplier === null || asked.some((_, at) => isMissing(answers[at])),
    fault: faultOf(said),
  }
}

const rulesFor = (asked: readonly Hex[]): ProofRules => ({
  calls: ({ address }) => asked.map((data) => ({ to: address, data })),
  read: (answers) => readAnswers(answers, asked),
  call: 'uiMultiplier()',
  multiplierCall: ({ multiplierAlias }) =>
    multiplierAlias
      ? { call: 'multiplier()', data: multiplierAliasSelector }
      : { call: 'uiMultiplier()', data: uiMultiplierSelector },
})

/** Without the alias: a call that reverts is asked twice, and so would be each stock's. */
export const beaconRules = rulesFor(selectors)

export const erc8056Rules = rulesFor([...selectors, multiplierAliasSelector])
