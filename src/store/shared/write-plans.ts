import { isDeepStrictEqual } from 'node:util'
import { type BlockRef, isSameBlock } from '../../domain/chain/block-ref.ts'
import { type ChainIdentity, isSameChain } from '../../domain/chain/chain-identity.ts'
import type { PoolCoverage } from '../../domain/status/pool-coverage.ts'
import type { CoveragePass } from '../../domain/status/venue-coverage.ts'
import type { Hash, UnixSeconds } from '../../domain/units.ts'
import type {
  BackfillBatch,
  BootstrapBatch,
  BootstrapState,
  BranchReplacement,
  FinalityUpdate,
  IndexHeader,
  PoolSeedBatch,
  RangeBatch,
  SyncProgress,
} from '../../ports/store-batches.ts'

/**
 * Decides whether a write is new, already applied or stale, the same in every store. A plan is the
 * port's answer and the header to write; null: nothing is written.
 */
export type Plan<Answer> = { readonly answer: Answer; readonly header: IndexHeader | null }

type CommitResult = 'committed' | 'stale-cursor'

const stale = { answer: 'stale-cursor', header: null } as const
const alreadyApplied = { answer: 'committed', header: null } as const

const committed = (
  stored: IndexHeader,
  changes: Partial<IndexHeader>,
): { readonly answer: 'committed'; readonly header: IndexHeader } => ({
  answer: 'committed',
  header: { ...stored, revision: stored.revision + 1, ...changes },
})

const initialHeader = (identity: ChainIdentity, startedTs: UnixSeconds): IndexHeader => ({
  revision: 0,
  epoch: 0,
  identity,
  cursor: null,
  finalizedCursor: null,
  head: null,
  crossChecked: false,
  repairs: 0,
  progress: { phase: 'discover', done: 0, total: 0 },
  backfillCursor: null,
  lastReplacement: null,
  enrichedTs: null,
  stocksReadTs: null,
  coverage: null,
  coveragePass: null,
  swapsKeptSince: null,
  writerStartedTs: startedTs,
})

/** No chain has confirmed the identity, which may be mistyped. */
const isUnconfirmed = ({ identity, cursor }: IndexHeader): boolean =>
  identity.originHash === null && cursor === null

/** Tables that may have rows before the chain was reached; cleared when a claim is replaced. */
export const tablesWithoutChain = [
  'sources',
  'quotes',
  'reference_points',
  'reserves',
  'tokens',
  'stocks',
] as const

/** Whether the block is the store's newest one or its newest finalized one. */
const isAtBlock = (stored: IndexHeader | null, { hash }: BlockRef): boolean =>
  stored?.cursor?.hash === hash || stored?.finalizedCursor?.hash === hash

/** `clearsTables`: the claim replaces one that no chain has confirmed. */
export const planClaim = (
  {
    identity,
    startedTs,
    proof,
  }: {
    readonly identity: ChainIdentity
    readonly startedTs: UnixSeconds
    readonly proof: BlockRef | null
  },
  stored: IndexHeader | null,
): Plan<'ready' | 'other-chain'> & { readonly clearsTables: boolean } => {
  const isProven = proof !== null && isAtBlock(stored, proof)
  const claimed = isProven ? { ...identity, originHash: null } : identity
  const isSame = stored === null || isSameChain(stored.identity, claimed)
  if (!isSame && !isUnconfirmed(stored))
    return { answer: 'other-chain', header: null, clearsTables: false }
  const initial = initialHeader(identity, startedTs)
  // Readers that are connected already must see a change.
  const header = isSame ? (stored ?? initial) : { ...initial, revision: stored.revision + 1 }
  const originHash = (isProven ? null : header.identity.originHash) ?? identity.originHash
  return {
    answer: 'ready',
    header: { ...header, identity: { ...identity, originHash }, writerStartedTs: startedTs },
    clearsTables: !isSame,
  }
}

