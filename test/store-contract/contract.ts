import { describe, onTestFinished } from 'vitest'
import { describeBackfill } from './backfill.ts'
import type { OpenBench, StoreBench } from './bench.ts'
import { describeBootstrap } from './bootstrap.ts'
import { describeBranches } from './branches.ts'
import { describeCandleMerge } from './candle-merge.ts'
import { describeCandles } from './candles.ts'
import { describeDurability } from './durability.ts'
import { describeFeed } from './feed.ts'
import { describeFence } from './fence.ts'
import { describeFinality } from './finality.ts'
import { chain, day } from './fixtures.ts'
import { describePages } from './pages.ts'
import { describePast } from './past.ts'
import { describePruning } from './pruning.ts'
import { describeQueries } from './queries.ts'
import { describeRecords } from './records.ts'
import { describeRevisions } from './revisions.ts'
import { describeValues } from './values.ts'
import { describeVolume } from './volume.ts'

/**
 * What every store promises, as tests: registers them under `name`. A store that lives in memory
 * (`isDurable: false`) is spared those that close it or come from a second connection.
 */
export const storeContract = (
  name: string,
  make: () => Promise<StoreBench>,
  { isDurable }: { readonly isDurable: boolean },
): void => {
  const open: OpenBench = async (identity = chain) => {
    const bench = await make()
    onTestFinished(bench.dispose)
    await bench.store.claim(identity, day)
    return bench
  }
  describe(`${name} keeps the store's contract`, () => {
    describeFence(open)
    describeRevisions(open)
    describeRecords(open)
    describeValues(open)
    describeCandles(open)
    describeCandleMerge(open)
    describeVolume(open)
    describeQueries(open)
    describePages(open)
    describeFeed(open)
    describeBootstrap(open)
    describeBackfill(open)
    describePast(open)
    describePruning(open)
    describeBranches(open)
    describeFinality(open)
    if (isDurable) describeDurability(open)
  })
}
