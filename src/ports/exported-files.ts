import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import type { ExportedFile } from '../domain/history/exported-file.ts'
import type { Outcome } from '../domain/outcome.ts'

export type ExportListing = {
  readonly chain: ChainIdentity
  /** The methodology whose numbers the files contain. */
  readonly methodology: { readonly version: string; readonly hash: string }
  readonly files: readonly ExportedFile[]
}

export type OpenExportedFile = {
  readonly file: ExportedFile
  /**
   * The bytes from `start` up to, not including, `end`. Throws before the last of them if the file
   * has changed since it was opened.
   */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>
  readonly close: () => Promise<void>
}

/** The finished files of an export. Faults are one line for the operator. */
export type ExportedFiles = {
  /** Null: nothing was exported yet. */
  readonly list: () => Promise<Outcome<ExportListing | null, string>>
  /** Null: no finished file has this path. The bytes have the listed length and checksum. */
  readonly open: (path: string) => Promise<Outcome<OpenExportedFile | null, string>>
}
