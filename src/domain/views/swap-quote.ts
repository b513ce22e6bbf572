import type { DataStatus, StatusReason } from '../status/data-status.ts'
import type { Address, BlockNumber, PoolId, UnixSeconds } from '../units.ts'

/** Seen by the trader: `buy` receives stock. */
export const swapSides = ['buy', 'sell'] as const
export type SwapSide = (typeof swapSides)[number]

export const swapQuoteReasons = [
  'uninitialised',
  'index_gap',
  'reserve_short',
  'reserve_rebasing',
  'hook_custom_accounting',
  'fee_unknown',
  'decimals_unknown',
  'usd_price_missing',
] as const
/** Why there is no swap quote (docs/methodology.md §10). */
export type SwapQuoteReason = (typeof swapQuoteReasons)[number]

export const swapAssumptions = ['fee_as_last_read', 'hook_passive'] as const
/** What a swap quote takes for granted (docs/methodology.md §10). */
export type SwapAssumption = (typeof swapAssumptions)[number]

/** What a swap in a pool would pay and receive. Raw amounts and large integers are decimal text. */
export type SwapQuote = {
  readonly poolId: PoolId
  readonly side: SwapSide
  /** Which amount the order fixes. */
  readonly exact: 'input' | 'output'
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: number | null
  readonly amountInRaw: string
  readonly amountOut: number | null
  readonly amountOutRaw: string
  /** False when the liquidity ends first: the amounts are what is possible. */
  readonly filled: boolean
  readonly midPriceInOther: number | null
  readonly executionPriceInOther: number | null
  readonly executionPriceUsd: number | null
  readonly priceImpactBps: number | null
  readonly feeAmountRaw: string
  readonly costBps: number | null
  readonly sqrtPriceX96After: string
  readonly tickAfter: number
  readonly liquidityAfter: string
  readonly ticksCrossed: number
  /** Of the input, hundredths of a bip. */
  readonly fee: number
  /** Since which block the pool has its fee, as far as is known. */
  readonly feeBlock: BlockNumber | null
}

/** The state that an answer is of: that of the pool's row. */
export type AnswerOrigin = {
  readonly asOfBlock: BlockNumber | null
  readonly stateTs: UnixSeconds | null
  readonly dataStatus: DataStatus
  readonly statusReasons: readonly StatusReason[]
}

export type PoolQuoteView = {
  readonly quote: SwapQuote | null
  readonly reasons: readonly SwapQuoteReason[]
  readonly assumptions: readonly SwapAssumption[]
} & AnswerOrigin
