import { describe, onTestFinished } from 'vitest'
import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import type { Store, StoreReader } from '../ports/store.ts'
import { describeBranches } from './contract/branches.ts'
import { describeCandles } from './contract/candles.ts'
import { describeDurability } from './contract/durability.ts'
import { describeFence } from './contract/fence.ts'
import { describeFirstReading } from './contract/first-reading.ts'
import { chain, day } from './contract/fixtures.ts'
import { describePast } from './contract/past.ts'
import { describePruning } from './contract/pruning.ts'
import { describeQueries } from './contract/queries.ts'
import { describeRecords } from './contract/records.ts'
import { describeRevisions } from './contract/revisions.ts'
import { describeSettling } from './contract/settling.ts'
import { describeValues } from './contract/values.ts'
import { describeVolume } from './contract/volume.ts'

/** One empty store, made for one test. */
export type StoreBench = {
  readonly store: Store
  /** Closes the store and opens it again on what it kept. */
  readonly reopen: () => Promise<Store>
  /** One more connection to the same store; the caller closes it. */
  readonly connect: () => Promise<StoreReader & Pick<Store, 'close'>>
  readonly dispose: () => Promise<void>
}

/** A fresh bench whose store is claimed, for `chain` by default; it is gone when the test ends. */
export type OpenBench = (identity?: ChainIdentity) => Promise<StoreBench>

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
    await bench.store.begin(identity, day)
    return bench
  }
  describe(`${name} keeps the store's contract`, () => {
    describeFence(open)
    describeRevisions(open)
    describeRecords(open)
    describeValues(open)
    describeCandles(open)
    describeVolume(open)
    describeQueries(open)
    describeFirstReading(open)
    describePast(open)
    describePruning(open)
    describeBranches(open)
    describeSettling(open)
    if (isDurable) describeDurability(open)
  })
}
