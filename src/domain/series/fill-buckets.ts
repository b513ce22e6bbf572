import type { UnixSeconds } from '../units.ts'
import { bucketEnd, type SeriesPlan } from './series-range.ts'

/** A row of a time bucket, identified by its start. */
export type Timed = { readonly ts: UnixSeconds }

/** Seconds in which the index misses blocks: `fromTs` inclusive, `toTs` exclusive. */
export type IndexGap = { readonly fromTs: UnixSeconds; readonly toTs: UnixSeconds }

export type BucketContent<Row> = {
  /** Rows of this bucket, oldest first. */
  readonly rows: readonly Row[]
  /** Last row before the bucket; null if unknown. */
  readonly before: Row | null
}

export type Bucket<Row> = {
  readonly ts: UnixSeconds
  readonly endTs: UnixSeconds
  /** False for the last bucket, which contains the cursor. */
  readonly closed: boolean
  /** Null if an index gap overlaps the bucket. */
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
 * Turns sparse rows into the dense buckets of a plan. A row is carried forward, because no row
 * means no event and so no change; but never across a gap, which may hide events.
 */
export const fillBuckets = <Row extends Timed>(
  plan: SeriesPlan,
  { rows, before: firstBefore, gaps }: StoredRows<Row>,
): readonly Bucket<Row>[] => {
  const hasGap = (from: UnixSeconds, to: UnixSeconds): boolean =>
    gaps.some((gap) => Math.max(gap.fromTs, from) < Math.min(gap.toTs, to))
  const { fromTs, lastTs } = plan
  const buckets: Bucket<Row>[] = []
  let last = firstBefore
  let next = 0
  for (let ts = fromTs; ts <= lastTs; ts = bucketEnd(plan, ts)) {
    const endTs = bucketEnd(plan, ts)
    const first = next
    while ((rows[next]?.ts ?? endTs) < endTs) next++
    const own = rows.slice(first, next)
    const before = last !== null && hasGap(last.ts, ts) ? null : last
    const content = hasGap(ts, endTs) ? null : { rows: own, before }
    buckets.push({ ts, endTs, closed: ts < lastTs, content })
    last = own.at(-1) ?? last
  }
  return buckets
}

/** The bucket's own last row, else the row carried into it. */
export const closingRow = <Row>({ content }: Bucket<Row>): Row | null =>
  content === null ? null : (content.rows.at(-1) ?? content.before)
