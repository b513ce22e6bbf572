import { type DataStatus, dataStatuses } from '../../domain/freshness/data-status.ts'
import type { AnswerContext } from '../routes/endpoint.ts'

/** What an answer is of: a model that quotes a number should quote this with it. */
export type AsOf = {
  readonly network: string
  readonly sandbox: boolean
  /** The indexed head; null before the first block. */
  readonly block: number | null
  readonly blockTs: number | null
  readonly ts: number
}

export const asOfOf = ({ market, network }: AnswerContext): AsOf => {
  const { ts, chain } = market.status()
  const { indexedBlock, indexedTs } = chain
  return {
    network: network.name,
    sandbox: network.sandbox,
    block: indexedBlock,
    blockTs: indexedTs,
    ts,
  }
}

type Row = { readonly dataStatus?: DataStatus }

/** The rows that an answer is about. */
const rowsOf = (body: Readonly<Record<string, unknown>>): readonly Row[] => {
  const { items, pool, stock } = body
  if (Array.isArray(items)) return items as readonly Row[]
  return [pool, stock].filter((row): row is Row => typeof row === 'object' && row !== null)
}

/** The worst of them; null where the answer has no such rows. */
export const dataStatusOf = (body: Readonly<Record<string, unknown>>): DataStatus | null => {
  const found = new Set(rowsOf(body).map(({ dataStatus }) => dataStatus))
  return dataStatuses.findLast((status) => found.has(status)) ?? null
}
