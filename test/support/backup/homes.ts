import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { exportStore, importStore } from '../../../src/backup/backup.ts'
import type { Outcome } from '../../../src/domain/outcome.ts'
import { systemTimer } from '../../../src/net/timer.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { ExportSource, ImportSink } from '../../../src/ports/store-export.ts'
import { openPostgresExport } from '../../../src/store/postgres/export-source.ts'
import { openPostgresImport } from '../../../src/store/postgres/import-sink.ts'
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import { openSqliteExport } from '../../../src/store/sqlite/export-source.ts'
import { openSqliteImport } from '../../../src/store/sqlite/import-sink.ts'
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { unlimited } from '../store/patience.ts'

const never = new AbortController().signal

/** A place for one store, empty at first; the caller closes what it opens. */
export type StoreLocation = {
  readonly url: string
  readonly openStore: () => Promise<Outcome<Store, string>>
  readonly openSource: () => Promise<Outcome<ExportSource, string>>
  readonly openSink: () => Promise<Outcome<ImportSink, string>>
}

export const unwrap = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.fault)
  return outcome.value
}

/** A folder that is gone after the test. */
export const temporaryFolder = (onEnd: (end: () => void) => void): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-transfer-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const sqliteLocationAt = (path: string): StoreLocation => ({
  url: `sqlite:${path}`,
  openStore: async () => createSqliteStore({ path }),
  openSource: async () => openSqliteExport({ path }),
  openSink: async () => openSqliteImport({ path }),
})

let homes = 0

export const sqliteLocation = (folder: string): StoreLocation => {
  homes += 1
  return sqliteLocationAt(join(folder, `store-${homes}.db`))
}

export const postgresLocation = (url: string): StoreLocation => ({
  url,
  openStore: () => createPostgresStore({ url, leaseGeneration: null, limits: unlimited }),
  openSource: () => openPostgresExport({ url }),
  openSink: () => openPostgresImport({ url, timer: systemTimer, signal: never }),
})

/** The text of an export. */
export const exportToText = async (home: StoreLocation): Promise<string> => {
  const source = unwrap(await home.openSource())
  const chunks: Buffer[] = []
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk)
      done()
    },
  })
  unwrap(await exportStore(source, { file: '-', output, signal: never, onStep: () => {} }))
  await source.close()
  return Buffer.concat(chunks).toString('utf8')
}

/** Imports what the pieces come to. */
export const importText = async (
  home: StoreLocation,
  pieces: readonly (string | Uint8Array)[],
): Promise<Outcome<unknown, string>> => {
  const sink = unwrap(await home.openSink())
  const input = Readable.from(pieces.map((piece) => Buffer.from(piece)))
  const outcome = await importStore(sink, { file: '-', input, signal: never, onStep: () => {} })
  await sink.close()
  return outcome
}
