import type { Readable, Writable } from 'node:stream'
import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { DumpSink, DumpSource } from '../ports/store-export.ts'
import { isThere, nameOf, readBytes, writeText } from './files.ts'
import type { TransferStep } from './format.ts'
import { importLines } from './read-lines.ts'
import { exportText } from './write-lines.ts'

type Work = {
  /** A path, packed by gzip if it ends in `.gz`; `-`: a standard stream, unpacked. */
  readonly file: string
  readonly signal: AbortSignal
  readonly onStep: (step: TransferStep) => void
}

/** What was carried over. */
export type Carried = { readonly chain: ChainIdentity; readonly rows: number }

/** Writes the store as it is at this moment. The fault is one line. */
export const exportStore = (
  source: DumpSource,
  { file, output, signal, onStep }: Work & { readonly output: Writable },
): Promise<Outcome<Carried, string>> => {
  if (isThere(file)) return Promise.resolve(failure(`${file} is there already`))
  return source.read(async (dump) => {
    if (dump === null) return failure('the store is empty: no indexer has claimed it yet')
    const written = await writeText(file, { output, signal }, exportText(dump, onStep))
    if (!written.ok) return written
    const rows = dump.tables.reduce((sum, table) => sum + table.rows, 0)
    return success({ chain: dump.identity, rows })
  })
}

/** Fills an empty store; what fails in the middle leaves it empty. The fault is one line. */
export const importStore = async (
  sink: DumpSink,
  { file, input, signal, onStep }: Work & { readonly input: Readable },
): Promise<Outcome<Carried, string>> => {
  let hasBegun = false
  const begin: DumpSink['begin'] = async () => {
    const begun = await sink.begin()
    hasBegun = begun.ok
    return begun
  }
  const deps = { name: nameOf(file, 'input'), sink: { ...sink, begin }, onStep }
  const read = await readBytes(file, { input, signal }, (chunks) => importLines(chunks, deps))
  const finished = read.ok ? await sink.finish(read.value.header) : read
  if (finished.ok && read.ok) {
    return success({ chain: read.value.heading.chain, rows: read.value.rows })
  }
  const fault = finished.ok ? '' : finished.fault
  if (!hasBegun) return failure(fault)
  const abandoned = await sink.abandon()
  return failure(abandoned.ok ? `${fault}; nothing was imported` : `${fault}; ${abandoned.fault}`)
}
