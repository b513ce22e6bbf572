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
 * So long after its end a first reading is not dropped for any reorganisation, although no block
 * was ever called final: what is that deep is another chain, and rows older than the history that
 * would be read again were lost.
 */
const readingAgeSecondsMax = secondsPerDay

/** The chain's own word on a block that must not change any more. */
const readUnchanged = async (
  chain: ChainReader,
  block: BlockNumber,
  { hash, name }: { readonly hash: string; readonly name: string },
): Promise<Outcome<BlockRef, SyncFault>> => {
  const now = await chain.getBlockRef(block)
  if (!now.ok || now.value.hash === hash) return now
  const detail = `the ${name} block ${block} was ${hash}, and the chain says ${now.value.hash}`
  return failure({ kind: 'finality-violated', detail })
}

/** Whether a block is still the chain's: if so, what was read of it and below is of one branch. */
export const isCanonical = async (
  chain: ChainReader,
  { block, hash }: BlockRef,
): Promise<Outcome<boolean, RpcFault>> => {
  const now = await chain.getBlockRef(block)
  return now.ok ? success(now.value.hash === hash) : now
}

/** No logs are asked for: the headers of a range are told whatever its filter is. */
export const headersOnlyFilter: LogFilter = { topics: [[]] }

/** The name of a block of the branch that `head` ends, told by a node that stands on it. */
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
  return failure({ kind: 'behind', detail: `block ${head.block} is another by now` })
}

/** The end of a first reading, of which the chain now tells another block. */
const readLeftTop = async (
  chain: ChainReader,
  kept: BlockRef,
  indexed: BlockRef | null,
): Promise<Outcome<BlockRef, SyncFault>> => {
  // Two have to say it where there are two: all that was read is at stake.
  const told = await chain.readRangeCrossChecked(
    { from: kept.block, to: kept.block },
    headersOnlyFilter,
  )
  if (!told.ok) return told
  const { last } = told.value
  if (last.hash === kept.hash) return success(last)
  const detail = `the first block ${kept.block} was ${kept.hash}, and the chain says ${last.hash}`
  const isOld = (indexed?.ts ?? kept.ts) - kept.ts > readingAgeSecondsMax
  return failure({ kind: isOld ? 'finality-violated' : 'reading-left', detail })
}

/** Where a first reading that was no following ended: below it no block can be told apart. */
const readTop = async (
  { chain, store }: Pick<Deps, 'chain' | 'store'>,
  top: BlockNumber,
  indexed: BlockRef | null,
): Promise<Outcome<BlockRef, SyncFault>> => {
  const kept = await store.readBlockAtOrBelow(top)
  const now = await chain.getBlockRef(top)
  if (!now.ok || kept?.block !== top || now.value.hash === kept.hash) return now
  return readLeftTop(chain, kept, indexed)
}

/**
 * The block that we share with the chain in any case: the settled one or, before the first, the
 * one where reading began.
 */
export const readFinalizedBase = async (
  { chain, store, origin }: Deps,
  { finalizedCursor, cursor, identity, backfillCursor }: IndexHeader,
): Promise<Outcome<BlockRef, SyncFault>> => {
  if (finalizedCursor !== null) {
    return readUnchanged(chain, finalizedCursor.block, {
      hash: finalizedCursor.hash,
      name: 'settled',
    })
  }
  if (backfillCursor !== null) return readTop({ chain, store }, backfillCursor.startedAt, cursor)
  const { originHash } = identity
  return originHash === null
    ? chain.getBlockRef(origin)
    : readUnchanged(chain, origin, { hash: originHash, name: 'first' })
}

/** The last kept block that is still on the chain, below one that is not (methodology §7). */
export const findCommonAncestor = async (
  deps: Deps,
  header: IndexHeader,
  replaced: BlockNumber,
): Promise<Outcome<BlockRef, SyncFault>> => {
  const base = await readFinalizedBase(deps, header)
  if (!base.ok) return base
  let search = startAncestorSearch(base.value, replaced)
  for (let probe = nextAncestorProbe(search); probe !== null; probe = nextAncestorProbe(search)) {
    const anchor = await deps.store.readBlockAtOrBelow(probe)
    const isNew = anchor !== null && anchor.block > search.low
    const now = isNew ? await deps.chain.getBlockRef(anchor.block) : null
    if (now?.ok === false) return now
    const found =
      isNew && now ? { blockRef: anchor, isOnChain: now.value.hash === anchor.hash } : null
    search = applyAncestorProbe(search, probe, found)
  }
  return success(search.ancestor)
}
