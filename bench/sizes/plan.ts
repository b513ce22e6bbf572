/*
 * Projects sizes and rates of a chain with a multiple of today's activity from measured sizes. The
 * sources of the inputs are in docs/scaling.md.
 */

/** Bytes per row, indexes included. */
export type RowBytes = { readonly swap: number; readonly block: number; readonly candle: number }

export type Measured = {
  readonly bytes: RowBytes
  readonly modelBytesPerPool: number
}

/** Today's chain; `share` of its swaps are of indexed pools. */
const today = {
  chainSwapsPerDay: 3_309_659,
  share: 0.09,
  pools: 46_000,
  activePools: 2_000,
  logBytes: 927,
}
const historyDays = 7
/** A block is kept for a day after it is finalized. */
const blockDays = 1
/** Minute candles are kept as long as swaps, hour and day candles forever. */
const minutesPerDay = 1_440
const hoursPerDay = 24

/** Number of (pool, bucket) pairs per day with a swap, if trades follow Zipf's law. */
const bucketsPerDay = (pools: number, swapsPerDay: number, buckets: number): number => {
  let harmonic = 0
  for (let rank = 1; rank <= pools; rank++) harmonic += 1 / rank
  let sum = 0
  for (let rank = 1; rank <= pools; rank++) {
    const mean = swapsPerDay / harmonic / rank / buckets
    sum += buckets * (1 - Math.exp(-mean))
  }
  return sum
}

export type Plan = {
  readonly scale: number
  readonly swapsPerDay: number
  readonly chainLogsPerSecond: number
  readonly rpcMegabitPerSecond: number
  readonly keptGb: number
  readonly perYearGb: number
  readonly modelGb: number
}

export const projectStorage = (scale: number, { bytes, modelBytesPerPool }: Measured): Plan => {
  const chainSwapsPerDay = today.chainSwapsPerDay * scale
  const swapsPerDay = chainSwapsPerDay * today.share
  const active = today.activePools * scale
  const minutes = bucketsPerDay(active, swapsPerDay, minutesPerDay)
  const wider =
    bucketsPerDay(active, swapsPerDay, hoursPerDay) + bucketsPerDay(active, swapsPerDay, 1)
  // Expected number of 0.1 s blocks that contain at least one swap.
  const blocksPerDay = 864_000
  const blocks = blocksPerDay * (1 - Math.exp(-swapsPerDay / blocksPerDay))
  const kept =
    historyDays * (swapsPerDay * bytes.swap + minutes * bytes.candle) +
    blockDays * blocks * bytes.block
  const logsPerSecond = chainSwapsPerDay / 86_400
  return {
    scale,
    swapsPerDay,
    chainLogsPerSecond: logsPerSecond,
    rpcMegabitPerSecond: (logsPerSecond * today.logBytes * 8) / 1e6,
    keptGb: kept / 1e9,
    perYearGb: (wider * bytes.candle * 365) / 1e9,
    modelGb: (today.pools * scale * modelBytesPerPool) / 1e9,
  }
}
