import type { BootstrapState, TickMapCursor } from '../../ports/store-batches.ts'
import { hex, integer } from './codec.ts'
import { table } from './table.ts'

/** The one row that says how far a first reading is. */
export type BootstrapRow = {
  readonly steps: number
  readonly toBlock: number
  readonly toHash: BootstrapState['to']['hash']
  readonly toTs: number
  readonly foundTo: number
}

export const bootstrapTable = table<BootstrapRow>('first_reading', {
  steps: integer,
  toBlock: integer,
  toHash: hex,
  toTs: integer,
  foundTo: integer,
})

export const tickMapCursors = table<TickMapCursor>('first_maps', {
  pool: integer,
  mappedTo: integer,
})

export const toBootstrapState = ({ steps, toBlock, toHash, toTs, foundTo }: BootstrapRow) => ({
  steps,
  to: { block: toBlock, hash: toHash, ts: toTs },
  discoveredTo: foundTo,
})

export const bootstrapUpsert = `ON CONFLICT (id) DO UPDATE SET
  ${bootstrapTable.columns.map((name) => `${name} = excluded.${name}`).join(', ')}`
