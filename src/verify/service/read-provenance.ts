import type { PoolProvenanceView } from '../../domain/views/provenance.ts'
import { isRecord } from '../../net/json.ts'
import { isCount, isHash } from './read-row.ts'

/* As in read-row.ts: the form only, as far as it is used. */

const sourceTexts = ['field', 'path', 'to', 'data'] as const

const isSource = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.kind === 'string' &&
  sourceTexts.every((name) => value[name] === undefined || typeof value[name] === 'string')

const isValue = (value: unknown): boolean =>
  value === null || typeof value === 'number' || typeof value === 'string'

const isInput = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.name === 'string' &&
  isValue(value.value) &&
  isSource(value.source)

const isField = (value: unknown): boolean =>
  isRecord(value) &&
  isValue(value.value) &&
  [value.field, value.formula, value.section].every((text) => typeof text === 'string') &&
  Array.isArray(value.inputs) &&
  value.inputs.every(isInput) &&
  Array.isArray(value.missing)

const isTick = (value: unknown): boolean =>
  isRecord(value) &&
  Number.isSafeInteger(value.tick) &&
  typeof value.liquidityNet === 'string' &&
  typeof value.liquidityGross === 'string'

/** A provenance as the service sends it; null if anything that is used has another form. */
export const readProvenance = (value: unknown): PoolProvenanceView | null => {
  if (!isRecord(value)) return null
  const { fields, ticks, asOfBlock, asOfHash, methodologyVersion } = value
  const hasForm =
    Array.isArray(fields) &&
    fields.every(isField) &&
    (ticks === null || (Array.isArray(ticks) && ticks.every(isTick))) &&
    (asOfBlock === null || isCount(asOfBlock)) &&
    (asOfHash === null || isHash(asOfHash)) &&
    typeof methodologyVersion === 'string'
  return hasForm ? (value as unknown as PoolProvenanceView) : null
}
