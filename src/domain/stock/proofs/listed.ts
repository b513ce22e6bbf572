import type { Hex } from '../../units.ts'
import { multiplierOne } from '../multiplier.ts'
import { isMissing, type ProofRules, uintOf } from './proof.ts'

/** decimals() of ERC-20. */
export const decimalsSelector: Hex = '0x313ce567'

/** A plain ERC-20: one token is one share because the list says so; the chain has a token there. */
export const listedRules: ProofRules = {
  calls: ({ address }) => [{ to: address, data: decimalsSelector }],
  read: ([answer], { decimals }) => {
    const isProved = uintOf(answer) === BigInt(decimals)
    return {
      multiplier: isProved ? multiplierOne : null,
      pendingMultiplier: null,
      multiplierEffectiveTs: null,
      multiplierAlias: false,
      oraclePaused: null,
      isUnread: isMissing(answer),
      readFailed: !isProved,
      fault: isProved ? null : `its decimals() does not return the ${decimals} of the list`,
    }
  },
  call: 'decimals()',
  multiplierCall: () => null,
}
