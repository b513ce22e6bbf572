import type { UnixSeconds } from '../units.ts'
import type { SeriesPlan } from './series-range.ts'

/** Anything that is kept per bucket of time, known by its start. */
export type Timed = { readonly ts: UnixSeconds }

/** Seconds in which the index misses blocks: from `fromTs` up to, and without, `toTs`. */
export type IndexGap = { readonly fromTs: UnixSeconds; readonly toTs: UnixSeconds }

/** What is known of one bucket. */
export type BucketContent<Row> = {
  /** Of this bucket, oldest first. */
  readonly rows: readonly Row[]
  /** The last row before it: where things stood when it began. Null if nobody knows. */
  readonly before: Row | null
}

export type Bucket<Row> = {
  readonly ts: UnixSeconds
  /** False for the last bucket, which holds the indexed head. */
  readonly closed: boolean
  /** Null if an index gap touches the bucket: then nothing that it could say would be true. */
  readonly content: BucketContent<Row> | null
}

export type StoredRows<Row> = {
  /** Oldest first, from the plan's first bucket on. */
  readonly rows: readonly Row[]
  /** The last row before the first bucket. */
  readonly before: Row | null
  readonly gaps: readonly IndexGap[]
}

/**
 * Sparse rows as the dense buckets of a plan. A row is carried forward into the buckets after it,
 * for on a chain no row means no event and so no change; but never across a gap, where there may
 * have been events that nobody saw.
 */
export const fillBuckets = <Row extends Timed>(
  { bucketSeconds, fromTs, lastTs }: SeriesPlan,
  { rows, before: firstBefore, gaps }: StoredRows<Row>,
): readonly Bucket<Row>[] => {
  const hasGap = (from: UnixSeconds, to: UnixSeconds): boolean =>
    gaps.some((gap) => Math.max(gap.fromTs, from) < Math.min(gap.toTs, to))
  const buckets: Bucket<Row>[] = []
  let last = firstBefore
  let next = 0
  for (let ts = fromTs; ts <= lastTs; ts += bucketSeconds) {
    const endTs = ts + bucketSeconds
    const first = next
    while ((rows[next]?.ts ?? endTs) < endTs) next++
    const own = rows.slice(first, next)
    const before = last !== null && hasGap(last.ts, ts) ? null : last
    const content = hasGap(ts, endTs) ? null : { rows: own, before }
    buckets.push({ ts, closed: ts < lastTs, content })
    last = own.at(-1) ?? last
  }
  return buckets
}

/** How things stood at the bucket's end: its own last row, else the one carried into it. */
export const closingRow = <Row>({ content }: Bucket<Row>): Row | null =>
  content === null ? null : (content.rows.at(-1) ?? content.before)
