import type { Readable, Writable } from 'node:stream'
import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BackupSource, RestoreSink } from '../ports/store-backup.ts'
import { displayName, fileExists, readBytes, writeText } from './files.ts'
import type { BackupProgress } from './format.ts'
import { restoreLines } from './read-lines.ts'
import { writeBackup } from './write-lines.ts'

type Work = {
  /** A path, packed by gzip if it ends in `.gz`; `-`: a standard stream, unpacked. */
  readonly file: string
  readonly signal: AbortSignal
  readonly onStep: (step: BackupProgress) => void
}

/** The chain of the store, and its number of rows. */
export type BackupResult = { readonly chain: ChainIdentity; readonly rows: number }

/** Backs up one snapshot of the store. The fault is one line. */
export const backupStore = (
  source: BackupSource,
  { file, output, signal, onStep }: Work & { readonly output: Writable },
): Promise<Outcome<BackupResult, string>> => {
  if (fileExists(file)) return Promise.resolve(failure(`${file} exists already`))
  return source.read(async (contents) => {
    if (contents === null) return failure('the store is empty: no indexer has claimed it yet')
    const written = await writeText(file, { output, signal }, writeBackup(contents, onStep))
    if (!written.ok) return written
    const rows = contents.tables.reduce((sum, table) => sum + table.rows, 0)
    return success({ chain: contents.identity, rows })
  })
}

/** Restores into an empty store, which stays empty after a failure. The fault is one line. */
export const restoreStore = async (
  sink: RestoreSink,
  { file, input, signal, onStep }: Work & { readonly input: Readable },
): Promise<Outcome<BackupResult, string>> => {
  let hasBegun = false
  const begin: RestoreSink['begin'] = async () => {
    const begun = await sink.begin()
    hasBegun = begun.ok
    return begun
  }
  const deps = { name: displayName(file, 'input'), sink: { ...sink, begin }, onStep }
  const read = await readBytes(file, { input, signal }, (chunks) => restoreLines(chunks, deps))
  const finished = read.ok ? await sink.finish(read.value.header, read.value.lacking) : read
  if (finished.ok && read.ok) {
    return success({ chain: read.value.heading.chain, rows: read.value.rows })
  }
  const fault = finished.ok ? '' : finished.fault
  if (!hasBegun) return failure(fault)
  const rolledBack = await sink.rollback()
  return failure(rolledBack.ok ? `${fault}; nothing was restored` : `${fault}; ${rolledBack.fault}`)
}
