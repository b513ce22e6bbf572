import { microPerUsd } from '../pool/stored-rows.ts'
import {
  concentratedSwapsPerTrader,
  concentratedUsdPerTrader,
  concentratedUsdSwapsPerTrader,
  flatShareMax,
  returnedShareMin,
  returnedSwapsMin,
} from './wash-rule.ts'

/** Of a swap whose tokens came back: to the same trader, or to another one. */
export type ReturnKind = 'own' | 'between'

/** What one swap adds to the sums of its trader in its pool. */
export type TraderSwap = {
  readonly usdMicro: bigint
  readonly tokenIn: number
  readonly kind: ReturnKind | null
  readonly isLeftOut: boolean
}

/** Sums of one trader in one pool; all but `total` without what the block's findings leave out. */
export type TraderSums = {
  total: number
  swaps: number
  usdMicro: bigint
  readonly inMicro: [bigint, bigint]
  ownSwaps: number
  ownMicro: bigint
  betweenMicro: bigint
}

export const emptyTraderSums = (): TraderSums => ({
  total: 0,
  swaps: 0,
  usdMicro: 0n,
  inMicro: [0n, 0n],
  ownSwaps: 0,
  ownMicro: 0n,
  betweenMicro: 0n,
})

/** Adds or (sign -1) subtracts a swap. */
export const addToTrader = (sums: TraderSums, swap: TraderSwap, sign: 1 | -1): void => {
  sums.total += sign
  if (swap.isLeftOut) return
  const micro = sign === 1 ? swap.usdMicro : -swap.usdMicro
  sums.swaps += sign
  sums.usdMicro += micro
  if (swap.tokenIn === 0) sums.inMicro[0] += micro
  if (swap.tokenIn === 1) sums.inMicro[1] += micro
  if (swap.kind === 'between') sums.betweenMicro += micro
  if (swap.kind !== 'own') return
  sums.ownSwaps += sign
  sums.ownMicro += micro
}

const usdPerTraderMicro = BigInt(concentratedUsdPerTrader * microPerUsd)
const flatDivisor = BigInt(Math.round(1 / flatShareMax))

/** Mostly gets back what it gave. */
const isReturning = ({ swaps, ownSwaps }: TraderSums): boolean =>
  ownSwaps >= returnedSwapsMin && ownSwaps >= swaps * returnedShareMin

/** Trades very much, and as much one way as the other. */
const isFlatAndBusy = ({ swaps, usdMicro, inMicro: [in0, in1] }: TraderSums): boolean => {
  const isBusy =
    swaps > concentratedSwapsPerTrader ||
    (usdMicro > usdPerTraderMicro && swaps >= concentratedUsdSwapsPerTrader)
  const apart = in0 > in1 ? in0 - in1 : in1 - in0
  return isBusy && apart * flatDivisor <= in0 + in1
}

/** No rule leaves out any swap of most traders. */
export const isSpared = (sums: TraderSums): boolean =>
  sums.ownSwaps === 0 && sums.betweenMicro === 0n && !isFlatAndBusy(sums)

/** Which rules hold for a pool. */
export type PoolRules = { readonly between: boolean; readonly concentrated: boolean }

/** Millionths of a dollar of a trader's swaps that are left out. */
export const leftOutOf = (sums: TraderSums, { between, concentrated }: PoolRules): bigint => {
  if (concentrated && isFlatAndBusy(sums)) return sums.usdMicro
  const own = isReturning(sums) ? sums.ownMicro : 0n
  return between ? own + sums.betweenMicro : own
}
