import type { BlockNumber } from '../units.ts'

type Span = { readonly from: BlockNumber; readonly to: BlockNumber }

/** Where reading stands and where it ends; `down` reads the newest blocks first. */
export type ScanWindow = {
  readonly direction: 'up' | 'down'
  /** The next block to read, and the last one. */
  readonly next: BlockNumber
  readonly last: BlockNumber
}

const isOver = ({ direction, next, last }: ScanWindow): boolean =>
  direction === 'up' ? next > last : next < last

const firstSpan = ({ direction, next, last }: ScanWindow, blocks: number): Span =>
  direction === 'up'
    ? { from: next, to: Math.min(last, next + blocks - 1) }
    : { from: Math.max(last, next - blocks + 1), to: next }

const beyond = (course: ScanWindow, { from, to }: Span): ScanWindow => ({
  ...course,
  next: course.direction === 'up' ? to + 1 : from - 1,
})

const begins = ({ from, to }: Span, { direction, next }: ScanWindow): boolean =>
  direction === 'up' ? from === next : to === next

/**
 * The ranges that should be under way, in the order in which they are wanted:
 *
 *     asked for      [ 0..99 ][ 100..199 ]
 *     three, size 50 [ 0..99 ][ 100..199 ][ 200..249 ]
 *
 * What was asked for stays, whatever size is preferred now, unless it no longer begins at `next`.
 */
export const planReadAhead = (
  asked: readonly Span[],
  course: ScanWindow,
  { blocks, rangesMax }: { readonly blocks: number; readonly rangesMax: number },
): readonly Span[] => {
  const first = asked[0]
  const plan: Span[] = first !== undefined && begins(first, course) ? [...asked] : []
  let rest = plan.reduce(beyond, course)
  while (plan.length < rangesMax && !isOver(rest)) {
    const span = firstSpan(rest, blocks)
    plan.push(span)
    rest = beyond(rest, span)
  }
  return plan
}
