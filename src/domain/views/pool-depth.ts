import type { AnswerOrigin } from './swap-quote.ts'

/** What moves a pool's price so far: whole tokens, without the fee. */
export type BandAmounts = {
  readonly stockAmount: number
  readonly otherAmount: number
  /** Of the trusted side. */
  readonly usd: number | null
}

/** By side of the trader: `buy` raises the price of the stock. */
export type PriceBand = {
  readonly bps: number
  readonly buy: BandAmounts
  readonly sell: BandAmounts
}

export type LadderFill = {
  readonly executionPriceUsd: number | null
  readonly priceImpactBps: number | null
  readonly filled: boolean
}

/** Orders of so many dollars; null where there is no swap quote. */
export type LadderStep = {
  readonly usd: number
  readonly buy: LadderFill | null
  readonly sell: LadderFill | null
}

/** Liquidity that is the same from one tick with positions to the next. */
export type LiquiditySegment = {
  readonly tickLower: number
  readonly tickUpper: number
  /** Other tokens per stock token. */
  readonly priceLower: number
  readonly priceUpper: number
  /** Decimal text. */
  readonly liquidity: string
  readonly stockAmount: number
  readonly otherAmount: number
  /** Of both sides. */
  readonly usd: number | null
}

export const segmentChoices = ['none', 'near', 'all'] as const
export type SegmentChoice = (typeof segmentChoices)[number]

export type DepthProfile = {
  readonly midPriceInOther: number | null
  readonly bands: readonly PriceBand[]
  readonly ladder: readonly LadderStep[]
  readonly segments: readonly LiquiditySegment[]
}

export type PoolDepthView = { readonly depth: DepthProfile | null } & AnswerOrigin
