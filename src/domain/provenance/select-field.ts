import type { PoolProvenanceView } from '../views/provenance.ts'

/** The same answer with this number and the steps to it only. */
export const selectField = (answer: PoolProvenanceView, field: string): PoolProvenanceView => {
  const wanted = new Set([field])
  // Each entry comes after its inputs.
  for (const entry of answer.fields.toReversed()) {
    if (!wanted.has(entry.field)) continue
    for (const { source } of entry.inputs) if (source.kind === 'field') wanted.add(source.field)
  }
  const fields = answer.fields.filter((entry) => wanted.has(entry.field))
  const usesTicks = fields.some(({ inputs }) => inputs.some(({ name }) => name === 'ticks'))
  return { ...answer, fields, ticks: usesTicks ? answer.ticks : null }
}
