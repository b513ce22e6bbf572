import type { UnixSeconds } from '../../domain/units.ts'

/** A bucket with its swaps in one pool, and whether these are wanted. */
export type CountedBucket = {
  readonly ts: UnixSeconds
  readonly swaps: number
  readonly isRead: boolean
}

/** `fromTs` <= ts < `toTs`. */
type Run = { readonly fromTs: UnixSeconds; readonly toTs: UnixSeconds; readonly rowsMax: number }

/**
 * What is read of the swaps in the wanted buckets, oldest first: one read for each run of buckets
 * between two that are not wanted.
 */
export const readRuns = async <Row>(
  {
    buckets,
    bucketSeconds,
  }: {
    readonly buckets: readonly CountedBucket[]
    readonly bucketSeconds: number
  },
  read: (run: Run) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const rows: Row[] = []
  let run: CountedBucket[] = []
  const readRun = async (): Promise<void> => {
    const rowsMax = run.reduce((sum, { swaps }) => sum + swaps, 0)
    const [first, last] = [run[0], run.at(-1)]
    run = []
    if (first === undefined || last === undefined || rowsMax === 0) return
    rows.push(...(await read({ fromTs: first.ts, toTs: last.ts + bucketSeconds, rowsMax })))
  }
  for (const bucket of buckets) {
    if (bucket.isRead) run.push(bucket)
    else await readRun()
  }
  await readRun()
  return rows
}
