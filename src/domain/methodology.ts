import { earningsRows } from './earnings/parameters.ts'
import { decimalsMax } from './math/pool-price.ts'
import { depthPriceMove } from './pool/pool-depth.ts'
import { poolWindowSeconds } from './price/pool-window.ts'
import { premiumMax } from './price/premium.ts'
import {
  pricingAgeSecondsMin,
  pricingDepthUsdMin,
  pricingFeeMax,
  trustedPricingDepthUsdMin,
} from './price/pricing-pools.ts'
import { jumpConfirmedWithin, splitConfirmedWithin } from './price/quote-candidates.ts'
import { jumpStandsSeconds, jumpUpdatesMin, quoteJumpMax } from './price/quote-jump.ts'
import { quoteSpreadRatioMax } from './price/quoted-usd.ts'
import {
  contradictingPoolsMin,
  pegTolerance,
  poolContradictionMax,
  poolRefusalMax,
  referenceConflictRatioMax,
  trustedBaseMaxAgeSeconds,
} from './price/reference-price.ts'
import {
  chainlinkEquityMaxAgeSeconds,
  chainlinkHeartbeatSeconds,
  clockAheadToleranceSeconds,
  conflictMaxAgeSeconds,
  multiplierMaxAgeSeconds,
  multiplierUsableMaxAgeSeconds,
  type Policy,
  screenerMaxAgeSeconds,
} from './status/freshness.ts'
import { ticksCrossedMax } from './swap/simulate-swap.ts'
import { orderPoolsMax } from './swap/stock-pools.ts'
import {
  activeSwapMaxAgeSeconds,
  comparableDepthUsdMin,
  comparableFeeMax,
  hotHoldSeconds,
  hotLiquidityUsdMin,
  hotSwapMaxAgeSeconds,
  hotVol1hUsdMin,
  newPoolMaxAgeSeconds,
} from './valuation/pool-flags.ts'
import {
  highDriftMax,
  mediumDepthUsdMin,
  mediumDriftMax,
  priceAgeSecondsMax,
  priceDepthUsdMin,
} from './valuation/price-token.ts'
import { screenerAgreesBpsMax } from './valuation/screener-check.ts'
import { volumeParameters } from './volume/volume-parameters.ts'

/** Version of the *numbers* (docs/methodology.md): changes with any rule, not with the software. */
export const methodologyVersion = '1.2.0'

/** One parameter of the methodology: with all of them a client can recompute every number. */
export type Parameter = {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Section of docs/methodology.md. */
  readonly section: string
  readonly meaning: string
}

type Row = readonly [name: string, value: number, unit: string, meaning: string]

const priceRows: readonly Row[] = [
  ['decimalsMax', decimalsMax, 'digits', 'A token with more decimals has no price.'],
]

const referenceRows = ({ quoteMaxAgeSeconds }: Policy): readonly Row[] => [
  ['quoteMaxAgeSeconds', quoteMaxAgeSeconds, 'seconds', 'Maximum age of a fresh share quote.'],
  ['quoteSpreadMax', quoteSpreadRatioMax, 'share of the middle', 'A wider quote gives no price.'],
  [
    'chainlinkEquityMaxAgeSeconds',
    chainlinkEquityMaxAgeSeconds,
    'seconds',
    'A Chainlink answer for a stock is a reference, in its session.',
  ],
  [
    'chainlinkHeartbeatSeconds',
    chainlinkHeartbeatSeconds,
    'seconds',
    'A Chainlink answer for ETH or USDG holds.',
  ],
  [
    'conflictMaxAgeSeconds',
    conflictMaxAgeSeconds,
    'seconds',
    'Two references that are younger must agree.',
  ],
  [
    'conflictMax',
    referenceConflictRatioMax,
    'share of the lower',
    'Further apart they are in conflict.',
  ],
  [
    'clockAheadToleranceSeconds',
    clockAheadToleranceSeconds,
    'seconds',
    'A time further ahead of our clock is rejected.',
  ],
  ['pegTolerance', pegTolerance, 'share of a dollar', 'USDG counts as one dollar within it.'],
  ['premiumMax', premiumMax, 'share', 'A larger premium either way is implausible: null.'],
]

const pricingPoolRows: readonly Row[] = [
  ['poolWindowSeconds', poolWindowSeconds, 'seconds', 'Time-weighted prices of pools.'],
  [
    'pricingDepthUsdMin',
    pricingDepthUsdMin,
    'US dollars',
    'Minimum depth of a pool that prices a stock, throughout the window.',
  ],
  [
    'trustedPricingDepthUsdMin',
    trustedPricingDepthUsdMin,
    'US dollars',
    'The same for a pool that prices ETH or USDG.',
  ],
  [
    'poolRefusalMax',
    poolRefusalMax,
    'share',
    'A price by pools further from the last independent one is refused.',
  ],
  [
    'trustedBaseMaxAgeSeconds',
    trustedBaseMaxAgeSeconds,
    'seconds',
    'So long the last answer for ETH or USDG limits the pools.',
  ],
  [
    'poolContradictionMax',
    poolContradictionMax,
    'share',
    'Pools further from the reference contradict it.',
  ],
  ['contradictingPoolsMin', contradictingPoolsMin, 'pools', 'At least so many must do so.'],
  ['pricingAgeSecondsMin', pricingAgeSecondsMin, 'seconds', 'Minimum age of a pricing pool.'],
  ['pricingFeeMax', pricingFeeMax, 'hundredths of a basis point', 'Its maximum fee.'],
]

