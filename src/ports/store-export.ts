import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import type { Outcome } from '../domain/outcome.ts'

/** What one column of an exported table holds, whatever the store makes of it. */
export type ColumnKind = 'integer' | 'real' | 'flag' | 'text' | 'bytes' | 'bigint'

/** Bytes are `0x` and hex digits; an integer is one that a number holds exactly. */
export type ExportValue = number | boolean | string | bigint | null

export type ExportColumn = {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** Null: every value of the kind. */
  readonly only: readonly ExportValue[] | null
}

/** A table of an export: what every store has in common, in an order of its own. */
export type ExportTable = { readonly name: string; readonly columns: readonly ExportColumn[] }

/** One value per column, in the order of the table's columns. */
export type ExportRow = readonly ExportValue[]

/** A whole store as it was at one moment. */
export type StoreExport = {
  readonly identity: ChainIdentity
  readonly tables: readonly (ExportTable & { readonly rows: number })[]
  /** In the table's order, a bounded number at a time. */
  readonly readTable: (table: string) => AsyncIterable<readonly ExportRow[]>
}

export type ExportSource = {
  /** All that is read sees one moment, while the writer goes on; null: nobody claimed the store. */
  readonly read: <T>(use: (dump: StoreExport | null) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** An empty store that is filled from an export. Each fault is one line for the user. */
export type ImportSink = {
  readonly tables: readonly ExportTable[]
  /**
   * From here until `finish` the store calls itself half imported, and nobody else opens it. What
   * an import left that was killed is cleared. The fault: it holds something else.
   */
  readonly begin: () => Promise<Outcome<void, string>>
  /** One transaction. */
  readonly write: (table: string, rows: readonly ExportRow[]) => Promise<Outcome<void, string>>
  /** The header's row, which makes the store usable, comes last. */
  readonly finish: (header: ExportRow) => Promise<Outcome<void, string>>
  /** Clears what was written: the store is empty again. */
  readonly rollback: () => Promise<Outcome<void, string>>
  readonly close: () => Promise<void>
}
