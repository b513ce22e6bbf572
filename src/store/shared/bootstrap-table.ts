import type { FirstMap, FirstReading } from '../../ports/store-batches.ts'
import { hex, integer } from './codec.ts'
import { table } from './table.ts'

/** The one row that says how far a first reading is. */
export type BootstrapRow = {
  readonly steps: number
  readonly toBlock: number
  readonly toHash: FirstReading['to']['hash']
  readonly toTs: number
  readonly foundTo: number
}

export const standings = table<BootstrapRow>('first_reading', {
  steps: integer,
  toBlock: integer,
  toHash: hex,
  toTs: integer,
  foundTo: integer,
})

export const firstMaps = table<FirstMap>('first_maps', { pool: integer, mappedTo: integer })

export const readingOf = ({ steps, toBlock, toHash, toTs, foundTo }: BootstrapRow) => ({
  steps,
  to: { block: toBlock, hash: toHash, ts: toTs },
  foundTo,
})

export const bootstrapUpsert = `ON CONFLICT (id) DO UPDATE SET
  ${standings.columns.map((name) => `${name} = excluded.${name}`).join(', ')}`
