import { usdPerToken } from '../stock/multiplier.ts'
import type { ReferencePrice, ReferenceResult } from './reference-price.ts'

/**
 * The reference of a wrapper (methodology §3): that of its asset times the assets per token, 1e18
 * fixed point; null while they are not known. All else is said of the asset.
 */
export const wrappedReference = (
  asset: ReferenceResult,
  assetsPerToken: bigint | null,
): ReferenceResult => {
  const wrapped = (price: ReferencePrice | null): ReferencePrice | null => {
    if (price === null || assetsPerToken === null) return null
    const usd = usdPerToken(price.usd, assetsPerToken)
    return usd === null ? null : { ...price, usd }
  }
  return {
    ...asset,
    reference: wrapped(asset.reference),
    lastExternal: wrapped(asset.lastExternal),
  }
}
