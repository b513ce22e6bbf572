import { secondsPerDay } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import type { BlockRef } from './block-ref.ts'

/**
 * Blocks before this time are not stored. A finalized block is not replaced, so that only the time
 * of recent ones is asked for: at a start, of the minutes before the cursor.
 */
export const blocksKeptSinceTs = (finalizedCursor: BlockRef | null): UnixSeconds =>
  finalizedCursor === null ? 0 : finalizedCursor.ts - secondsPerDay
