/** Parameters of a synthetic chain; equal parameters give an identical chain, byte for byte. */
export type ChainParams = {
  readonly seed: number
  /** Indexed pools; every second one is a v3 pool. */
  readonly pools: number
  readonly blocks: number
  /** Swaps and liquidity changes in those pools. */
  readonly events: number
  readonly blockSeconds: number
  /** Timestamp of the first block. */
  readonly startTs: number
  /** Blocks from `at` upwards are drawn from this seed and form another branch. */
  readonly fork: { readonly at: number; readonly seed: number } | null
}

/** A fixed Monday, so that results do not depend on the day of the run. */
export const startTs = 1_790_553_600

/** The chain that docs/performance.md measures. */
export const defaultChainParams: ChainParams = {
  seed: 1,
  pools: 2000,
  blocks: 20_000,
  events: 100_000,
  blockSeconds: 2,
  startTs,
  fork: null,
}

export const chainId = 466_399
/** A filled store has a day of earlier blocks. */
export const originBlock = 1_000_000

export const lastChainBlock = ({ blocks }: ChainParams): number => originBlock + blocks - 1

export const blockTimestamp = ({ blockSeconds, startTs }: ChainParams, block: number): number =>
  startTs + Math.floor((block - originBlock) * blockSeconds)
