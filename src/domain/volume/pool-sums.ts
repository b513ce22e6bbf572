import { microPerUsd } from '../pool/stored-rows.ts'
import { noTrader } from './trader-ids.ts'
import {
  addToTrader,
  emptyTraderSums,
  isSpared,
  leftOutOf,
  type PoolRules,
  type TraderSums,
  type TraderSwap,
} from './trader-sums.ts'
import {
  concentratedSwapsMin,
  concentratedSwapsPerTrader,
  concentratedUsdMin,
  concentratedUsdPerTrader,
  concentratedUsdSwapsPerTrader,
  returnedSwapsMin,
  unknownShareMax,
} from './wash-rule.ts'

/** The figures of a pool; null: not known (methodology §5). */
export type FilteredVolume = {
  readonly vol24hFilteredUsd: number | null
  readonly traders24h: number | null
  readonly washShare24h: number | null
  /** Millionths of a dollar; known with the other three. */
  readonly leftOutMicro: bigint | null
}

/** Of a pool without a swap. */
export const noFilteredVolume: FilteredVolume = {
  vol24hFilteredUsd: 0,
  traders24h: 0,
  washShare24h: null,
  leftOutMicro: 0n,
}

export const unknownFilteredVolume: FilteredVolume = {
  vol24hFilteredUsd: null,
  traders24h: null,
  washShare24h: null,
  leftOutMicro: null,
}

/** A swap as the sums of its pool count it. */
export type CountedSwap = TraderSwap & {
  readonly trader: number
  readonly isPriced: boolean
  /** Old enough for its trader to be known. */
  readonly isSettled: boolean
}

const usdMinMicro = BigInt(concentratedUsdMin * microPerUsd)
const usdPerTraderMicro = BigInt(concentratedUsdPerTrader * microPerUsd)
const unknownDivisor = BigInt(Math.round(1 / unknownShareMax))

const allRules: readonly PoolRules[] = [false, true].flatMap((between) =>
  [false, true].map((concentrated) => ({ between, concentrated })),
)

/** The swaps of one pool in a window, added up. A change costs the same, however many they are. */
export const createPoolSums = () => {
  const traders = new Map<number, TraderSums>()
  /** Left out for what its traders do, in the order of `allRules`. */
  const leftOut = allRules.map(() => 0n)
  let swaps = 0
  let unpriced = 0
  let totalMicro = 0n
  /** Left out by the findings of blocks. */
  let blockMicro = 0n
  let unknown = 0
  let unknownMicro = 0n
  /** Of known traders, not left out by the findings of blocks. */
  const judged = { swaps: 0, micro: 0n, traders: 0, between: 0 }

  const addLeftOut = (sums: TraderSums, sign: 1n | -1n): void => {
    if (isSpared(sums)) return
    for (const [at, rules] of allRules.entries()) {
      leftOut[at] = (leftOut[at] ?? 0n) + sign * leftOutOf(sums, rules)
    }
  }

  const addJudged = (swap: CountedSwap, sign: 1 | -1): void => {
    const sums = traders.get(swap.trader) ?? emptyTraderSums()
    traders.set(swap.trader, sums)
    addLeftOut(sums, -1n)
    const had = sums.swaps > 0
    addToTrader(sums, swap, sign)
    addLeftOut(sums, 1n)
    judged.traders += Number(sums.swaps > 0) - Number(had)
    if (sums.total === 0) traders.delete(swap.trader)
    if (swap.isLeftOut) return
    judged.swaps += sign
    judged.micro += BigInt(sign) * swap.usdMicro
    if (swap.kind === 'between') judged.between += sign
  }

  const rulesOf = (): PoolRules => {
    const count = BigInt(judged.traders)
    const isOften =
      judged.swaps >= concentratedSwapsMin &&
      judged.swaps > judged.traders * concentratedSwapsPerTrader
    const isMuch =
      judged.micro > usdMinMicro &&
      judged.micro > count * usdPerTraderMicro &&
      judged.swaps >= judged.traders * concentratedUsdSwapsPerTrader
    return { between: judged.between >= returnedSwapsMin, concentrated: isOften || isMuch }
  }

  const isUnknown = (): boolean =>
    unknown > swaps * unknownShareMax || unknownMicro * unknownDivisor > totalMicro

  return {
    isEmpty: () => swaps === 0,
    /** Adds or (sign -1) subtracts a swap. */
    add: (swap: CountedSwap, sign: 1 | -1): void => {
      const micro = BigInt(sign) * swap.usdMicro
      swaps += sign
      totalMicro += micro
      if (!swap.isPriced) unpriced += sign
      if (swap.isLeftOut) blockMicro += micro
      if (swap.trader !== noTrader) addJudged(swap, sign)
      else if (swap.isSettled && !swap.isLeftOut) {
        unknown += sign
        unknownMicro += micro
      }
    },
    figures: (): FilteredVolume => {
      if (isUnknown()) return unknownFilteredVolume
      const { between, concentrated } = rulesOf()
      const byTraders = leftOut[Number(between) * 2 + Number(concentrated)] ?? 0n
      const washMicro = blockMicro + byTraders
      const isPriced = unpriced === 0
      return {
        vol24hFilteredUsd: isPriced ? Number(totalMicro - washMicro) / microPerUsd : null,
        traders24h: traders.size,
        washShare24h: isPriced && totalMicro > 0n ? Number(washMicro) / Number(totalMicro) : null,
        leftOutMicro: isPriced ? washMicro : null,
      }
    },
  }
}

export type PoolSums = ReturnType<typeof createPoolSums>
