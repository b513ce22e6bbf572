import type { Market } from '../../market/market.ts'

/** The block that an answer was computed at, and its hash where it is known. */
export type AsOf = ReturnType<Market['asOf']>

type Answer = Readonly<Record<string, unknown>>

const isAnswer = (value: unknown): value is Answer => typeof value === 'object' && value !== null

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** `asOfBlock` of the answer, else of its pool, else of the first of its rows; null without. */
const blockOf = (answer: unknown): number | null => {
  if (!isAnswer(answer)) return null
  const { asOfBlock, pool, items, pools } = answer
  if (typeof asOfBlock === 'number') return asOfBlock
  for (const row of [pool, firstOf(items), firstOf(pools)]) {
    if (isAnswer(row) && typeof row.asOfBlock === 'number') return row.asOfBlock
  }
  return null
}

/**
 * Notes the state that an answer is computed from. An answer that names no block is of the last
 * valued one, unless that changed in between.
 */
export const watchAsOf = (market: Pick<Market, 'asOf'>): ((answer: unknown) => AsOf) => {
  const before = market.asOf(null)
  return (answer) => {
    const block = blockOf(answer)
    if (block !== null) return market.asOf(block)
    const after = market.asOf(null)
    return after?.block === before?.block && after?.hash === before?.hash ? after : null
  }
}

/** Headers of an answer; null leaves one out. */
export const asOfHeaders = (asOf: AsOf): Readonly<Record<string, string | null>> => ({
  'x-as-of-block': asOf === null ? null : String(asOf.block),
  'x-as-of-hash': asOf?.hash ?? null,
})
