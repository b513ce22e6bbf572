import type { StoreSnapshot } from '../../ports/store.ts'
import { changedEmptyPools, type EmptyPools } from '../model/empty-pools.ts'
import type { ListedPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import { listByNumber } from '../queries/list-empty-pools.ts'

/** Reads the empty pools that are new or changed: no table in memory holds their rows. */
export type EmptyPoolChanges = {
  /** The snapshot must be the one of the model. False if there are more than `changesMax`. */
  readonly collect: (snapshot: StoreSnapshot, model: ReadModel) => Promise<boolean>
  /** The pools since the last call. */
  readonly take: () => readonly ListedPool[]
}

export const createEmptyPoolChanges = (
  changesMax: number,
  baseline: EmptyPools | null,
): EmptyPoolChanges => {
  let before = baseline
  let collected: readonly ListedPool[] = []
  return {
    collect: async (snapshot, model) => {
      const numbers = before === null ? [] : changedEmptyPools(before, model.empties)
      before = model.empties
      if (numbers.length + collected.length > changesMax) {
        collected = []
        return false
      }
      collected = [...collected, ...(await listByNumber(snapshot, model, numbers))]
      return true
    },
    take: () => {
      const pools = collected
      collected = []
      return pools
    },
  }
}
