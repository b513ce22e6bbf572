import type { PoolView } from '../../../src/domain/views/pool.ts'
import type { Service } from './moment.ts'

/*
 * Which pool may be compared with a reference, and which one represents its stock, from what the
 * rows and the chain say (docs/methodology.md §6).
 */

const dynamicFee = 0x80_0000

/** Low bits of a hook's address (v4-core Hooks.sol): before and after a swap, and their deltas. */
const swapBits = 0b1100_1100
const deltaBits = 0b1111

const bitsOf = (hooks: string | null): number => Number.parseInt(hooks?.slice(-4) ?? '0', 16)

/** It may change the amounts of a swap or of liquidity. */
export const changesDeltas = ({ hooks }: Pick<PoolView, 'hooks'>): boolean =>
  (bitsOf(hooks) & deltaBits) !== 0

/** The sandbox's network file lists one hook. */
export const reviewedHookOf = ({ manifest }: Pick<Service, 'manifest'>): string =>
  manifest.contracts.dynamicFeeHook.toLowerCase()

export const hasUnreviewedHook = (
  { hooks, fee }: Pick<PoolView, 'hooks' | 'fee'>,
  reviewedHook: string,
): boolean =>
  hooks !== null &&
  hooks !== reviewedHook &&
  (fee === dynamicFee || (bitsOf(hooks) & swapBits) !== 0)

/** More than 5 %, of the last swap where the hook sets it. */
export const isTooDear = ({ fee, lastSwapFee }: PoolView): boolean =>
  (fee === dynamicFee ? (lastSwapFee ?? 0) : fee) > 50_000

/** Slipstream's is read from the pool, and by the time of the tests it is. */
export const isFeeUnknown = ({ fee, hooks, lastSwapFee }: PoolView): boolean =>
  fee === dynamicFee && hooks !== null && lastSwapFee === null

/** The pool whose price represents the stock of these pools. */
export const bestOf = (pools: readonly PoolView[], reviewedHook: string): PoolView | undefined =>
  pools
    .filter((row) => row.kind === 'canonical' && row.active && row.stockPriceUsd !== null)
    .filter((row) => !hasUnreviewedHook(row, reviewedHook) && !isTooDear(row))
    .filter((row) => !row.statusReasons.includes('premium_implausible'))
    .toSorted(
      (a, b) =>
        Number(b.comparable) - Number(a.comparable) || (b.depthUsd ?? -1) - (a.depthUsd ?? -1),
    )[0]
