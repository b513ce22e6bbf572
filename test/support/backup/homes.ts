import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { backupStore, restoreStore } from '../../../src/backup/backup.ts'
import type { Outcome } from '../../../src/domain/outcome.ts'
import { systemTimer } from '../../../src/net/timer.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { BackupSource, RestoreSink } from '../../../src/ports/store-backup.ts'
import { openPostgresBackup } from '../../../src/store/postgres/backup-source.ts'
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import { openPostgresRestore } from '../../../src/store/postgres/restore-sink.ts'
import { openSqliteBackup } from '../../../src/store/sqlite/backup-source.ts'
import { openSqliteRestore } from '../../../src/store/sqlite/restore-sink.ts'
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { unlimited } from '../store/patience.ts'

const never = new AbortController().signal

/** A place for one store, empty at first; the caller closes what it opens. */
export type StoreLocation = {
  readonly url: string
  readonly openStore: () => Promise<Outcome<Store, string>>
  readonly openSource: () => Promise<Outcome<BackupSource, string>>
  readonly openSink: () => Promise<Outcome<RestoreSink, string>>
}

export const unwrap = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.fault)
  return outcome.value
}

/** A folder that is gone after the test. */
export const temporaryFolder = (onEnd: (end: () => void) => void): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-backup-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const sqliteLocationAt = (path: string): StoreLocation => ({
  url: `sqlite:${path}`,
  openStore: async () => createSqliteStore({ path }),
  openSource: async () => openSqliteBackup({ path }),
  openSink: async () => openSqliteRestore({ path }),
})

let homes = 0

export const sqliteLocation = (folder: string): StoreLocation => {
  homes += 1
  return sqliteLocationAt(join(folder, `store-${homes}.db`))
}

export const postgresLocation = (url: string): StoreLocation => ({
  url,
  openStore: () => createPostgresStore({ url, leaseGeneration: null, limits: unlimited }),
  openSource: () => openPostgresBackup({ url }),
  openSink: () => openPostgresRestore({ url, timer: systemTimer, signal: never }),
})

/** The text of a backup. */
export const backupToText = async (home: StoreLocation): Promise<string> => {
  const source = unwrap(await home.openSource())
  const chunks: Buffer[] = []
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk)
      done()
    },
  })
  unwrap(await backupStore(source, { file: '-', output, signal: never, onStep: () => {} }))
  await source.close()
  return Buffer.concat(chunks).toString('utf8')
}

/** Restores what the pieces come to. */
export const restoreText = async (
  home: StoreLocation,
  pieces: readonly (string | Uint8Array)[],
): Promise<Outcome<unknown, string>> => {
  const sink = unwrap(await home.openSink())
  const input = Readable.from(pieces.map((piece) => Buffer.from(piece)))
  const outcome = await restoreStore(sink, { file: '-', input, signal: never, onStep: () => {} })
  await sink.close()
  return outcome
}