/** The batch ends at or below the cursor: the hash of the stored block decides. */
export const mayBeCommitted = ({ to }: RangeBatch, { cursor }: IndexHeader): boolean =>
  cursor !== null && cursor.block >= to.block

/** `storedHash`: of the stored block at the batch's end, read only if `mayBeCommitted`. */
export const planRange = (
  batch: RangeBatch,
  stored: IndexHeader,
  storedHash: Hash | null,
): Plan<CommitResult> => {
  const { expectedCursor, to: cursor, head, progress } = batch
  if (mayBeCommitted(batch, stored)) return storedHash === cursor.hash ? alreadyApplied : stale
  if ((stored.cursor?.block ?? null) !== expectedCursor) return stale
  return committed(stored, { cursor, head, progress })
}

/** A branch may end at the block that it replaces: only the epoch shows whether it is applied. */
export const planBranchReplacement = (
  { epoch, cursor, ancestor, branch, repairs }: BranchReplacement,
  stored: IndexHeader,
): Plan<CommitResult | 'below-finalized'> => {
  const isAt = (hash: string) => stored.cursor?.hash === hash
  if (stored.epoch === epoch + 1 && isAt(branch.to.hash)) return alreadyApplied
  if (stored.epoch !== epoch || !isAt(cursor.hash)) return stale
  const isBelow = (ancestor?.block ?? -1) < (stored.finalizedCursor?.block ?? -1)
  if (isBelow) return { answer: 'below-finalized', header: null }
  const stays = ancestor === null ? null : { block: ancestor.block, ts: ancestor.ts }
  return committed(stored, {
    epoch: epoch + 1,
    lastReplacement: { epoch: epoch + 1, ancestor: stays },
    cursor: branch.to,
    head: branch.head,
    progress: branch.progress,
    repairs: stored.repairs + repairs,
  })
}

export const planFinality = (
  { expectedCursor, to, crossChecked }: FinalityUpdate,
  stored: IndexHeader,
): Plan<CommitResult> => {
  const { finalizedCursor, cursor } = stored
  if (isSameBlock(finalizedCursor, to)) return alreadyApplied
  const isExpected = (finalizedCursor?.block ?? null) === expectedCursor
  const isNext = isExpected && to.block > (expectedCursor ?? -1)
  const isIndexed = cursor !== null && to.block <= cursor.block
  return isNext && isIndexed ? committed(stored, { finalizedCursor: to, crossChecked }) : stale
}

/** The cursor is the block that the batch ends at, or there is none. */
const isAtCursor = ({ expectedCursor, at }: PoolSeedBatch, { cursor }: IndexHeader): boolean =>
  cursor === null
    ? expectedCursor === null
    : cursor.block === expectedCursor && isSameBlock(cursor, at)

/** The batch ends where the bootstrap ended, or there is no bootstrap. */
const endsBootstrap = (
  at: BlockRef,
  bootstrap: Omit<BootstrapState, 'tickMapCursors'> | null,
): boolean =>
  bootstrap === null || (bootstrap.discoveredTo === at.block && bootstrap.to.hash === at.hash)

export const planSeed = (
  batch: PoolSeedBatch,
  stored: IndexHeader,
  bootstrap: Omit<BootstrapState, 'tickMapCursors'> | null,
): Plan<CommitResult> => {
  if (!isAtCursor(batch, stored) || !endsBootstrap(batch.at, bootstrap)) return stale
  const { at: cursor, head, progress } = batch
  // The batch adds swaps of blocks that readers have summed already.
  const isLate = batch.expectedCursor !== null && batch.swaps.length > 0
  const epoch = isLate ? stored.epoch + 1 : stored.epoch
  const backfillCursor = batch.backfillCursor ?? stored.backfillCursor
  return committed(stored, { epoch, cursor, head, progress, backfillCursor })
}

