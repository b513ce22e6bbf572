import type { Clock } from '../../ports/runtime.ts'
import type { Market } from '../market.ts'
import { findPool } from '../queries/details.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { readPoolAt } from './past-detail.ts'

/** Records of past blocks, from the rows that are kept (docs/methodology.md §11). */
export const createPast = ({
  sync,
  valuer,
  clock,
}: {
  readonly sync: StoreSync
  readonly valuer: Pick<Valuer, 'inputsAt'>
  readonly clock: Clock
}): Pick<Market, 'poolAt'> => ({
  poolAt: (id, range, asked) =>
    sync.read(async (snapshot, model) => {
      const pool = await findPool(snapshot, model, id)
      if (pool === null) return null
      const present = valuer.inputsAt(model, clock.now())
      return readPoolAt(snapshot, pool, { header: model.header, present, range, asked })
    }),
})
