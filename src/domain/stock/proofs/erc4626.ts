import type { Hex } from '../../units.ts'
import { multiplierOne } from '../multiplier.ts'
import type { Wrapping } from '../stock-standard.ts'
import { decimalsSelector } from './listed.ts'
import { isMissing, isPlausibleMultiplier, type ProofRules, uintOf } from './proof.ts'

/*
 * ERC-4626, "Tokenized Vaults" (eips.ethereum.org/EIPS/eip-4626): a wrapper is worth what it holds.
 * `convertToAssets` says how much that is, without fees and the same for every caller.
 */

/** convertToAssets(uint256) of one whole token. */
export const oneTokenToAssets = (decimals: number): Hex =>
  `0x07a2d13a${(10n ** BigInt(decimals)).toString(16).padStart(64, '0')}`

/** asset() */
const assetSelector: Hex = '0x38d52e0f'

/** Whole assets per token, 1e18 fixed point, from what `convertToAssets` returns. */
const fromAssets = (assets: bigint, { assetDecimals }: Wrapping): bigint =>
  (assets * multiplierOne) / 10n ** BigInt(assetDecimals)

/** What `convertToAssets` returned for this multiplier. */
export const toAssets = (multiplier: bigint, { assetDecimals }: Wrapping): bigint =>
  (multiplier * 10n ** BigInt(assetDecimals)) / multiplierOne

const faults = {
  asset: 'its asset() is not that of the list',
  decimals: 'its decimals(), or those of its asset, are not those of the list',
  assets: 'its convertToAssets() returns nothing, or no plausible number of assets',
  unlisted: 'the list names no asset of it',
}

/** The multiplier of a wrapper is in assets, whose own multiplier is not in it. */
export const erc4626Rules: ProofRules = {
  calls: ({ address, decimals }, wraps) =>
    wraps === null
      ? []
      : [
          { to: address, data: oneTokenToAssets(decimals) },
          { to: address, data: assetSelector },
          { to: address, data: decimalsSelector },
          { to: wraps.asset, data: decimalsSelector },
        ],
  read: (answers, token, wraps) => {
    const [assets, asset, decimals, assetDecimals] = [0, 1, 2, 3].map((at) => uintOf(answers[at]))
    const multiplier = assets == null || wraps === null ? null : fromAssets(assets, wraps)
    const fault = (): string | null => {
      if (wraps === null) return faults.unlisted
      if (asset !== BigInt(wraps.asset)) return faults.asset
      const isScaled =
        decimals === BigInt(token.decimals) && assetDecimals === BigInt(wraps.assetDecimals)
      if (!isScaled) return faults.decimals
      return multiplier !== null && isPlausibleMultiplier(multiplier) ? null : faults.assets
    }
    const found = fault()
    return {
      multiplier: found === null ? multiplier : null,
      pendingMultiplier: null,
      multiplierEffectiveTs: null,
      multiplierAlias: false,
      oraclePaused: null,
      isUnread: wraps !== null && [0, 1, 2, 3].some((at) => isMissing(answers[at])),
      readFailed: found !== null,
      fault: found,
    }
  },
  call: 'convertToAssets()',
  multiplierCall: (_, wraps) =>
    wraps && { call: 'convertToAssets(uint256)', data: oneTokenToAssets(wraps.decimals) },
}
