import type { ReplacementRecord } from '../../ports/store-batches.ts'
import { integer, orNull } from './codec.ts'
import { type Table, table } from './table.ts'

const rows = table('replacements', {
  epoch: integer,
  block: orNull(integer),
  ts: orNull(integer),
})

export const toReplacement = ({
  epoch,
  block,
  ts,
}: {
  readonly epoch: number
  readonly block: number | null
  readonly ts: number | null
}): ReplacementRecord => ({
  epoch,
  ancestor: block === null || ts === null ? null : { block, ts },
})

export const replacements: Table<ReplacementRecord> = {
  name: rows.name,
  columns: rows.columns,
  forms: rows.forms,
  toRow: ({ epoch, ancestor }) =>
    rows.toRow({ epoch, block: ancestor?.block ?? null, ts: ancestor?.ts ?? null }),
  fromRow: (columns) => toReplacement(rows.fromRow(columns)),
}
