import type { Clock } from '../../ports/runtime.ts'
import type { Market } from '../market.ts'
import { findPool } from '../queries/details.ts'
import type { StateViewOf } from '../queries/provenance.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { readPoolAt } from './past-detail.ts'
import { readProvenanceAt } from './past-provenance.ts'

/** Records of past blocks, from the rows that are kept (docs/methodology.md §11). */
export const createPast = ({
  sync,
  valuer,
  clock,
  stateViewOf,
}: {
  readonly sync: StoreSync
  readonly valuer: Pick<Valuer, 'inputsAt'>
  readonly clock: Clock
  readonly stateViewOf: StateViewOf
}): Pick<Market, 'poolAt' | 'provenanceAt'> => ({
  poolAt: (id, range, asked) =>
    sync.read(async (snapshot, model) => {
      const pool = await findPool(snapshot, model, id)
      if (pool === null) return null
      const present = valuer.inputsAt(model, clock.now())
      return readPoolAt(snapshot, pool, { header: model.header, present, range, asked })
    }),
  provenanceAt: (id, asked) =>
    sync.read(async (snapshot, model) => {
      const pool = await findPool(snapshot, model, id)
      if (pool === null) return null
      const present = valuer.inputsAt(model, clock.now())
      const { header } = model
      return readProvenanceAt(snapshot, pool, { header, present, asked, stateViewOf })
    }),
})
