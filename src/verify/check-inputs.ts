import { multiplierOne } from '../domain/stock/multiplier.ts'
import { oneTokenToAssets, toAssets } from '../domain/stock/proofs/erc4626.ts'
import type { StandardOf } from '../domain/stock/stock-standard.ts'
import type { Address } from '../domain/units.ts'
import type { PoolView } from '../domain/views/pool.ts'
import type { FieldProvenance, PoolProvenanceView } from '../domain/views/provenance.ts'
import { assetsRead, checkReads, multiplierRead, type PublishedRead } from './check-state.ts'
import type { Decimals } from './check-swaps.ts'
import type { ProvenHeader } from './prove-header.ts'
import { noDecimals } from './read-decimals.ts'
import type { PublishedRecord } from './service/published-record.ts'
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
      if (!reading.known && reading.reason !== noDecimals) {
        return unchecked(of, 'the contract of the token did not answer', published)
      }
      if (published === null && reading.known) {
        return unchecked(of, `the service does not know them: they are ${reading.value}`)
      }
      const texts = { published, proved: reading.known ? String(reading.value) : null }
      return compareTexts(of, texts, 'the contract of the token returns another value')
    })
  })

type Chain = {
  /** By the reader's own network file; null where there is none. */
  readonly standardOf: StandardOf | null
  readonly node: VerifierNode
  readonly header: ProvenHeader
  /** Header of the block that the record's time is of; null if it could not be proved. */
  readonly timeHeader: ProvenHeader | null
}

/** The time of a past record is of an earlier block, but not of one before its last swap. */
const checkTimeBlock = ({ row, at, tsBlock }: PublishedRecord): readonly Check[] => {
  if (tsBlock === at.block) return []
  const of = { tier: 'numbers', subject: row.id, field: 'tsBlock' } as const
  const [first, last] = [row.lastSwapBlock ?? row.createdBlock, at.block]
  const proved = String(Math.min(Math.max(tsBlock, first), last))
  const reason = 'it is after the block of the record, or before the last swap'
  return [compareTexts(of, { published: String(tsBlock), proved }, reason)]
}

/** What the headers decide. */
const checkBlockInputs = (
  record: PublishedRecord,
  provenance: PoolProvenanceView,
  { header, timeHeader }: Chain,
): readonly Check[] => {
  const compare = (name: string, proved: number | null): readonly Check[] =>
    distinct(inputsOf(provenance, name).map(({ input }) => input.value)).map((value) => {
      const of = { tier: 'numbers', subject: record.row.id, field: name } as const
      const published = String(value)
      return proved === null
        ? unchecked(of, `the header of block ${record.tsBlock} is not proved`, published)
        : compareTexts(of, { published, proved: String(proved) }, 'the header has another value')
    })
  return [
    ...compare('asOfBlock', header.block),
    ...checkTimeBlock(record),
    ...compare('blockTs', timeHeader?.ts ?? null),
  ]
}

/** Published multipliers, with the stocks that they are of. */
const multipliersOf = (row: PoolView, provenance: PoolProvenanceView) =>
  inputsOf(provenance, 'multiplier').flatMap(({ field, input }) =>
    typeof input.value === 'string' && /^\d{1,78}$/.test(input.value)
      ? [
          {
            token: field === 'otherReferenceUsd' ? row.otherAddress : row.stockAddress,
            value: BigInt(input.value),
            of: { subject: row.id, field: `multiplier of ${field}` },
          },
        ]
      : [],
  )

/** By the standard of each stock: as its contract returns it after the block, or 1. */
const checkMultipliers = async (
  { node, header, standardOf }: Chain,
  row: PoolView,
  provenance: PoolProvenanceView,
): Promise<readonly Check[]> => {
  const all = multipliersOf(row, provenance)
  const isListed = ({ token }: (typeof all)[number]): boolean =>
    standardOf?.(token).proof === 'listed'
  const readOf = (token: Address, value: bigint): PublishedRead => {
    const wraps = standardOf?.(token).wraps ?? null
    return wraps === null
      ? multiplierRead(token, value)
      : assetsRead(token, {
          data: oneTokenToAssets(wraps.decimals),
          assets: toAssets(value, wraps),
        })
  }
  const reads = all
    .filter((each) => !isListed(each))
    .map(({ token, value, of }) => ({ ...readOf(token, value), ...of }))
  const listed = all.filter(isListed).map(({ value, of }) => {
    const texts = { published: String(value), proved: String(multiplierOne) }
    return compareTexts({ tier: 'numbers', ...of }, texts, 'one listed token is one share')
  })
  const checks = await checkReads(node, reads, header)
  return [...checks.map((check): Check => ({ ...check, tier: 'numbers' })), ...listed]
}

/** Numbers tier: inputs that the chain decides. */
export const checkInputs = async (
  chain: Chain,
  {
    record,
    provenance,
  }: { readonly record: PublishedRecord; readonly provenance: PoolProvenanceView },
  decimals: Decimals,
): Promise<readonly Check[]> => {
  const { row } = record
  return [
    ...checkBlockInputs(record, provenance, chain),
    ...checkDecimals(row, provenance, decimals),
    ...(await checkMultipliers(chain, row, provenance)),
  ]
}
