import { type BlockRef, isSameBlock } from '../../domain/chain/block-ref.ts'
import { type ChainIdentity, isSameChain } from '../../domain/chain/chain-identity.ts'
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
 * How a write stands to what is stored: the fences that let each range in exactly once, the same in
 * every store. A plan is the port's answer and the header to write; null: nothing is written.
 */
export type Plan<Answer> = { readonly answer: Answer; readonly header: IndexHeader | null }

type Fenced = 'committed' | 'stale-cursor'

const stale = { answer: 'stale-cursor', header: null } as const
const alreadyIn = { answer: 'committed', header: null } as const

const committed = (
  stored: IndexHeader,
  changes: Partial<IndexHeader>,
): { readonly answer: 'committed'; readonly header: IndexHeader } => ({
  answer: 'committed',
  header: { ...stored, revision: stored.revision + 1, ...changes },
})

/** The header of a store that has been claimed and holds nothing yet. */
const headerAtBirth = (identity: ChainIdentity, startedTs: UnixSeconds): IndexHeader => ({
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
  enrichedTs: null,
  writerStartedTs: startedTs,
})

/** No chain ever answered for it: perhaps the identity was mistyped. */
const isUnproved = ({ identity, cursor }: IndexHeader): boolean =>
  identity.originHash === null && cursor === null

/** All that can be written before the chain was reached: a claim that gives way takes it along. */
export const tablesWithoutChain = [
  'sources',
  'quotes',
  'reference_points',
  'reserves',
  'tokens',
  'stocks',
] as const

/** Whether what stands before the claim is cleared, and the header after it. */
export const planClaim = (
  identity: ChainIdentity,
  startedTs: UnixSeconds,
  stored: IndexHeader | null,
): Plan<'ready' | 'other-chain'> & { readonly clears: boolean } => {
  const kept = stored === null || isSameChain(stored.identity, identity)
  if (!kept && !isUnproved(stored)) return { answer: 'other-chain', header: null, clears: false }
  const birth = headerAtBirth(identity, startedTs)
  // Readers that look on already must see that something changed.
  const standing = kept ? (stored ?? birth) : { ...birth, revision: stored.revision + 1 }
  const originHash = standing.identity.originHash ?? identity.originHash
  return {
    answer: 'ready',
    header: { ...standing, identity: { ...identity, originHash }, writerStartedTs: startedTs },
    clears: !kept,
  }
}

/** It ends where something is stored already: the hash that is kept there tells which it is. */
export const mayBeCommitted = ({ to }: RangeBatch, { cursor }: IndexHeader): boolean =>
  cursor !== null && cursor.block >= to.block

/** `keptHash`: of the kept block at the batch's end; asked for only if it may be in. */
export const planRange = (
  batch: RangeBatch,
  stored: IndexHeader,
  keptHash: Hash | null,
): Plan<Fenced> => {
  const { expectedCursor, to: indexed, head, progress: backfill } = batch
  if (mayBeCommitted(batch, stored)) return keptHash === indexed.hash ? alreadyIn : stale
  if ((stored.cursor?.block ?? null) !== expectedCursor) return stale
  return committed(stored, { cursor: indexed, head, progress: backfill })
}

/** A branch may end at the block that it replaces: only the epoch tells whether it is in. */
export const planBranchReplacement = (
  { epoch, cursor: indexed, ancestor, branch, repairs }: BranchReplacement,
  stored: IndexHeader,
): Plan<Fenced | 'below-finalized'> => {
  const isAt = (hash: string) => stored.cursor?.hash === hash
  if (stored.epoch === epoch + 1 && isAt(branch.to.hash)) return alreadyIn
  if (stored.epoch !== epoch || !isAt(indexed.hash)) return stale
  const isBelow = (ancestor?.block ?? -1) < (stored.finalizedCursor?.block ?? -1)
  if (isBelow) return { answer: 'below-finalized', header: null }
  return committed(stored, {
    epoch: epoch + 1,
    cursor: branch.to,
    head: branch.head,
    progress: branch.progress,
    repairs: stored.repairs + repairs,
  })
}

export const planFinality = (
  { expectedCursor: before, to, crossChecked: verified }: FinalityUpdate,
  stored: IndexHeader,
): Plan<Fenced> => {
  const { finalizedCursor, cursor } = stored
  if (isSameBlock(finalizedCursor, to)) return alreadyIn
  const isNext = (finalizedCursor?.block ?? null) === before && to.block > (before ?? -1)
  const isIndexed = cursor !== null && to.block <= cursor.block
  return isNext && isIndexed
    ? committed(stored, { finalizedCursor: to, crossChecked: verified })
    : stale
}

