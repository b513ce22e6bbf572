import { secondsPerHour, secondsPerMinute } from '../time.ts'

/*
 * Parameters of the filtered volume (docs/methodology.md §5). Those of concentrated pools are
 * DefiLlama's for Uniswap v4 (github.com/DefiLlama/dimension-adapters, pull request 8515).
 * There they decide about a whole pool, here about single traders of such a pool.
 */

/** Tokens that come back later than this are no pair. */
export const returnSecondsMax = secondsPerHour

/** An amount of fewer significant digits may be equal by chance. */
export const returnDigitsMin = 9

/** A trader, or the pool's pairs between traders, with fewer such swaps in a day is spared. */
export const returnedSwapsMin = 10

/** A trader of whose swaps in the pool a smaller share came back is spared. */
export const returnedShareMin = 0.75

/** Swaps of a pool in a day, of which a trader has more than the next on average. */
export const concentratedSwapsMin = 500
export const concentratedSwapsPerTrader = 100

/** Or dollars of a pool in a day, dollars per trader, and swaps per trader. */
export const concentratedUsdMin = 1_000_000
export const concentratedUsdPerTrader = 500_000
export const concentratedUsdSwapsPerTrader = 30

/** Part by which the two directions of a trader, or a transaction, differ that is not spared. */
export const flatShareMax = 0.01

/** With a larger share of swaps or of dollars whose traders are unknown nothing is said. */
export const unknownShareMax = 0.01

/** The sender of a transaction is read after the swap: a younger swap is not yet unknown. */
export const unknownAfterSeconds = secondsPerMinute