export const planBackfill = (
  { expectedCursor, after, progress }: BackfillBatch,
  stored: IndexHeader,
): Plan<CommitResult> => {
  const { backfillCursor } = stored
  if (backfillCursor === null) return stale
  const { completeAfter } = backfillCursor
  const isApplied = isSameBlock(completeAfter, after)
  if (isApplied && after.block !== expectedCursor) return alreadyApplied
  if (completeAfter.block !== expectedCursor || after.block > expectedCursor) return stale
  return committed(stored, {
    progress,
    backfillCursor: { ...backfillCursor, completeAfter: after },
  })
}

/** `steps`: batches written so far. Stale once the cursor is set. */
export const planBootstrap = (
  { expectedSteps, progress }: BootstrapBatch,
  stored: IndexHeader,
  steps: number,
): Plan<CommitResult> =>
  stored.cursor === null && steps === expectedSteps ? committed(stored, { progress }) : stale

/** Tables of chain data without prices, which a reset clears. */
export const chainTables = [
  'pools',
  'ticks',
  'swaps',
  'liquidity_changes',
  'candles',
  'blocks',
  'reserves',
  'searched',
  'first_reading',
  'first_maps',
] as const

export const planReset = (cursor: BlockRef | null, stored: IndexHeader): Plan<CommitResult> => {
  const isExpected = stored.cursor?.hash === cursor?.hash
  if (!isExpected || stored.finalizedCursor !== null) return stale
  return committed(stored, {
    // Readers must drop the sums of deleted pools.
    epoch: stored.epoch + 1,
    cursor: null,
    head: null,
    backfillCursor: null,
    coverage: null,
    coveragePass: null,
    swapsKeptSince: null,
    progress: { phase: 'discover', done: 0, total: 0 },
  })
}

/** The rows and header fields that a write changed. */
export type Change = { readonly rows: number; readonly header?: Partial<IndexHeader> }

/** Increments the revision if anything changed; null: nothing is written. */
export const nextHeader = (stored: IndexHeader, { rows, header }: Change): IndexHeader | null =>
  rows === 0 && header === undefined
    ? null
    : { ...stored, ...header, revision: stored.revision + 1 }

const isSameProgress = (one: SyncProgress, other: SyncProgress): boolean =>
  one.phase === other.phase && one.done === other.done && one.total === other.total

export const progressChange = (stored: IndexHeader, progress: SyncProgress): Change =>
  isSameProgress(stored.progress, progress) ? { rows: 0 } : { rows: 0, header: { progress } }

export const headChange = (stored: IndexHeader, head: BlockRef): Change =>
  isSameBlock(stored.head, head) ? { rows: 0 } : { rows: 0, header: { head } }

export const coverageChange = (stored: IndexHeader, coverage: PoolCoverage): Change => {
  const { checkedTs, checked, missing } = stored.coverage ?? {}
  const isSame =
    checkedTs === coverage.checkedTs && checked === coverage.checked && missing === coverage.missing
  return isSame ? { rows: 0 } : { rows: 0, header: { coverage } }
}

export const coveragePassChange = ({ coveragePass }: IndexHeader, pass: CoveragePass): Change =>
  isDeepStrictEqual(coveragePass, pass) ? { rows: 0 } : { rows: 0, header: { coveragePass: pass } }

/** A pass that has changed no stock only moves the time of all. */
export const stocksChange = (
  stored: IndexHeader,
  passTs: UnixSeconds | undefined,
  rows: number,
): Change =>
  passTs === undefined || passTs === stored.stocksReadTs
    ? { rows }
    : { rows, header: { stocksReadTs: passTs } }

/** A pass without changed rows is a change as well: it updates `enrichedTs`. */
export const enrichmentChange = (stored: IndexHeader, ts: UnixSeconds, rows: number): Change =>
  rows === 0 && stored.enrichedTs === ts ? { rows } : { rows, header: { enrichedTs: ts } }
