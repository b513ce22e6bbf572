export type TierName = 'reorg' | 'pipeline' | 'restart' | 'kill'

/** Seeds that once found something: they run first, for ever. */
export const keptSeeds: Readonly<
  Record<TierName, readonly { readonly seed: number; readonly why: string }[]>
> = {
  reorg: [
    {
      seed: 28,
      why: 'a range was read across a fork, its end from one branch, its logs of another',
    },
    { seed: 188, why: 'a new branch was put together of the answers of two nodes' },
    { seed: 928, why: 'settling named a block of a branch that the index did not hold' },
  ],
  pipeline: [],
  restart: [],
  kill: [],
}
