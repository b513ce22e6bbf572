import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { isSameChain } from '../../domain/chain/chain-identity.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import type { ReadModel } from '../model/read-model.ts'
import { findResumePlace } from './find-resume-place.ts'
import { positionOf } from './model-positions.ts'

export const isSameWriter = (a: IndexHeader, b: IndexHeader): boolean =>
  a.writerStartedTs === b.writerStartedTs

/**
 * Whether `header` is a later state of the store that had the header `before`. After a failover a
 * new writer may start from a replica that lost revisions, and reuse their numbers for other
 * changes. `hasOneCopy`: the store has no replica.
 */
export const isSameHistory = (
  before: IndexHeader,
  header: IndexHeader,
  hasOneCopy: boolean,
): boolean =>
  isSameChain(before.identity, header.identity) &&
  before.revision <= header.revision &&
  (isSameWriter(before, header) || hasOneCopy)

export type Position = Pick<BlockRef, 'block' | 'ts'>

const beginning: Position = { block: -1, ts: 0 }

/** How the swaps of one header become those of a later one. */
export type HistoryStep =
  /** All swaps stay, and those above `since` are new. */
  | { readonly kind: 'continued'; readonly since: Position }
  /** Swaps above the ancestor are gone (null: all), and those above `since` are new. */
  | { readonly kind: 'replaced'; readonly ancestor: Position | null; readonly since: Position }
  | { readonly kind: 'another-chain' }
  /** Any swap may have come or gone. */
  | { readonly kind: 'unknown'; readonly isLoss: boolean }

/**
 * Reads the store where its header leaves it open: after a branch replacement, and after another
 * writer of a store with replicas.
 */
export const compareHistory = async (
  snapshot: StoreSnapshot,
  before: Pick<ReadModel, 'header' | 'stocks'>,
  { header, hasOneCopy }: { readonly header: IndexHeader; readonly hasOneCopy: boolean },
): Promise<HistoryStep> => {
  const isOther = before.header.identity.chainId !== header.identity.chainId
  if (isOther || header.revision < before.header.revision) return { kind: 'another-chain' }
  const isSame = isSameHistory(before.header, header, hasOneCopy)
  if (isSame && before.header.epoch === header.epoch) {
    return { kind: 'continued', since: before.header.cursor ?? beginning }
  }
  const position = positionOf(before)
  const resumed = position === null ? null : await findResumePlace(snapshot, header, position)
  if (resumed === null) return { kind: 'unknown', isLoss: !isSame }
  const { place: since, rollback } = resumed
  return rollback === null ? { kind: 'continued', since } : { kind: 'replaced', since, ...rollback }
}
