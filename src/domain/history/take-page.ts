import type { UnixSeconds } from '../units.ts'

/** Buckets with more swaps are not added up from them: it bounds the work of a request. */
export const bucketSwapsMax = 500
/** The same of all pools of a stock, of which fewer have so many. */
export const stockBucketSwapsMax = 10_000
/** Swaps that one page reads; it ends early instead. */
const pageSwapsMax = 3_000
/** Stored rows from the first to the last bucket: that many prices are read. */
const pageRowsMax = 20_000

/** A bucket of a page, and the swaps that it takes to fill it. */
type Sized = { readonly ts: UnixSeconds; readonly cost: number }

/**
 * The first buckets of a list that make up a page, in the order of the request: at most `limit`,
 * and at least one. The page ends early where trades are rare or many.
 */
export const takePage = <Bucket extends Sized>(
  buckets: readonly Bucket[],
  { limit, candleWidth }: { readonly limit: number; readonly candleWidth: number },
): readonly Bucket[] => {
  const [first] = buckets
  if (first === undefined) return []
  let swaps = 0
  const end = buckets.findIndex(({ ts, cost }, index) => {
    swaps += cost
    const isFar = Math.abs(ts - first.ts) > pageRowsMax * candleWidth
    return index >= limit || (index > 0 && (swaps > pageSwapsMax || isFar))
  })
  return end === -1 ? buckets : buckets.slice(0, end)
}
