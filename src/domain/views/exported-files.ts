import type { ChainIdentity } from '../chain/chain-identity.ts'
import type { ExportedFile } from '../history/exported-file.ts'

export type ExportedFileView = Omit<ExportedFile, 'path'> & {
  /** Path of the download on this service. */
  readonly url: string
}

/** One page of the finished files, newest day first. */
export type ExportedFilesView = {
  readonly items: readonly ExportedFileView[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  /** Null: nothing was exported yet. */
  readonly chain: ChainIdentity | null
  readonly methodology: { readonly version: string; readonly hash: string } | null
}
