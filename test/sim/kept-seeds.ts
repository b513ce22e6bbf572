export type TierName = 'reorg' | 'pipeline' | 'restart' | 'kill' | 'postgres' | 'postgres-kill'

/** Seeds that once found a fault: they always run first. */
export const keptSeeds: Readonly<
  Record<TierName, readonly { readonly seed: number; readonly why: string }[]>
> = {
  reorg: [
    {
      seed: 20_261_122,
      why: 'a range was read across a fork: its end of one branch, its logs of another',
    },
    { seed: 20_261_617, why: 'a new branch was put together of the answers of two nodes' },
    { seed: 20_261_785, why: 'a pool was rebuilt from the logs of another branch' },
    { seed: 20_261_158, why: 'a node without old logs causes stored events to be deleted' },
    { seed: 20_261_252, why: "a pool's life is believed of a node that has forgotten some of it" },
    { seed: 20_263_499, why: 'a node of a third branch says that a block of ours was replaced' },
    { seed: 42_003_507, why: 'a pool is rebuilt without its first price, which no node reports' },
    { seed: 42_004_340, why: 'the same, of a pool that stands at the first block' },
  ],
  pipeline: [
    { seed: 20_261_178, why: 'an endpoint of another chain is believed' },
    { seed: 20_261_125, why: 'of two endpoints the one that omits events is trusted' },
    { seed: 20_261_162, why: 'nodes of two chains behind one address are taken for one' },
    { seed: 20_261_194, why: 'a range limit with an unknown error text is never met' },
    { seed: 20_261_141, why: 'the bootstrap block is replaced before the first finality check' },
    { seed: 20_261_155, why: 'the tick maps of a bootstrap come from one node, with gaps' },
    { seed: 20_261_327, why: 'pools are looked for at one node, for another wants smaller ranges' },
    { seed: 40_000_079, why: 'a rate limit that has ended is waited out for longer than a minute' },
    { seed: 40_000_507, why: 'the same, before the chain was asked for the first block' },
    { seed: 40_001_273, why: 'the same, while the stock tokens are read' },
    { seed: 40_001_643, why: 'the same, with a branch under way' },
    { seed: 40_001_645, why: 'the same, soon after the first blocks' },
    {
      seed: 41_002_547,
      why: 'a bootstrap ingests a pool of a branch that one node has not left',
    },
    { seed: 20_262_937, why: 'the same, when it is read for the second time' },
    { seed: 20_263_769, why: 'the tick maps of a bootstrap are of two branches' },
    { seed: 20_264_748, why: 'the same, when it is read for the second time' },
    { seed: 20_263_340, why: 'its maps are those of one branch, its states those of another' },
    { seed: 20_263_950, why: 'the same, when it is read for the second time' },
    { seed: 777_934, why: 'with one URL of another chain the others are not awaited' },
  ],
  restart: [{ seed: 20_261_233, why: 'a found pool lacks swaps of the first day that is kept' }],
  kill: [],
  postgres: [],
  'postgres-kill': [],
}
