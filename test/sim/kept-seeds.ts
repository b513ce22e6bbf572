export type TierName = 'reorg' | 'pipeline' | 'restart' | 'kill'

/** Seeds that once found something: they run first, for ever. */
export const keptSeeds: Readonly<
  Record<TierName, readonly { readonly seed: number; readonly why: string }[]>
> = {
  reorg: [
    {
      seed: 20_261_122,
      why: 'a range was read across a fork: its end of one branch, its logs of another',
    },
    { seed: 20_261_617, why: 'a new branch was put together of the answers of two nodes' },
    { seed: 20_261_785, why: 'a pool was made anew of the logs of another branch' },
    { seed: 20_261_158, why: 'a node that has forgotten what we hold has it deleted' },
  ],
  pipeline: [
    { seed: 20_261_178, why: 'an endpoint of another chain is believed' },
    { seed: 20_261_125, why: 'of two witnesses the one that leaves events out is believed' },
    { seed: 20_261_162, why: 'a range limit in words that nobody knows is never met' },
  ],
  restart: [],
  kill: [],
}
