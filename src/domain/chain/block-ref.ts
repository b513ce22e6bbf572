import type { BlockNumber, Hash, UnixSeconds } from '../units.ts'

/** A block that we know by number, hash and time. */
export type BlockRef = {
  readonly block: BlockNumber
  readonly hash: Hash
  readonly ts: UnixSeconds
}

type Numbered = Pick<BlockRef, 'block' | 'hash'>

export const isSameBlock = (one: Numbered | null | undefined, other: Numbered): boolean =>
  one?.block === other.block && one.hash === other.hash

/** Whether both have the same height and are different blocks. */
export const conflicts = (one: Numbered | null | undefined, other: Numbered): boolean =>
  one?.block === other.block && one.hash !== other.hash
