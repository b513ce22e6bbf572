import { methodologyVersion } from '../methodology.ts'
import type { PoolView } from '../views/pool.ts'
import type { PoolProvenanceView } from '../views/provenance.ts'
import { explainReferences } from './explain-references.ts'
import { explainState } from './explain-state.ts'
import { explainReserves, explainVolume } from './explain-values.ts'
import { createLedger } from './ledger.ts'
import { type PoolFacts, ticksOf } from './pool-facts.ts'

/**
 * How every number of a pool's row was made (docs/methodology.md §12). `record` is the row by the
 * same facts.
 */
export const explainPool = (record: PoolView, facts: PoolFacts): PoolProvenanceView => {
  const ledger = createLedger()
  explainState(ledger, record, facts)
  explainReferences(ledger, record, facts)
  explainReserves(ledger, record, facts)
  explainVolume(ledger, record, facts)
  const { asOfBlock, stateTs, dataStatus, statusReasons } = record
  return {
    poolId: record.id,
    methodologyVersion,
    asOfHash: facts.asOfHash,
    fields: ledger.entries(),
    ticks: ticksOf(record, facts),
    past: facts.past,
    asOfBlock,
    stateTs,
    dataStatus,
    statusReasons,
  }
}
