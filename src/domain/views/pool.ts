import type { HookFlags } from '../dex/uniswap-v4/hook-flags.ts'
import type { PoolVersion } from '../pool/pool-event.ts'
import type { DataStatus, StatusReason } from '../status/data-status.ts'
import type { Address, BlockNumber, Hash, PoolId, ProtocolId, UnixSeconds } from '../units.ts'

export const poolKinds = ['canonical', 'meme', 'stock-stock'] as const
export type PoolKind = (typeof poolKinds)[number]

export const reserveSources = ['ticks', 'balance', 'screener'] as const
export type ReserveSource = (typeof reserveSources)[number]

/** A pool as the API shows it; additive fields come last. */
export type PoolView = {
  readonly id: PoolId
  readonly version: PoolVersion
  readonly kind: PoolKind
  readonly createdBlock: BlockNumber
  readonly token0: Address
  readonly token1: Address
  readonly stockSymbol: string
  readonly stockIsToken0: boolean
  readonly otherSymbol: string | null
  readonly otherAddress: Address
  readonly stockAddress: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address | null
  readonly active: boolean
  readonly hot: boolean
  readonly lastSwapTs: UnixSeconds | null
  readonly lastSwapBlock: BlockNumber | null
  readonly stateTs: UnixSeconds | null
  readonly enrichedTs: UnixSeconds | null
  /** Decimal text. */
  readonly sqrtPriceX96: string | null
  /** Decimal text. */
  readonly liquidity: string | null
  readonly stockReserve: number | null
  readonly otherReserve: number | null
  readonly reserveSource: ReserveSource | null
  readonly stockPriceInOther: number | null
  readonly stockPriceUsd: number | null
  readonly otherPriceUsd: number | null
  readonly liquidityUsd: number | null
  readonly vol1hUsd: number | null
  readonly vol24hUsd: number | null
  readonly comparable: boolean
  readonly dataStatus: DataStatus
  readonly statusReasons: readonly StatusReason[]
  readonly tick: number | null
  readonly feeDynamic: boolean
  readonly lastSwapFee: number | null
  readonly hookFlags: HookFlags | null
  readonly premiumBps: number | null
  readonly driftBps: number | null
  readonly asOfBlock: BlockNumber | null
  readonly swaps24h: number
  readonly estimatedSwaps24h: number
  readonly depthUsd: number | null
  readonly protocol: ProtocolId
  readonly parameters: Hash | null
  /** The venue's name, for people. */
  readonly venue: string
  /** Of a custom pool of Algebra. */
  readonly deployer: Address | null
  /** Hundredths of a bip, as last known. */
  readonly lpFee: number | null
  /** Since which block the LP fee holds, as far as is known. */
  readonly feeBlock: BlockNumber | null
  /** Symbol of the verified token that the other token imitates; null for most. */
  readonly otherImitates: string | null
  /** A part of one a year, by the fees of the last day. */
  readonly feeApr24h: number | null
  /** Without the swaps that methodology §5 leaves out. */
  readonly vol24hFilteredUsd: number | null
  readonly traders24h: number | null
  /** What is left out, as a share of the volume: 0 to 1. */
  readonly washShare24h: number | null
}

/** One bucket of a pool's series; prices and volume are null throughout inside an index gap. */
export type PoolSeriesRow = {
  readonly ts: UnixSeconds
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number | null
  readonly stockPriceInOther: number | null
  readonly stockPriceUsd: number | null
  readonly otherPriceUsd: number | null
  readonly liquidityUsd: number | null
  readonly volumeUsd: number | null
  readonly swaps: number | null
  readonly closed: boolean
}

export type SwapView = {
  readonly txHash: Hash
  readonly logIndex: number
  readonly block: BlockNumber
  readonly ts: UnixSeconds
  /** The trader's side: `buy` means that the stock leaves the pool. */
  readonly side: 'buy' | 'sell'
  readonly stockAmount: number | null
  readonly otherAmount: number | null
  readonly priceInOther: number | null
  readonly amountUsd: number | null
  readonly sender: Address
  readonly recipient: Address | null
  /** Hundredths of a bip; null where the event has none and the pool's fee changes. */
  readonly fee: number | null
  readonly sqrtPriceX96: string
  readonly tick: number
  /** Worth more than its pool's holdings make plausible (methodology §5). */
  readonly implausible: boolean
}

/** A screener's figure beside the pool's own (methodology §4); it enters no other number. */
export type ScreenerCheck = {
  readonly liquidityUsd: number
  readonly ts: UnixSeconds
  /** Basis points above the pool's own figure; null if the two cannot be compared. */
  readonly differenceBps: number | null
  /** Null if the two cannot be compared. */
  readonly agrees: boolean | null
}

export const hookVerdicts = ['reviewed', 'unreviewed', 'harmless'] as const

/** What is known of a v4 hook (methodology §6). `harmless`: it acts on liquidity only. */
export type HookReview = {
  readonly verdict: (typeof hookVerdicts)[number]
  /** The operator's words of a reviewed hook. */
  readonly note: string | null
}

/** The past block that a reply is about. */
export type PastBlockView = {
  readonly block: BlockNumber
  /** Time of `tsBlock`. */
  readonly ts: UnixSeconds
  /** The newest block up to `block` whose time is kept: nothing is indexed between the two. */
  readonly tsBlock: BlockNumber
  /** False if rows of this time that the reply is made of are not kept. */
  readonly complete: boolean
}

export type PoolDetailView = {
  readonly pool: PoolView
  readonly series: readonly PoolSeriesRow[]
  readonly swaps: readonly SwapView[]
  readonly screener: ScreenerCheck | null
  /** Null without a hook. */
  readonly hookReview: HookReview | null
  /** Null in a reply about the last indexed block. */
  readonly past: PastBlockView | null
}
