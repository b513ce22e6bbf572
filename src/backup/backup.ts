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

/** What was carried over. */
export type TransferResult = { readonly chain: ChainIdentity; readonly rows: number }

/** Writes the store as it is at this moment. The fault is one line. */
export const exportStore = (
  source: ExportSource,
  { file, output, signal, onStep }: Work & { readonly output: Writable },
): Promise<Outcome<TransferResult, string>> => {
  if (fileExists(file)) return Promise.resolve(failure(`${file} is there already`))
  return source.read(async (dump) => {
    if (dump === null) return failure('the store is empty: no indexer has claimed it yet')
    const written = await writeText(file, { output, signal }, writeExport(dump, onStep))
    if (!written.ok) return written
    const rows = dump.tables.reduce((sum, table) => sum + table.rows, 0)
    return success({ chain: dump.identity, rows })
  })
}

/** Fills an empty store; what fails in the middle leaves it empty. The fault is one line. */
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
  const abandoned = await sink.rollback()
  return failure(abandoned.ok ? `${fault}; nothing was imported` : `${fault}; ${abandoned.fault}`)
}
