/** What a synthetic chain is drawn from: the same parameters give the same chain, byte by byte. */
export type ChainParams = {
  readonly seed: number
  /** Of our stocks and trusted tokens; every second one is a v3 pool. */
  readonly pools: number
  readonly blocks: number
  /** Swaps and changes of liquidity in those pools. */
  readonly events: number
  readonly blockSeconds: number
  /** The time of the first block. */
  readonly startTs: number
  /** From this block on another branch of the same chain, drawn from another seed. */
  readonly fork: { readonly at: number; readonly seed: number } | null
}

/** A Monday in a year of its own, so that nothing depends on the day of the run. */
export const startTs = 1_790_553_600

/** The chain that the rows of the performance table speak of. */
export const paramsDefault: ChainParams = {
  seed: 1,
  pools: 2000,
  blocks: 20_000,
  events: 100_000,
  blockSeconds: 2,
  startTs,
  fork: null,
}

export const chainId = 466_399
export const originBlock = 1000

export const lastBlockOf = ({ blocks }: ChainParams): number => originBlock + blocks - 1

export const tsOf = ({ blockSeconds, startTs }: ChainParams, block: number): number =>
  startTs + Math.floor((block - originBlock) * blockSeconds)
