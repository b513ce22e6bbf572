import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { exportStore, importStore } from '../../../src/backup/backup.ts'
import type { Outcome } from '../../../src/domain/outcome.ts'
import { systemTimer } from '../../../src/net/timer.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { ExportSource, ImportSink } from '../../../src/ports/store-export.ts'
import { openPostgresDump } from '../../../src/store/postgres/export-source.ts'
import { openPostgresSink } from '../../../src/store/postgres/import-sink.ts'
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import { openSqliteDump } from '../../../src/store/sqlite/export-source.ts'
import { openSqliteSink } from '../../../src/store/sqlite/import-sink.ts'
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { patience } from '../store/patience.ts'

const never = new AbortController().signal

/** A place for one store, empty at first; whoever opens closes. */
export type Home = {
  readonly url: string
  readonly openStore: () => Promise<Outcome<Store, string>>
  readonly openSource: () => Promise<Outcome<ExportSource, string>>
  readonly openSink: () => Promise<Outcome<ImportSink, string>>
}

export const got = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.fault)
  return outcome.value
}

/** A folder that is gone after the test. */
export const temporaryFolder = (onEnd: (end: () => void) => void): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-transfer-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const sqliteHomeAt = (path: string): Home => ({
  url: `sqlite:${path}`,
  openStore: async () => createSqliteStore({ path }),
  openSource: async () => openSqliteDump({ path }),
  openSink: async () => openSqliteSink({ path }),
})

let homes = 0

export const sqliteHome = (folder: string): Home => {
  homes += 1
  return sqliteHomeAt(join(folder, `store-${homes}.db`))
}

export const postgresHome = (url: string): Home => ({
  url,
  openStore: () => createPostgresStore({ url, fence: null, limits: patience }),
  openSource: () => openPostgresDump({ url }),
  openSink: () => openPostgresSink({ url, timer: systemTimer, signal: never }),
})

/** The text of an export. */
export const exported = async (home: Home): Promise<string> => {
  const source = got(await home.openSource())
  const chunks: Buffer[] = []
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk)
      done()
    },
  })
  got(await exportStore(source, { file: '-', output, signal: never, onStep: () => {} }))
  await source.close()
  return Buffer.concat(chunks).toString('utf8')
}

/** Imports what the pieces come to. */
export const imported = async (
  home: Home,
  pieces: readonly (string | Uint8Array)[],
): Promise<Outcome<unknown, string>> => {
  const sink = got(await home.openSink())
  const input = Readable.from(pieces.map((piece) => Buffer.from(piece)))
  const outcome = await importStore(sink, { file: '-', input, signal: never, onStep: () => {} })
  await sink.close()
  return outcome
}
