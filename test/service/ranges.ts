/*
 * The ranges of a series as docs/api.md tells them. Times in unix seconds, buckets in seconds.
 */

const minute = 60
const hour = 3600
const day = 86_400

type Range = { readonly width: number; readonly rows: number }

const table: Readonly<Record<string, Range>> = {
  '1h': { width: minute, rows: 60 },
  '6h': { width: minute, rows: 360 },
  '24h': { width: 5 * minute, rows: 288 },
  '7d': { width: 30 * minute, rows: 336 },
  '30d': { width: 2 * hour, rows: 360 },
  '90d': { width: 4 * hour, rows: 540 },
}

export const ranges = [...Object.keys(table), 'all']

export const startOf = (ts: number, width: number): number => Math.floor(ts / width) * width

/** Of `all`: the smallest that gives at most 600 rows. */
export const bucketSecondsOf = (range: string, fromTs: number, headTs: number): number => {
  const hours = [1, 2, 4, 6, 12, 24, 72, 168].map((each) => each * hour)
  const fits = (width: number) => (startOf(headTs, width) - startOf(fromTs, width)) / width < 600
  return table[range]?.width ?? hours.find(fits) ?? 7 * day
}

export const rowsMaxOf = (range: string): number => table[range]?.rows ?? 600
