import {
  applyAncestorProbe,
  nextAncestorProbe,
  startAncestorSearch,
} from '../../domain/chain/ancestor-search.ts'
import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type { ChainReader, LogFilter, RpcFault } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import type { SyncFault } from '../sync-fault.ts'

type Deps = {
  readonly chain: ChainReader
  readonly store: Store
  readonly origin: BlockNumber
}

/**
 * A bootstrap older than this is not repeated after a reorg, even if no block was ever finalized: a
 * reorg that deep means another chain, and rows older than the backfilled history would be lost.
 */
const bootstrapAgeSecondsMax = secondsPerDay

const describeConflict = (name: string, { block, hash }: BlockRef, stored: Hash): string =>
  `${name} block ${block} has hash ${stored} in the store and ${hash} on the chain`

/** Reads a block that must still have the stored hash; `name` says which block it is. */
const readFixedBlock = async (
  chain: ChainReader,
  {
    block,
    hash,
    name,
  }: { readonly block: BlockNumber; readonly hash: Hash; readonly name: string },
): Promise<Outcome<BlockRef, SyncFault>> => {
  const current = await chain.getBlockRef(block)
  if (!current.ok || current.value.hash === hash) return current
  return failure({ kind: 'finality-violated', detail: describeConflict(name, current.value, hash) })
}

/** Whether the chain still has this block. If so, everything read up to it is of one branch. */
export const isCanonical = async (
  chain: ChainReader,
  { block, hash }: BlockRef,
): Promise<Outcome<boolean, RpcFault>> => {
  const current = await chain.getBlockRef(block)
  return current.ok ? success(current.value.hash === hash) : current
}

/** Matches no log: a range read returns its headers whatever the filter. */
export const headersOnlyFilter: LogFilter = { topics: [[]] }

/** The hash of a block on the branch of `head`, from an endpoint that is on this branch. */
export const readHashOnBranch = async (
  chain: ChainReader,
  head: BlockRef,
  block: BlockNumber,
): Promise<Outcome<Hash, RpcFault>> => {
  if (block === head.block) return success(head.hash)
  const above = await chain.readRange({ from: block + 1, to: head.block }, headersOnlyFilter)
  if (!above.ok) return above
  const { parentHash, last } = above.value
  if (last.hash === head.hash) return success(parentHash)
  return failure({ kind: 'behind', detail: `block ${head.block} was replaced` })
}

/** The block at which the bootstrap ended. Scans do not link blocks, so no search goes below it. */
const readBootstrapEnd = async (
  { chain, store }: Pick<Deps, 'chain' | 'store'>,
  block: BlockNumber,
  cursor: BlockRef | null,
): Promise<Outcome<BlockRef, SyncFault>> => {
  const stored = await store.readBlockAtOrBelow(block)
  const current = await chain.getBlockRef(block)
  if (!current.ok || stored?.block !== block || current.value.hash === stored.hash) return current
  // Cross-checked, because the complete index is at stake.
  const checked = await chain.readRangeCrossChecked({ from: block, to: block }, headersOnlyFilter)
  if (!checked.ok) return checked
  const { last } = checked.value
  if (last.hash === stored.hash) return success(last)
  const detail = describeConflict('bootstrap', last, stored.hash)
  const isOld = (cursor?.ts ?? stored.ts) - stored.ts > bootstrapAgeSecondsMax
  return failure({ kind: isOld ? 'finality-violated' : 'bootstrap-reorged', detail })
}

/**
 * The lowest possible common ancestor: the finalized cursor or, before the first finality check,
 * the block at which indexing began.
 */
export const readFinalizedBase = async (
  { chain, store, origin }: Deps,
  { finalizedCursor, cursor, identity, backfillCursor }: IndexHeader,
): Promise<Outcome<BlockRef, SyncFault>> => {
  if (finalizedCursor !== null) {
    return readFixedBlock(chain, { ...finalizedCursor, name: 'settled' })
  }
  if (backfillCursor !== null) {
    return readBootstrapEnd({ chain, store }, backfillCursor.startedAt, cursor)
  }
  const { originHash: hash } = identity
  return hash === null
    ? chain.getBlockRef(origin)
    : readFixedBlock(chain, { block: origin, hash, name: 'first' })
}

/** The last stored block below `replaced` that is still canonical (methodology §7). */
export const findCommonAncestor = async (
  deps: Deps,
  header: IndexHeader,
  replaced: BlockNumber,
): Promise<Outcome<BlockRef, SyncFault>> => {
  const base = await readFinalizedBase(deps, header)
  if (!base.ok) return base
  let search = startAncestorSearch(base.value, replaced)
  for (let probe = nextAncestorProbe(search); probe !== null; probe = nextAncestorProbe(search)) {
    const stored = await deps.store.readBlockAtOrBelow(probe)
    const isNew = stored !== null && stored.block > search.low
    const canonical = isNew ? await isCanonical(deps.chain, stored) : null
    if (canonical?.ok === false) return canonical
    const found = isNew && canonical ? { blockRef: stored, isOnChain: canonical.value } : null
    search = applyAncestorProbe(search, probe, found)
  }
  return success(search.ancestor)
}
