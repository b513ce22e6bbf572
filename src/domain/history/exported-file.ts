import type { Hash, UnixSeconds } from '../units.ts'

export const exportDatasets = [
  'swaps',
  'liquidity',
  'candles',
  'pools',
  'stocks',
  'references',
] as const
export type ExportDataset = (typeof exportDatasets)[number]

/** Also the ending of the file's name. */
export const exportFormats = ['parquet', 'csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The hash is null if the store did not keep the block any more. */
export type ExportedBlock = { readonly number: number; readonly hash: Hash | null }

/** A finished file: one dataset, one UTC day, one format. */
export type ExportedFile = {
  readonly dataset: ExportDataset
  /** UTC, `2026-11-21`. */
  readonly day: string
  readonly format: ExportFormat
  /** Below the directory of the export; see `exportedFilePath`. */
  readonly path: string
  readonly rows: number
  readonly bytes: number
  /** 64 hexadecimal digits. */
  readonly sha256: string
  /** First and last block of the file's rows; null where it has none. */
  readonly fromBlock: ExportedBlock | null
  readonly toBlock: ExportedBlock | null
  readonly createdTs: UnixSeconds
}

/** `swaps/2026-11-21.parquet` */
export const exportedFilePath = ({
  dataset,
  day,
  format,
}: Pick<ExportedFile, 'dataset' | 'day' | 'format'>): string => `${dataset}/${day}.${format}`
