import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolCoverage } from '../../domain/status/pool-coverage.ts'
import type { CoveragePass } from '../../domain/status/venue-coverage.ts'
import type { BlockNumber, Hash, UnixSeconds } from '../../domain/units.ts'
import type { BackfillCursor, IndexHeader, ReplacementRecord } from '../../ports/store-batches.ts'
import { flag, hex, integer, oneOf, orNull, text } from './codec.ts'
import { toReplacement } from './replacement-table.ts'
import { columnList, type Table, table } from './table.ts'

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
  replacementEpoch: orNull(integer),
  replacementBlock: orNull(integer),
  replacementTs: orNull(integer),
  stocksReadTs: orNull(integer),
  coverageTs: orNull(integer),
  coverageChecked: orNull(integer),
  coverageMissing: orNull(integer),
  coveragePass: orNull(text),
  swapsKeptSince: orNull(integer),
})

const toBlockRef = (
  block: BlockNumber | null,
  hash: Hash | null,
  ts: UnixSeconds | null,
): BlockRef | null => (block === null || hash === null || ts === null ? null : { block, hash, ts })

const toBackfillCursor = (
  after: BlockRef | null,
  { floor, top, poolMax }: { readonly [Name in 'floor' | 'top' | 'poolMax']: number | null },
): BackfillCursor | null =>
  after === null || floor === null || top === null || poolMax === null
    ? null
    : { completeAfter: after, firstBlock: floor, startedAt: top, lastPoolNumber: poolMax }

const toLastReplacement = (
  epoch: number | null,
  block: BlockNumber | null,
  ts: UnixSeconds | null,
): ReplacementRecord | null => (epoch === null ? null : toReplacement({ epoch, block, ts }))

const toCoverage = (
  checkedTs: UnixSeconds | null,
  checked: number | null,
  missing: number | null,
): PoolCoverage | null =>
  checkedTs === null || checked === null || missing === null
    ? null
    : { checkedTs, checked, missing }

/** This program wrote the text, by `toRow`. */
const toCoveragePass = (json: string): CoveragePass => JSON.parse(json)

/** The one row of cursors and counters, whose columns keep the names of the first schema. */
export const headers: Table<IndexHeader> = {
  name: rows.name,
  columns: rows.columns,
  forms: rows.forms,
  toRow: ({
    identity,
    cursor,
    finalizedCursor,
    head,
    progress,
    backfillCursor,
    crossChecked,
    lastReplacement,
    coverage,
    coveragePass,
    ...header
  }) =>
    rows.toRow({
      ...header,
      ...identity,
      verified: crossChecked,
      indexedBlock: cursor?.block ?? null,
      indexedHash: cursor?.hash ?? null,
      indexedTs: cursor?.ts ?? null,
      settledBlock: finalizedCursor?.block ?? null,
      settledHash: finalizedCursor?.hash ?? null,
      settledTs: finalizedCursor?.ts ?? null,
      headBlock: head?.block ?? null,
      headHash: head?.hash ?? null,
      headTs: head?.ts ?? null,
      backfillPhase: progress.phase,
      backfillDone: progress.done,
      backfillTotal: progress.total,
      historyBlock: backfillCursor?.completeAfter.block ?? null,
      historyHash: backfillCursor?.completeAfter.hash ?? null,
      historyTs: backfillCursor?.completeAfter.ts ?? null,
      historyFloor: backfillCursor?.firstBlock ?? null,
      historyTop: backfillCursor?.startedAt ?? null,
      historyPoolMax: backfillCursor?.lastPoolNumber ?? null,
      replacementEpoch: lastReplacement?.epoch ?? null,
      replacementBlock: lastReplacement?.ancestor?.block ?? null,
      replacementTs: lastReplacement?.ancestor?.ts ?? null,
      coverageTs: coverage?.checkedTs ?? null,
      coverageChecked: coverage?.checked ?? null,
      coverageMissing: coverage?.missing ?? null,
      coveragePass: coveragePass && JSON.stringify(coveragePass),
    }),
  fromRow: (columns) => {
    const row = rows.fromRow(columns)
    const completeAfter = toBlockRef(row.historyBlock, row.historyHash, row.historyTs)
    return {
      revision: row.revision,
      epoch: row.epoch,
      identity: { chainId: row.chainId, network: row.network, originHash: row.originHash },
      cursor: toBlockRef(row.indexedBlock, row.indexedHash, row.indexedTs),
      finalizedCursor: toBlockRef(row.settledBlock, row.settledHash, row.settledTs),
      head: toBlockRef(row.headBlock, row.headHash, row.headTs),
      crossChecked: row.verified,
      repairs: row.repairs,
      progress: { phase: row.backfillPhase, done: row.backfillDone, total: row.backfillTotal },
      backfillCursor: toBackfillCursor(completeAfter, {
        floor: row.historyFloor,
        top: row.historyTop,
        poolMax: row.historyPoolMax,
      }),
      lastReplacement: toLastReplacement(
        row.replacementEpoch,
        row.replacementBlock,
        row.replacementTs,
      ),
      enrichedTs: row.enrichedTs,
      writerStartedTs: row.writerStartedTs,
      stocksReadTs: row.stocksReadTs,
      coverage: toCoverage(row.coverageTs, row.coverageChecked, row.coverageMissing),
      coveragePass: row.coveragePass === null ? null : toCoveragePass(row.coveragePass),
      swapsKeptSince: row.swapsKeptSince,
    }
  },
}

export const headerQuery = `SELECT ${columnList(headers)} FROM header WHERE id = 1`
