import type { PoolView } from '../domain/views/pool.ts'
import type { FieldProvenance, PoolProvenanceView } from '../domain/views/provenance.ts'
import { checkReads, multiplierRead } from './check-state.ts'
import type { Decimals } from './check-swaps.ts'
import type { ProvenHeader } from './prove-header.ts'
import { type Check, type CheckSubject, compareTexts, unchecked } from './tier.ts'
import type { VerifierNode } from './verifier-node.ts'

/*
 * Inputs that contracts decide. Which contract that is follows from the pool, not from the source
 * that the service names.
 */

type Input = FieldProvenance['inputs'][number]

/** Each input of this name with the field that it belongs to. */
const inputsOf = (
  { fields }: PoolProvenanceView,
  name: string,
): readonly { readonly field: string; readonly input: Input }[] =>
  fields.flatMap(({ field, inputs }) =>
    inputs.filter((input) => input.name === name).map((input) => ({ field, input })),
  )

/** Published texts of the same meaning, once each. */
const distinct = (values: readonly Input['value'][]): readonly Input['value'][] => [
  ...new Set(values),
]

const checkDecimals = (
  row: PoolView,
  provenance: PoolProvenanceView,
  decimals: Decimals,
): readonly Check[] =>
  (['decimals0', 'decimals1'] as const).flatMap((field) => {
    const of: CheckSubject = { tier: 'numbers', subject: row.id, field }
    const reading = decimals[field]
    const values = distinct(inputsOf(provenance, field).map(({ input }) => input.value))
    return values.map((value) => {
      const published = value === null ? null : String(value)
      if (!reading.known) {
        return unchecked(of, 'the contract of the token returned none', published)
      }
      const texts = { published, proved: String(reading.value) }
      return compareTexts(of, texts, 'the contract of the token returns another value')
    })
  })

/** What the block's own header decides. */
const checkBlockInputs = (
  { id }: PoolView,
  provenance: PoolProvenanceView,
  header: ProvenHeader,
): readonly Check[] => {
  const compare = (name: string, proved: number): readonly Check[] =>
    distinct(inputsOf(provenance, name).map(({ input }) => input.value)).map((value) =>
      compareTexts(
        { tier: 'numbers', subject: id, field: name },
        { published: String(value), proved: String(proved) },
        'the header has another value',
      ),
    )
  return [...compare('asOfBlock', header.block), ...compare('blockTs', header.ts)]
}

/** The multiplier of a stock as its contract returns it after the block. */
const multiplierReads = (row: PoolView, provenance: PoolProvenanceView) =>
  inputsOf(provenance, 'multiplier').flatMap(({ field, input }) =>
    typeof input.value === 'string' && /^\d{1,78}$/.test(input.value)
      ? [
          {
            ...multiplierRead(
              field === 'otherReferenceUsd' ? row.otherAddress : row.stockAddress,
              BigInt(input.value),
            ),
            subject: row.id,
            field: `multiplier of ${field}`,
          },
        ]
      : [],
  )

/** Numbers tier: inputs that the chain decides. */
export const checkInputs = async (
  { node, header }: { readonly node: VerifierNode; readonly header: ProvenHeader },
  { row, provenance }: { readonly row: PoolView; readonly provenance: PoolProvenanceView },
  decimals: Decimals,
): Promise<readonly Check[]> => {
  const reads = await checkReads(node, multiplierReads(row, provenance), header)
  return [
    ...checkBlockInputs(row, provenance, header),
    ...checkDecimals(row, provenance, decimals),
    ...reads.map((check): Check => ({ ...check, tier: 'numbers' })),
  ]
}
