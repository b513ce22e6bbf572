import type { Readable, Writable } from 'node:stream'
import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { ExportSource, ImportSink } from '../ports/store-export.ts'
import { displayName, fileExists, readBytes, writeText } from './files.ts'
import type { TransferProgress } from './format.ts'
import { importLines } from './read-lines.ts'
import { writeExport } from './write-lines.ts'

type Work = {
  /** A path, packed by gzip if it ends in `.gz`; `-`: a standard stream, unpacked. */
  readonly file: string
  readonly signal: AbortSignal
  readonly onStep: (step: TransferProgress) => void
}

/** The exported or imported chain, and its number of rows. */
export type TransferResult = { readonly chain: ChainIdentity; readonly rows: number }

/** Exports one snapshot of the store. The fault is one line. */
export const exportStore = (
  source: ExportSource,
  { file, output, signal, onStep }: Work & { readonly output: Writable },
): Promise<Outcome<TransferResult, string>> => {
  if (fileExists(file)) return Promise.resolve(failure(`${file} exists already`))
  return source.read(async (contents) => {
    if (contents === null) return failure('the store is empty: no indexer has claimed it yet')
    const written = await writeText(file, { output, signal }, writeExport(contents, onStep))
    if (!written.ok) return written
    const rows = contents.tables.reduce((sum, table) => sum + table.rows, 0)
    return success({ chain: contents.identity, rows })
  })
}

/** Imports into an empty store, which stays empty after a failure. The fault is one line. */
export const importStore = async (
  sink: ImportSink,
  { file, input, signal, onStep }: Work & { readonly input: Readable },
): Promise<Outcome<TransferResult, string>> => {
  let hasBegun = false
  const begin: ImportSink['begin'] = async () => {
    const begun = await sink.begin()
    hasBegun = begun.ok
    return begun
  }
  const deps = { name: displayName(file, 'input'), sink: { ...sink, begin }, onStep }
  const read = await readBytes(file, { input, signal }, (chunks) => importLines(chunks, deps))
  const finished = read.ok ? await sink.finish(read.value.header) : read
  if (finished.ok && read.ok) {
    return success({ chain: read.value.heading.chain, rows: read.value.rows })
  }
  const fault = finished.ok ? '' : finished.fault
  if (!hasBegun) return failure(fault)
  const rolledBack = await sink.rollback()
  return failure(rolledBack.ok ? `${fault}; nothing was imported` : `${fault}; ${rolledBack.fault}`)
}