const jumpRows: readonly Row[] = [
  [
    'quoteJumpMax',
    quoteJumpMax,
    'share',
    'A quote further from the last accepted one of its source is unconfirmed.',
  ],
  ['jumpConfirmedWithin', jumpConfirmedWithin, 'share', 'Another source confirms it within this.'],
  ['jumpStandsSeconds', jumpStandsSeconds, 'seconds', 'Or it has stood for so long.'],
  ['jumpUpdatesMin', jumpUpdatesMin, 'updates', 'And over so many updates of its publisher.'],
  [
    'splitConfirmedWithin',
    splitConfirmedWithin,
    'share',
    'Pools confirm a quote of before a change of the multiplier.',
  ],
]

const depthRows: readonly Row[] = [
  ['depthPriceMove', depthPriceMove, 'share', 'The depth of a pool moves its price by this.'],
]

const multiplierRows: readonly Row[] = [
  [
    'multiplierMaxAgeSeconds',
    multiplierMaxAgeSeconds,
    'seconds',
    'An older multiplier makes the rows of its stock partial.',
  ],
  [
    'multiplierUsableMaxAgeSeconds',
    multiplierUsableMaxAgeSeconds,
    'seconds',
    'An older multiplier counts as unknown.',
  ],
]

const freshnessRows = ({ poolMaxAgeSeconds, reserveMaxAgeSeconds }: Policy): readonly Row[] => [
  ['poolMaxAgeSeconds', poolMaxAgeSeconds, 'seconds', 'The state of a pool is fresh.'],
  [
    'reserveMaxAgeSeconds',
    reserveMaxAgeSeconds,
    'seconds',
    'Reserves and dollar fields are fresh.',
  ],
  ['screenerMaxAgeSeconds', screenerMaxAgeSeconds, 'seconds', 'A screener is fresh.'],
  [
    'screenerAgreesBpsMax',
    screenerAgreesBpsMax,
    'basis points',
    'A screener that differs by more does not agree.',
  ],
]

const activityRows: readonly Row[] = [
  [
    'activeSwapMaxAgeSeconds',
    activeSwapMaxAgeSeconds,
    'seconds',
    'A pool with a younger swap may be active.',
  ],
  [
    'newPoolMaxAgeSeconds',
    newPoolMaxAgeSeconds,
    'seconds',
    'A younger pool may be active without a swap.',
  ],
  ['hotSwapMaxAgeSeconds', hotSwapMaxAgeSeconds, 'seconds', 'Hot needs a younger swap.'],
  ['hotVol1hUsdMin', hotVol1hUsdMin, 'US dollars', 'Hot by the volume of an hour.'],
  ['hotLiquidityUsdMin', hotLiquidityUsdMin, 'US dollars', 'Or by its liquidity.'],
  ['hotHoldSeconds', hotHoldSeconds, 'seconds', 'Hot stays after its conditions last held.'],
  [
    'comparableDepthUsdMin',
    comparableDepthUsdMin,
    'US dollars',
    'Minimum depth of a comparable pool.',
  ],
  [
    'comparableFeeMax',
    comparableFeeMax,
    'hundredths of a basis point',
    'Maximum fee of a comparable pool.',
  ],
]

const chainRows = ({ confirmations }: Policy): readonly Row[] => [
  ['confirmations', confirmations, 'blocks', 'The index stays behind the head.'],
]

const swapQuoteRows: readonly Row[] = [
  ['ticksCrossedMax', ticksCrossedMax, 'ticks', 'A simulated swap ends after so many.'],
  ['orderPoolsMax', orderPoolsMax, 'pools', 'An order of a stock is split among at most so many.'],
]

const tokenPriceRows: readonly Row[] = [
  ['priceDepthUsdMin', priceDepthUsdMin, 'US dollars', 'A pool with less depth is no price.'],
  [
    'mediumDepthUsdMin',
    mediumDepthUsdMin,
    'US dollars',
    'With less depth the confidence in a price is low.',
  ],
  ['highDriftMax', highDriftMax, 'share', 'Further from the reference it is at most medium.'],
  ['mediumDriftMax', mediumDriftMax, 'share', 'Further from the reference it is low.'],
  ['priceAgeSecondsMax', priceAgeSecondsMax, 'seconds', 'An older price is none.'],
]

const sectionsOf = (policy: Policy): readonly (readonly [string, readonly Row[]])[] => [
  ['§2', priceRows],
  ['§3', [...referenceRows(policy), ...multiplierRows, ...pricingPoolRows, ...jumpRows]],
  ['§4', [...freshnessRows(policy), ...depthRows]],
  ['§5', volumeParameters],
  ['§6', activityRows],
  ['§7', chainRows(policy)],
  ['§10', swapQuoteRows],
  ['§13', tokenPriceRows],
  ['§14', earningsRows],
]

/** Every parameter in force, in the order of the methodology. */
export const listParameters = (policy: Policy): readonly Parameter[] =>
  sectionsOf(policy).flatMap(([section, rows]) =>
    rows.map(([name, value, unit, meaning]) => ({ name, value, unit, section, meaning })),
  )

/**
 * What a hash of the methodology covers: names and values only, so that better explanations do not
 * change it.
 */
export const parametersText = (version: string, parameters: readonly Parameter[]): string =>
  JSON.stringify([version, parameters.map(({ name, value }) => [name, value])])
