import type { BlockRef } from '../domain/chain/block-ref.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { RpcFault } from '../ports/chain-reader.ts'
import type { HeadCache } from './realtime/head-cache.ts'

/**
 * A block whose hash proves what is read at it, above every indexed pool. "latest" proves nothing:
 * a lagging node has no code yet where the others have a token.
 */
export type ReadConfirmedBlock = () => Promise<Outcome<BlockRef, RpcFault>>

/** Every node still serves states of this age: they keep those of 1,000 blocks and more. */
export const stateAgeBlocksMax = 200

/**
 * The cursor while it follows the head, because most nodes have it; else the head. A cursor that an
 * earlier process stored may be of a branch that the chain has left, which only realtime sync finds
 * out: until it has moved, it proves nothing.
 */
export const createConfirmedBlock = ({
  heads,
  cursor: readCursor,
}: {
  readonly heads: HeadCache
  readonly cursor: () => BlockRef | null
}): ReadConfirmedBlock => {
  let first: BlockRef | null = null
  return async () => {
    const [cursor, last] = [readCursor(), heads.last()]
    first ??= cursor
    const isFollowed = cursor !== null && last !== null && cursor.hash !== first?.hash
    if (isFollowed && last.latest.block - cursor.block <= stateAgeBlocksMax) return success(cursor)
    const read = await heads.read()
    return read.ok ? success(read.value.latest) : read
  }
}
