import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { isSameChain } from '../../domain/chain/chain-identity.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'

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

export const compareHistory = (
  before: IndexHeader,
  header: IndexHeader,
  hasOneCopy: boolean,
): HistoryStep => {
  const isOther = before.identity.chainId !== header.identity.chainId
  if (isOther || header.revision < before.revision) return { kind: 'another-chain' }
  if (!isSameHistory(before, header, hasOneCopy)) return { kind: 'unknown', isLoss: true }
  const known = before.cursor ?? beginning
  if (before.epoch === header.epoch) return { kind: 'continued', since: known }
  const { lastReplacement } = header
  // Of several new epochs only the last one is recorded, and not all are branch replacements.
  const isRecorded = lastReplacement?.epoch === header.epoch && header.epoch === before.epoch + 1
  if (lastReplacement === null || !isRecorded) return { kind: 'unknown', isLoss: false }
  const { ancestor } = lastReplacement
  const kept = ancestor ?? beginning
  // The old branch may have grown since `before`, so that its last blocks are news as well.
  return { kind: 'replaced', ancestor, since: known.block < kept.block ? known : kept }
}
