import type { PoolSearch } from '../../domain/status/pool-search.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import { isMissing, type SearchTarget } from '../search-scope.ts'

/** The status shows the progress. */
const recordEverySeconds = 2

/** What the store remembers of searches. */
export const createSearchMemory = ({
  store,
  scope,
  clock,
}: {
  readonly store: Store
  readonly scope: () => readonly SearchTarget[]
  readonly clock: Clock
}) => {
  let known: Map<Address, PoolSearch> | null = null
  let recordedTs: UnixSeconds = 0

  const keep = (searches: readonly PoolSearch[]): void => {
    for (const search of searches) known?.set(search.address, search)
  }
  const record = async (searches: readonly PoolSearch[]): Promise<void> => {
    await store.recordSearches(searches)
    keep(searches)
  }
  /** What is no longer followed misses the pools of the time until it is followed again. */
  const forgetOthers = async (
    searches: Map<Address, PoolSearch>,
    targets: readonly SearchTarget[],
  ): Promise<void> => {
    const followed = new Set(targets.map(({ address }) => address))
    const others = [...searches.keys()].filter((address) => !followed.has(address))
    if (others.length === 0) return
    await store.forgetSearches(others)
    for (const address of others) searches.delete(address)
  }
  return {
    keep,
    record,
    readMissing: async (): Promise<readonly SearchTarget[]> => {
      const stored = await (known === null ? store.snapshot((read) => read.searches()) : [])
      const searches = known ?? new Map(stored.map((each) => [each.address, each]))
      known = searches
      const targets = scope()
      await forgetOthers(searches, targets)
      return targets.filter((target) => isMissing(target, searches.get(target.address)))
    },
    recordProgress: async (searches: readonly PoolSearch[]): Promise<void> => {
      if (clock.now() - recordedTs < recordEverySeconds) return
      recordedTs = clock.now()
      await record(searches)
    },
    /** The search of this address begins again; its progress is stored like any other. */
    forget: (address: Address): void => {
      known?.delete(address)
    },
    reset: (): void => {
      known = null
    },
  }
}
