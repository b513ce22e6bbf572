import { type Outcome, success } from '../../domain/outcome.ts'
import type { BlockNumber, PoolId } from '../../domain/units.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { PoolProvenanceView } from '../../domain/views/provenance.ts'
import type { PublishedRecord } from './published-record.ts'
import type { ServiceFault } from './service-fault.ts'
import type { ServiceReader } from './service-reader.ts'

/** A record with the provenance of the same moment; null if no attempt found both together. */
export type ExplainedRecord = {
  readonly record: PublishedRecord
  readonly provenance: PoolProvenanceView | null
}

/** A chain may have ten blocks a second, and quotes change between two blocks. */
const attemptsMax = 12

const isOfRow = ({ fields }: PoolProvenanceView, row: PoolView): boolean => {
  const values = new Map<string, unknown>(Object.entries(row))
  return fields.every(
    ({ field, value }) =>
      !values.has(field) || JSON.stringify(values.get(field)) === JSON.stringify(value),
  )
}

/** The hash of a record's block is published with its provenance. */
const withHash = (record: PublishedRecord, { asOfHash }: PoolProvenanceView): PublishedRecord => ({
  ...record,
  at: { ...record.at, hash: asOfHash },
})

/**
 * Reads a record of a pool and its provenance until both say the same. If they never do,
 * the last pair of one block is returned: then one of the two is wrong.
 */
export const readTogether = async (
  service: ServiceReader,
  id: PoolId,
  block: BlockNumber | null,
): Promise<Outcome<ExplainedRecord, ServiceFault>> => {
  let found: ExplainedRecord | null = null
  let last: ExplainedRecord | null = null
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const [record, provenance] = await Promise.all([
      service.readRecord(id, block),
      service.readProvenance(id, block),
    ])
    if (!record.ok) return record
    last = { record: record.value, provenance: null }
    if (!provenance.ok) return success(last)
    if (provenance.value.asOfBlock !== record.value.at.block) continue
    found = {
      record: withHash(record.value, provenance.value),
      provenance: provenance.value,
    }
    if (isOfRow(provenance.value, record.value.row)) return success(found)
  }
  return success(found ?? (last as ExplainedRecord))
}