/** The cursor stands where the adoption's knowledge ends, or there is none yet. */
const isFitting = (
  { expectedCursor: before, at }: PoolSeedBatch,
  { cursor }: IndexHeader,
): boolean =>
  cursor === null
    ? before === null
    : cursor.block === before && before === at.block && cursor.hash === at.hash

/** An adoption takes in all of what was read, or there is nothing that it could contradict. */
const endsReading = (
  at: BlockRef,
  reading: Omit<BootstrapState, 'tickMapCursors'> | null,
): boolean => reading === null || (reading.discoveredTo === at.block && reading.to.hash === at.hash)

export const planSeed = (
  adoption: PoolSeedBatch,
  stored: IndexHeader,
  reading: Omit<BootstrapState, 'tickMapCursors'> | null,
): Plan<Fenced> => {
  if (!isFitting(adoption, stored) || !endsReading(adoption.at, reading)) return stale
  const { at: indexed, head, progress: backfill } = adoption
  // Swaps of blocks that were counted already have come: sums are to be made anew.
  const isLate = adoption.expectedCursor !== null && adoption.swaps.length > 0
  const epoch = isLate ? stored.epoch + 1 : stored.epoch
  const history = adoption.backfillCursor ?? stored.backfillCursor
  return committed(stored, {
    epoch,
    cursor: indexed,
    head,
    progress: backfill,
    backfillCursor: history,
  })
}

export const planBackfill = (
  { expectedCursor: before, after, progress: backfill }: BackfillBatch,
  stored: IndexHeader,
): Plan<Fenced> => {
  const { backfillCursor } = stored
  if (backfillCursor === null) return stale
  const isIn = isSameBlock(backfillCursor.completeAfter, after)
  if (isIn && after.block !== before) return alreadyIn
  if (backfillCursor.completeAfter.block !== before || after.block > before) return stale
  return committed(stored, {
    progress: backfill,
    backfillCursor: { ...backfillCursor, completeAfter: after },
  })
}

/** `steps`: how many are in; none comes in once a block is indexed. */
export const planBootstrap = (
  { expectedSteps: before, progress: backfill }: BootstrapBatch,
  stored: IndexHeader,
  steps: number,
): Plan<Fenced> =>
  stored.cursor === null && steps === before ? committed(stored, { progress: backfill }) : stale

/** All that is read of a chain, except prices: what is dropped with a reading. */
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

export const planReset = (indexed: BlockRef | null, stored: IndexHeader): Plan<Fenced> => {
  const isMeant = stored.cursor?.hash === indexed?.hash
  if (!isMeant || stored.finalizedCursor !== null) return stale
  return committed(stored, {
    // Pools that are not there any more leave readers with sums that must be made anew.
    epoch: stored.epoch + 1,
    cursor: null,
    head: null,
    backfillCursor: null,
    progress: { phase: 'discover', done: 0, total: 0 },
  })
}

/** What a piece of work did to the store: the fields of the header that it changed besides. */
export type Change = { readonly rows: number; readonly header?: Partial<IndexHeader> }

/** One revision more if anything changed; null: nothing is written. */
export const nextHeader = (stored: IndexHeader, { rows, header }: Change): IndexHeader | null =>
  rows === 0 && header === undefined
    ? null
    : { ...stored, ...header, revision: stored.revision + 1 }

const sameBackfill = (one: SyncProgress, other: SyncProgress): boolean =>
  one.phase === other.phase && one.done === other.done && one.total === other.total

export const progressChange = (stored: IndexHeader, backfill: SyncProgress): Change =>
  sameBackfill(stored.progress, backfill)
    ? { rows: 0 }
    : { rows: 0, header: { progress: backfill } }

export const headChange = (stored: IndexHeader, head: BlockRef): Change =>
  isSameBlock(stored.head, head) ? { rows: 0 } : { rows: 0, header: { head } }

/** A pass is news even when it found nothing: it says how fresh everything is. */
export const enrichmentChange = (stored: IndexHeader, ts: UnixSeconds, rows: number): Change =>
  rows === 0 && stored.enrichedTs === ts ? { rows } : { rows, header: { enrichedTs: ts } }
