import type { Address, BlockNumber, Hash, Hex, PoolId, UnixSeconds } from '../units.ts'
import type { PastBlockView } from './pool.ts'
import type { AnswerOrigin } from './swap-quote.ts'

/** Why a number is null (docs/methodology.md §12). */
export const nullReasons = [
  'uninitialised',
  'price_at_bound',
  'decimals_unknown',
  'quote_missing',
  'quote_old',
  'other_price_missing',
  'reserve_missing',
  'reserve_short',
  'reserve_rebasing',
  'index_gap',
  'hook_custom_accounting',
  'swap_unpriced',
  'traders_unknown',
  'no_swap',
  'fee_unlogged',
  'fee_unknown',
  'meme_pool',
  'market_closed',
  'market_open',
  'premium_implausible',
  'not_finite',
] as const
export type NullReason = (typeof nullReasons)[number]

/** Where an input comes from, so that anybody can fetch it. */
export type InputSource =
  /** Another number of the same answer. */
  | { readonly kind: 'field'; readonly field: string }
  /** An `eth_call` of a contract, at that block's hash where it is known. */
  | {
      readonly kind: 'read'
      readonly to: Address
      readonly call: string
      readonly data: Hex
      readonly block: BlockNumber | null
      readonly blockHash: Hash | null
    }
  | {
      readonly kind: 'log'
      readonly block: BlockNumber
      /** Known of the newest block only. */
      readonly blockHash: Hash | null
      readonly txHash: Hash
      readonly logIndex: number
    }
  /** All logs of an `eth_getLogs` filter; `topic` is the second topic, where the filter has one. */
  | {
      readonly kind: 'logs'
      readonly address: Address
      readonly topic: Hash | null
      readonly fromBlock: BlockNumber
      readonly toBlock: BlockNumber
    }
  /** The header of a block. */
  | { readonly kind: 'block'; readonly block: BlockNumber; readonly blockHash: Hash | null }
  | {
      readonly kind: 'quote'
      readonly source: string
      readonly publishedTs: UnixSeconds
      readonly fetchedTs: UnixSeconds
    }
  /** The last reference of a token in a span of time, as the service keeps it for ever. */
  | {
      readonly kind: 'reference'
      readonly source: string
      readonly fromTs: UnixSeconds
      /** The span ends before this second. */
      readonly toTs: UnixSeconds
    }
  /** A list of this service, page by page. */
  | { readonly kind: 'request'; readonly path: string }
  /** What this service observed itself, such as its clock. */
  | { readonly kind: 'service'; readonly ts: UnixSeconds }

export type ProvenanceInput = {
  /** As in the formula. */
  readonly name: string
  /** Text: an exact integer. Null: not known, or a list. */
  readonly value: number | string | null
  readonly unit: string
  readonly source: InputSource
}

/** How one number of a pool was made. */
export type FieldProvenance = {
  /** A field of the pool's row, or a step on the way to one. */
  readonly field: string
  /** Whether the pool's row has this field. */
  readonly published: boolean
  readonly value: number | string | null
  readonly unit: string
  /** Anchor of docs/methodology.md. */
  readonly section: string
  readonly formula: string
  readonly inputs: readonly ProvenanceInput[]
  /** Null with a value. */
  readonly reason: NullReason | null
  /** Inputs without a value, other than lists. */
  readonly missing: readonly string[]
}

/** One entry of the pool's tick map; integers as decimal text. */
export type TickView = {
  readonly tick: number
  readonly liquidityNet: string
  readonly liquidityGross: string
}

/** How every number of a pool's row was made, all of one state. */
export type PoolProvenanceView = {
  readonly poolId: PoolId
  readonly methodologyVersion: string
  readonly asOfHash: Hash | null
  readonly fields: readonly FieldProvenance[]
  /** The list `ticks` of the formulas; null if it is not known, or too long. */
  readonly ticks: readonly TickView[] | null
  /** Null in an answer about the last indexed block. */
  readonly past: PastBlockView | null
} & AnswerOrigin
