import { microPerUsd } from '../domain/pool/stored-rows.ts'
import { recomputePool, type SwapLists } from '../domain/provenance/recompute.ts'
import type { PoolView, SwapView } from '../domain/views/pool.ts'
import type { PoolProvenanceView } from '../domain/views/provenance.ts'
import { type Check, type CheckSubject, compareTexts, unchecked } from './tier.ts'

const textOf = (value: unknown): string => JSON.stringify(value) ?? 'nothing'

const digestOf = (value: unknown): string | null => (value === null ? null : textOf(value))

/**
 * The tier `numbers`: every number of a pool's row recomputed by the formula of the methodology
 * from the inputs of its provenance. Both must be of one moment. Without a list of swaps, what
 * follows from it stays unchecked.
 */
export const checkNumbers = (
  record: PoolView,
  provenance: PoolProvenanceView,
  swaps: SwapLists,
): readonly Check[] => {
  const row = new Map<string, unknown>(Object.entries(record))
  return recomputePool(provenance, swaps).map((each): Check => {
    const of: CheckSubject = { tier: 'numbers', subject: record.id, field: each.field }
    const inRow = row.has(each.field) ? row.get(each.field) : each.value
    const published = digestOf(inRow)
    if (each.kind === 'unchecked') return unchecked(of, each.detail, published)
    if (each.kind === 'refused') {
      return { ...of, outcome: 'differs', published, proved: null, reason: each.detail }
    }
    const proved = digestOf(each.computed)
    return compareTexts(of, { published, proved }, 'the formula gives another value')
  })
}

/**
 * A list of swaps as the formulas take it: millionths of a dollar. A swap that moved nothing
 * counts 0; one without a value has none.
 */
export const toSwapAmounts = (
  swaps: readonly Pick<SwapView, 'amountUsd' | 'stockAmount' | 'otherAmount'>[],
): readonly (bigint | null)[] =>
  swaps.map(({ amountUsd, stockAmount, otherAmount }) => {
    if (amountUsd !== null) return BigInt(Math.round(amountUsd * microPerUsd))
    return stockAmount === 0 && otherAmount === 0 ? 0n : null
  })
