import type { BlockRef } from '../domain/chain/block-ref.ts'
import type { PoolNumber } from '../domain/pool/pool-state.ts'
import type { Address, UnixSeconds } from '../domain/units.ts'
import type { DayRow, DaySnapshot, DayTable } from '../ports/store-days.ts'
import type { Column, RowWriter } from './columns.ts'
import type { FileFacts } from './pool-facts.ts'

type AddRow = RowWriter['add']

/** The pools and tokens that the export is limited to. */
export type Selection = {
  /** Null: all. */
  readonly pools: readonly PoolNumber[] | null
  readonly isWantedPool: (pool: PoolNumber) => boolean
  readonly isWantedToken: (address: Address) => boolean
}

/** Rows of a table, a file for each day. */
export type DayDataset = {
  readonly kind: 'days'
  readonly columns: readonly Column[]
  readonly table: DayTable
  /** Place of the block in the table's rows; null: rows without a block. */
  readonly blockAt: number | null
  /** Returns what adds the rows of the file for one row of the table. */
  readonly createRows: (
    facts: FileFacts,
    file: {
      readonly dayTs: UnixSeconds
      readonly selection: Selection
      readonly add: AddRow
    },
  ) => (row: DayRow) => void
}

export type SnapshotContext = {
  readonly facts: FileFacts
  /** The block that the state is of. */
  readonly at: BlockRef
  readonly add: AddRow
}

/** The present state of each pool or stock: one file, of the day of its export. */
export type SnapshotDataset = {
  readonly kind: 'snapshot'
  readonly columns: readonly Column[]
  readonly addRows: (
    snapshot: DaySnapshot,
    context: SnapshotContext,
    selection: Selection,
  ) => Promise<void>
}

/** Of rows without shared columns. */
export const nothingShared: readonly never[] = []
