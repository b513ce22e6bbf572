import { type Anchor, isSameBlock } from '../../domain/chain/block-ref.ts'
import { type ChainIdentity, isSameChain } from '../../domain/chain/chain-identity.ts'
import type { Hash, UnixSeconds } from '../../domain/units.ts'
import type {
  Adoption,
  Backfill,
  Batch,
  FirstReading,
  HistoryBatch,
  ReadingBatch,
  Replacement,
  Settling,
  StoreHeader,
} from '../../ports/store-batches.ts'

/**
 * How a write stands to what is stored: the fences that let each range in exactly once, the same in
 * every store. A plan is the port's answer and the header to write; null: nothing is written.
 */
export type Plan<Answer> = { readonly answer: Answer; readonly header: StoreHeader | null }

type Fenced = 'committed' | 'stale-cursor'

const stale = { answer: 'stale-cursor', header: null } as const
const alreadyIn = { answer: 'committed', header: null } as const

const committed = (
  stored: StoreHeader,
  changes: Partial<StoreHeader>,
): { readonly answer: 'committed'; readonly header: StoreHeader } => ({
  answer: 'committed',
  header: { ...stored, revision: stored.revision + 1, ...changes },
})

/** The header of a store that has been claimed and holds nothing yet. */
const headerAtBirth = (identity: ChainIdentity, startedTs: UnixSeconds): StoreHeader => ({
  revision: 0,
  epoch: 0,
  identity,
  indexed: null,
  settled: null,
  head: null,
  verified: false,
  repairs: 0,
  backfill: { phase: 'discover', done: 0, total: 0 },
  history: null,
  enrichedTs: null,
  writerStartedTs: startedTs,
})

/** No chain ever answered for it: perhaps the identity was mistyped. */
const isUnproved = ({ identity, indexed }: StoreHeader): boolean =>
  identity.originHash === null && indexed === null

/** All that can be written before the chain was reached: a claim that gives way takes it along. */
export const tablesBeforeChain = [
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
  stored: StoreHeader | null,
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
export const mayBeIn = ({ to }: Batch, { indexed }: StoreHeader): boolean =>
  indexed !== null && indexed.block >= to.block

/** `keptHash`: of the kept block at the batch's end; asked for only if it may be in. */
export const planCommit = (
  batch: Batch,
  stored: StoreHeader,
  keptHash: Hash | null,
): Plan<Fenced> => {
  const { before, to: indexed, head, backfill } = batch
  if (mayBeIn(batch, stored)) return keptHash === indexed.hash ? alreadyIn : stale
  if ((stored.indexed?.block ?? null) !== before) return stale
  return committed(stored, { indexed, head, backfill })
}

/** A branch may end at the block that it replaces: only the epoch tells whether it is in. */
export const planReplacement = (
  { epoch, indexed, ancestor, branch, repairs }: Replacement,
  stored: StoreHeader,
): Plan<Fenced | 'below-settled'> => {
  const isAt = (hash: string) => stored.indexed?.hash === hash
  if (stored.epoch === epoch + 1 && isAt(branch.to.hash)) return alreadyIn
  if (stored.epoch !== epoch || !isAt(indexed.hash)) return stale
  const isBelow = (ancestor?.block ?? -1) < (stored.settled?.block ?? -1)
  if (isBelow) return { answer: 'below-settled', header: null }
  return committed(stored, {
    epoch: epoch + 1,
    indexed: branch.to,
    head: branch.head,
    backfill: branch.backfill,
    repairs: stored.repairs + repairs,
  })
}

export const planSettling = (
  { before, to, verified }: Settling,
  stored: StoreHeader,
): Plan<Fenced> => {
  const { settled, indexed } = stored
  if (isSameBlock(settled, to)) return alreadyIn
  const isNext = (settled?.block ?? null) === before && to.block > (before ?? -1)
  const isIndexed = indexed !== null && to.block <= indexed.block
  return isNext && isIndexed ? committed(stored, { settled: to, verified }) : stale
}

/** The cursor stands where the adoption's knowledge ends, or there is none yet. */
const isFitting = ({ before, at }: Adoption, { indexed }: StoreHeader): boolean =>
  indexed === null
    ? before === null
    : indexed.block === before && before === at.block && indexed.hash === at.hash

/** An adoption takes in all of what was read, or there is nothing that it could contradict. */
const endsReading = (at: Anchor, reading: Omit<FirstReading, 'maps'> | null): boolean =>
  reading === null || (reading.foundTo === at.block && reading.to.hash === at.hash)

export const planAdoption = (
  adoption: Adoption,
  stored: StoreHeader,
  reading: Omit<FirstReading, 'maps'> | null,
): Plan<Fenced> => {
  if (!isFitting(adoption, stored) || !endsReading(adoption.at, reading)) return stale
  const { at: indexed, head, backfill } = adoption
  // Swaps of blocks that were counted already have come: sums are to be made anew.
  const isLate = adoption.before !== null && adoption.swaps.length > 0
  const epoch = isLate ? stored.epoch + 1 : stored.epoch
  const history = adoption.history ?? stored.history
  return committed(stored, { epoch, indexed, head, backfill, history })
}

export const planHistory = (
  { before, after, backfill }: HistoryBatch,
  stored: StoreHeader,
): Plan<Fenced> => {
  const { history } = stored
  if (history === null) return stale
  const isIn = isSameBlock(history.after, after)
  if (isIn && after.block !== before) return alreadyIn
  if (history.after.block !== before || after.block > before) return stale
  return committed(stored, { backfill, history: { ...history, after } })
}

/** `steps`: how many are in; none comes in once a block is indexed. */
export const planReading = (
  { before, backfill }: ReadingBatch,
  stored: StoreHeader,
  steps: number,
): Plan<Fenced> =>
  stored.indexed === null && steps === before ? committed(stored, { backfill }) : stale

/** All that is read of a chain, except prices: what is dropped with a reading. */
export const tablesOfChain = [
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

export const planDrop = (indexed: Anchor | null, stored: StoreHeader): Plan<Fenced> => {
  const isMeant = stored.indexed?.hash === indexed?.hash
  if (!isMeant || stored.settled !== null) return stale
  return committed(stored, {
    // Pools that are not there any more leave readers with sums that must be made anew.
    epoch: stored.epoch + 1,
    indexed: null,
    head: null,
    history: null,
    backfill: { phase: 'discover', done: 0, total: 0 },
  })
}

/** What a piece of work did to the store: the fields of the header that it changed besides. */
export type Change = { readonly rows: number; readonly header?: Partial<StoreHeader> }

/** One revision more if anything changed; null: nothing is written. */
export const headerAfter = (stored: StoreHeader, { rows, header }: Change): StoreHeader | null =>
  rows === 0 && header === undefined
    ? null
    : { ...stored, ...header, revision: stored.revision + 1 }

const sameBackfill = (one: Backfill, other: Backfill): boolean =>
  one.phase === other.phase && one.done === other.done && one.total === other.total

export const backfillChange = (stored: StoreHeader, backfill: Backfill): Change =>
  sameBackfill(stored.backfill, backfill) ? { rows: 0 } : { rows: 0, header: { backfill } }

export const headChange = (stored: StoreHeader, head: Anchor): Change =>
  isSameBlock(stored.head, head) ? { rows: 0 } : { rows: 0, header: { head } }

/** A pass is news even when it found nothing: it says how fresh everything is. */
export const enrichmentChange = (stored: StoreHeader, ts: UnixSeconds, rows: number): Change =>
  rows === 0 && stored.enrichedTs === ts ? { rows } : { rows, header: { enrichedTs: ts } }
