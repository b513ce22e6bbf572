import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import type { Outcome } from '../domain/outcome.ts'

/** Kind of a column's values, independent of the store's column types. */
export type ColumnKind = 'integer' | 'real' | 'flag' | 'text' | 'bytes' | 'bigint'

/** Bytes are `0x…` text; integers are safe integers. */
export type BackupValue = number | boolean | string | bigint | null

export type BackupColumn = {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** The allowed values; null: every value of the kind. */
  readonly only: readonly BackupValue[] | null
}

/** A value, or how it follows from the other columns of the row. */
export type BackupDefault =
  | BackupValue
  | ((valueIn: (column: string) => BackupValue) => BackupValue)

/** A table of a backup, with the columns that all stores share. */
export type BackupTable = {
  readonly name: string
  readonly columns: readonly BackupColumn[]
  /**
   * Values of the columns that an earlier version did not write, as in its migrated store; without
   * one a nullable column is null.
   */
  readonly defaults: Readonly<Record<string, BackupDefault>>
  /** An earlier version may not have had it. */
  readonly isOptional: boolean
}

/** One value per column, in the order of the table's columns. */
export type BackupRow = readonly BackupValue[]

/** The complete contents of a store at one moment. */
export type StoreBackup = {
  readonly identity: ChainIdentity
  readonly tables: readonly (BackupTable & { readonly rows: number })[]
  /** All rows in the table's order, in bounded pages. */
  readonly readTable: (table: string) => AsyncIterable<readonly BackupRow[]>
}

export type BackupSource = {
  /** Reads one snapshot while the writer continues; null: no indexer has claimed the store. */
  readonly read: <T>(use: (contents: StoreBackup | null) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/**
 * An empty store that a restore fills. Calls must follow each other. Each fault is one line for the
 * user.
 */
export type RestoreSink = {
  readonly tables: readonly BackupTable[]
  /**
   * Marks the store as incomplete until `finish`, so that it does not open. Clears what a killed
   * restore left; fails if the store has other contents.
   */
  readonly begin: () => Promise<Outcome<void, string>>
  /** Writes one transaction. */
  readonly write: (table: string, rows: readonly BackupRow[]) => Promise<Outcome<void, string>>
  /**
   * Writes the header's row, which makes the store usable, and removes the mark. `lacking`: the
   * tables and columns (`header.epoch`) that the file does not have.
   */
  readonly finish: (header: BackupRow, lacking: readonly string[]) => Promise<Outcome<void, string>>
  /** Removes all restored rows: the store is empty again. */
  readonly rollback: () => Promise<Outcome<void, string>>
  readonly close: () => Promise<void>
}
