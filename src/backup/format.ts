import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BackupColumn, BackupTable } from '../ports/store-backup.ts'

/** Progress in rows of the table that the phase is named after. */
export type BackupProgress = {
  readonly phase: string
  readonly done: number
  readonly total: number
}

/**
 * Format of a backup (docs/backup.md): a header line with the chain, the tables and their row
 * counts; one line per row, table after table; a footer with the checksum of all lines before it.
 */
const formatName = 'stockpools-backup'
/** The name up to version 0.1.0 of the program. */
const formerFormatName = 'stockpools-export'

/** Incremented when a value changes its meaning. Columns and tables are added without. */
const formatVersion = 1

export type TableHeader = {
  readonly name: string
  /** Each with its kind: `ts integer`. */
  readonly columns: readonly string[]
  readonly rows: number
}

export type BackupHeader = {
  readonly format: typeof formatName
  readonly version: number
  readonly chain: ChainIdentity
  readonly tables: readonly TableHeader[]
}

export type BackupFooter = { readonly rows: number; readonly sha256: string }

export const columnText = ({ name, kind, nullable }: BackupColumn): string =>
  `${name} ${kind}${nullable ? ' or null' : ''}`

export const createBackupHeader = (
  chain: ChainIdentity,
  tables: readonly (BackupTable & { readonly rows: number })[],
): BackupHeader => ({
  format: formatName,
  version: formatVersion,
  chain,
  tables: tables.map(({ name, columns, rows }) => ({
    name,
    columns: columns.map(columnText),
    rows,
  })),
})

export const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isRecord = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

const isFormatName = (name: unknown): boolean => name === formatName || name === formerFormatName

const isTableHeader = (json: unknown): json is TableHeader =>
  isRecord(json) &&
  typeof json.name === 'string' &&
  Number.isSafeInteger(json.rows) &&
  Array.isArray(json.columns) &&
  json.columns.every((each) => typeof each === 'string')

const isChain = (json: unknown): json is ChainIdentity =>
  isRecord(json) && typeof json.chainId === 'number' && typeof json.network === 'string'

/** The fault completes a sentence that starts with the file's name. */
export const parseBackupHeader = (line: string): Outcome<BackupHeader, string> => {
  const json = parseJson(line)
  if (!isRecord(json) || !isFormatName(json.format)) return failure('is not a stockpools backup')
  const { version, chain, tables } = json
  if (version !== formatVersion) {
    const got = JSON.stringify(version)
    return failure(`is of format ${got}, and this version reads format ${formatVersion} only`)
  }
  if (!isChain(chain) || !Array.isArray(tables) || !tables.every(isTableHeader)) {
    return failure('has an invalid first line')
  }
  return success({ format: formatName, version, chain, tables })
}

export const parseBackupFooter = (json: unknown): BackupFooter | null =>
  isRecord(json) && typeof json.rows === 'number' && typeof json.sha256 === 'string'
    ? { rows: json.rows, sha256: json.sha256 }
    : null
