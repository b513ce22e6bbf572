import type { Trade } from '../../domain/history/trades.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { ListedPool } from '../model/model-pool.ts'

/** A bucket with its swaps in one pool, and whether these are wanted. */
export type CountedBucket = {
  readonly ts: UnixSeconds
  readonly swaps: number
  readonly isRead: boolean
}

/**
 * Swaps of a pool in the wanted buckets, oldest first: one read for each run of buckets between two
 * that are not wanted.
 */
export const readTrades = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  {
    buckets,
    bucketSeconds,
  }: { readonly buckets: readonly CountedBucket[]; readonly bucketSeconds: number },
): Promise<readonly Trade[]> => {
  const trades: Trade[] = []
  let run: CountedBucket[] = []
  const readRun = async (): Promise<void> => {
    const rowsMax = run.reduce((sum, { swaps }) => sum + swaps, 0)
    const [first, last] = [run[0], run.at(-1)]
    run = []
    if (first === undefined || last === undefined || rowsMax === 0) return
    const span = { fromTs: first.ts, toTs: last.ts + bucketSeconds }
    trades.push(...(await snapshot.trades({ pool: pool.number, ...span, rowsMax })))
  }
  for (const bucket of buckets) {
    if (bucket.isRead) run.push(bucket)
    else await readRun()
  }
  await readRun()
  return trades
}
