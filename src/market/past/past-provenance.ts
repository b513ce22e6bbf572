import { getProtocol } from '../../domain/dex/find-protocol.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import { listTicks } from '../../domain/pool/tick-map.ts'
import { explainPool } from '../../domain/provenance/explain-pool.ts'
import type { PoolProvenanceView } from '../../domain/views/provenance.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import { type ListedPool, otherTokenOf, stockTokenOf } from '../model/model-pool.ts'
import type { AskedMoment, PoolAtFault } from '../past.ts'
import type { StateViewOf } from '../queries/provenance.ts'
import type { MarketInputs } from '../valuation/market-inputs.ts'
import { type PoolAtBlock, readPoolAtBlock } from './past-pool.ts'
import { readPastRecord, toPastView } from './past-record.ts'
import { pastGapsOf } from './past-volume.ts'

type Given = {
  readonly header: IndexHeader
  readonly present: MarketInputs
  readonly asked: AskedMoment
  readonly stateViewOf: StateViewOf
}

const explainAt = async (
  snapshot: StoreSnapshot,
  past: PoolAtBlock,
  { present, stateViewOf }: Given,
): Promise<PoolProvenanceView> => {
  const { pool, at, tracked, lastSwap } = past
  const { record, inputs, context, points } = await readPastRecord(snapshot, past, present)
  const { id, protocol, venue } = tracked.identity
  const isMapKnown = tracked.state.reserves !== null && tracked.state.mapFault === null
  const ofToken = { quotes: [], multiplier: null, multiplierCall: null, asset: null }
  const block = await snapshot.block(at.block)
  return explainPool(record, {
    inputs,
    context,
    past: toPastView(past, at.timed.ts),
    asOfHash: block?.hash ?? null,
    ticks: isMapKnown ? listTicks(tracked.tickMap) : null,
    lastSwap,
    stateCalls: getProtocol(protocol).stateCalls(id, stateViewOf(venue)),
    stockQuotes: { ...ofToken, address: stockTokenOf(pool).address, kept: points.stock },
    otherQuotes:
      record.kind === 'meme'
        ? null
        : { ...ofToken, address: otherTokenOf(pool).address, kept: points.other },
    gaps: pastGapsOf(past),
  })
}

/** How the numbers of a pool's row of a past block were made, from one snapshot. */
export const readProvenanceAt = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  given: Given,
): Promise<Outcome<PoolProvenanceView, PoolAtFault>> => {
  const past = await readPoolAtBlock(snapshot, pool, given)
  return past.ok ? success(await explainAt(snapshot, past.value, given)) : past
}
