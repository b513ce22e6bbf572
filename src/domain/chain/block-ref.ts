import type { BlockNumber, Hash, UnixSeconds } from '../units.ts'

/** A block's number, hash and timestamp. */
export type BlockRef = {
  readonly block: BlockNumber
  readonly hash: Hash
  readonly ts: UnixSeconds
}

export type TimedBlock = Pick<BlockRef, 'block' | 'ts'>

type Numbered = Pick<BlockRef, 'block' | 'hash'>

export const isSameBlock = (one: Numbered | null | undefined, other: Numbered): boolean =>
  one?.block === other.block && one.hash === other.hash

/** Whether both are different blocks of one height. */
export const conflicts = (one: Numbered | null | undefined, other: Numbered): boolean =>
  one?.block === other.block && one.hash !== other.hash
