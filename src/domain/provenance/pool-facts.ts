import { getProtocol } from '../dex/find-protocol.ts'
import type { StateCall, StateCalls } from '../dex/protocol.ts'
import type { ReferencePoint, StoredSwap } from '../pool/stored-rows.ts'
import type { Tick } from '../pool/tick-map.ts'
import type { Quote } from '../price/quote.ts'
import type { ReferenceResult } from '../price/reference-price.ts'
import type { Multiplier } from '../stock/multiplier.ts'
import type { MultiplierCall } from '../stock/proofs/proof.ts'
import type { Address, BlockNumber, Hash, UnixSeconds } from '../units.ts'
import type { PoolInputs, ValuationContext } from '../valuation/pool-inputs.ts'
import type { PastBlockView, PoolView } from '../views/pool.ts'
import type { InputSource, NullReason, PoolProvenanceView } from '../views/provenance.ts'
import type { LedgerInput } from './ledger.ts'

/** What the reference of a token was chosen from. */
export type TokenQuotes = {
  readonly address: Address
  readonly quotes: readonly Quote[]
  /** Of a stock; null for others and while it is not known. */
  readonly multiplier: Multiplier | null
  /** The call that returned it; null: it follows from the network file. */
  readonly multiplierCall: MultiplierCall | null
  /** Of a wrapper: the reference of its asset, which its own follows from; else null. */
  readonly asset: ReferenceResult | null
  /** The stored reference of a past record, in place of quotes; else null. */
  readonly kept: ReferencePoint | null
}

/** Everything that the numbers of one pool were made from. */
export type PoolFacts = {
  readonly inputs: PoolInputs
  readonly context: ValuationContext
  /** Null of the present. */
  readonly past: PastBlockView | null
  /** Hash of the block, where it is known. */
  readonly asOfHash: Hash | null
  /** The pool's tick map; null if it is not known. */
  readonly ticks: readonly Tick[] | null
  /** Null if there was none, or its row was deleted. */
  readonly lastSwap: Pick<StoredSwap, 'block' | 'txHash' | 'logIndex'> | null
  /** Calls for slot0, liquidity and more; null without a contract that answers them. */
  readonly stateCalls: StateCalls | null
  readonly stockQuotes: TokenQuotes
  /** Null for a meme. */
  readonly otherQuotes: TokenQuotes | null
  /** Volume windows in which swaps are missing (docs/methodology.md §8). */
  readonly gaps: { readonly hour: boolean; readonly day: boolean }
}

/** More ticks than nearly all pools have; the logs give the others. */
const ticksMax = 4000

type Origin = Pick<PoolFacts, 'context' | 'asOfHash'>

export const blockSource = ({ context, asOfHash }: Origin): InputSource => ({
  kind: 'block',
  block: context.asOf.block,
  blockHash: asOfHash,
})

/** A call at the block of the answer. */
export const readSource = (
  { context, asOfHash }: Origin,
  call: string,
  { to, data }: StateCall,
): InputSource => ({
  kind: 'read',
  to,
  call,
  data,
  block: context.asOf.block,
  blockHash: asOfHash,
})

/** All logs of a pool between two blocks. */
export const poolLogsSource = (
  { id, protocol, venue }: PoolInputs['pool'],
  range: { readonly fromBlock: BlockNumber; readonly toBlock: BlockNumber },
): InputSource =>
  getProtocol(protocol).emitter === 'pool'
    ? { kind: 'logs', address: id, topic: null, ...range }
    : { kind: 'logs', address: venue, topic: id, ...range }

export const serviceSource = (ts: UnixSeconds): InputSource => ({ kind: 'service', ts })

export const inputOf = (
  name: string,
  value: number | string | null,
  {
    unit,
    source,
    reason = null,
  }: {
    readonly unit: string
    readonly source: InputSource
    readonly reason?: NullReason | null
  },
): LedgerInput => ({ name, value, unit, source, reason: value === null ? reason : null })

/** A condition of a formula. */
export const conditionOf = (name: string, holds: boolean, source: InputSource): LedgerInput =>
  inputOf(name, holds ? 1 : 0, { unit: '1 or 0', source })

/** The list of the answer, where the reserves are of the tick map. */
export const ticksOf = (
  { reserveSource }: Pick<PoolView, 'reserveSource'>,
  { ticks }: PoolFacts,
): PoolProvenanceView['ticks'] =>
  reserveSource !== 'ticks' || ticks === null || ticks.length > ticksMax
    ? null
    : ticks.map(({ tick, net, gross }) => ({
        tick,
        liquidityNet: String(net),
        liquidityGross: String(gross),
      }))
