import type { Anchor } from '../../domain/chain/block-ref.ts'
import type { BlockNumber, Hash, UnixSeconds } from '../../domain/units.ts'
import type { History, StoreHeader } from '../../ports/store-batches.ts'
import { flag, hex, integer, oneOf, orNull, text } from './codec.ts'
import { columnsOf, type Table, table } from './table.ts'

const rows = table('header', {
  revision: integer,
  epoch: integer,
  chainId: integer,
  network: text,
  originHash: orNull(hex),
  indexedBlock: orNull(integer),
  indexedHash: orNull(hex),
  indexedTs: orNull(integer),
  settledBlock: orNull(integer),
  settledHash: orNull(hex),
  settledTs: orNull(integer),
  headBlock: orNull(integer),
  headHash: orNull(hex),
  headTs: orNull(integer),
  verified: flag,
  repairs: integer,
  backfillPhase: oneOf(['discover', 'liquidity', 'state', 'swaps', 'done']),
  backfillDone: integer,
  backfillTotal: integer,
  historyBlock: orNull(integer),
  historyHash: orNull(hex),
  historyTs: orNull(integer),
  historyFloor: orNull(integer),
  historyTop: orNull(integer),
  historyPoolMax: orNull(integer),
  enrichedTs: orNull(integer),
  writerStartedTs: orNull(integer),
})

const anchorOf = (
  block: BlockNumber | null,
  hash: Hash | null,
  ts: UnixSeconds | null,
): Anchor | null => (block === null || hash === null || ts === null ? null : { block, hash, ts })

const historyOf = (
  after: Anchor | null,
  { floor, top, poolMax }: { readonly [Name in 'floor' | 'top' | 'poolMax']: number | null },
): History | null =>
  after === null || floor === null || top === null || poolMax === null
    ? null
    : { after, floor, top, poolMax }

/** The one row that says where everything stands. */
export const headers: Table<StoreHeader> = {
  name: rows.name,
  columns: rows.columns,
  forms: rows.forms,
  toRow: ({ identity, indexed, settled, head, backfill, history, ...header }) =>
    rows.toRow({
      ...header,
      ...identity,
      indexedBlock: indexed?.block ?? null,
      indexedHash: indexed?.hash ?? null,
      indexedTs: indexed?.ts ?? null,
      settledBlock: settled?.block ?? null,
      settledHash: settled?.hash ?? null,
      settledTs: settled?.ts ?? null,
      headBlock: head?.block ?? null,
      headHash: head?.hash ?? null,
      headTs: head?.ts ?? null,
      backfillPhase: backfill.phase,
      backfillDone: backfill.done,
      backfillTotal: backfill.total,
      historyBlock: history?.after.block ?? null,
      historyHash: history?.after.hash ?? null,
      historyTs: history?.after.ts ?? null,
      historyFloor: history?.floor ?? null,
      historyTop: history?.top ?? null,
      historyPoolMax: history?.poolMax ?? null,
    }),
  fromRow: (columns) => {
    const row = rows.fromRow(columns)
    const historyAfter = anchorOf(row.historyBlock, row.historyHash, row.historyTs)
    return {
      revision: row.revision,
      epoch: row.epoch,
      identity: { chainId: row.chainId, network: row.network, originHash: row.originHash },
      indexed: anchorOf(row.indexedBlock, row.indexedHash, row.indexedTs),
      settled: anchorOf(row.settledBlock, row.settledHash, row.settledTs),
      head: anchorOf(row.headBlock, row.headHash, row.headTs),
      verified: row.verified,
      repairs: row.repairs,
      backfill: { phase: row.backfillPhase, done: row.backfillDone, total: row.backfillTotal },
      history: historyOf(historyAfter, {
        floor: row.historyFloor,
        top: row.historyTop,
        poolMax: row.historyPoolMax,
      }),
      enrichedTs: row.enrichedTs,
      writerStartedTs: row.writerStartedTs,
    }
  },
}

export const headerText = `SELECT ${columnsOf(headers)} FROM header WHERE id = 1`
