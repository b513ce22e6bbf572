import type { BlockNumber } from '../units.ts'

type BlockRange = { readonly from: BlockNumber; readonly to: BlockNumber }

/** Blocks left to read; `down` reads the newest first. */
export type ScanWindow = {
  readonly direction: 'up' | 'down'
  /** Next and last block to read. */
  readonly next: BlockNumber
  readonly last: BlockNumber
}

const isOver = ({ direction, next, last }: ScanWindow): boolean =>
  direction === 'up' ? next > last : next < last

const firstBlockRange = ({ direction, next, last }: ScanWindow, blocks: number): BlockRange =>
  direction === 'up'
    ? { from: next, to: Math.min(last, next + blocks - 1) }
    : { from: Math.max(last, next - blocks + 1), to: next }

const beyond = (window: ScanWindow, { from, to }: BlockRange): ScanWindow => ({
  ...window,
  next: window.direction === 'up' ? to + 1 : from - 1,
})

const begins = ({ from, to }: BlockRange, { direction, next }: ScanWindow): boolean =>
  direction === 'up' ? from === next : to === next

/**
 * Plans the ranges in flight, in reading order:
 *
 *     requested      [ 0..99 ][ 100..199 ]
 *     three, size 50 [ 0..99 ][ 100..199 ][ 200..249 ]
 *
 * Requested ranges stay, whatever the preferred size is now, unless the first no longer begins at
 * `next`.
 */
export const planReadAhead = (
  requested: readonly BlockRange[],
  window: ScanWindow,
  { blocks, rangesMax }: { readonly blocks: number; readonly rangesMax: number },
): readonly BlockRange[] => {
  const first = requested[0]
  const plan: BlockRange[] = first !== undefined && begins(first, window) ? [...requested] : []
  let remaining = plan.reduce(beyond, window)
  while (plan.length < rangesMax && !isOver(remaining)) {
    const range = firstBlockRange(remaining, blocks)
    plan.push(range)
    remaining = beyond(remaining, range)
  }
  return plan
}
