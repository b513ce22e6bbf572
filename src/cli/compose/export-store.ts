import type { Transfer } from '../../config/command-line.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { systemTimer } from '../../net/timer.ts'
import type { ExportSource, ImportSink } from '../../ports/store-export.ts'

type Target = Transfer['store']

// Imported on demand, so that the driver of the other store is not loaded.

export const openExportSource = async (target: Target): Promise<Outcome<ExportSource, string>> => {
  if (target.kind === 'sqlite') {
    const { openSqliteExport } = await import('../../store/sqlite/export-source.ts')
    return openSqliteExport(target)
  }
  const { openPostgresExport } = await import('../../store/postgres/export-source.ts')
  return openPostgresExport({ url: target.url.reveal() })
}

/** `signal` ends the wait for another writer to finish. */
export const openImportSink = async (
  target: Target,
  signal: AbortSignal,
): Promise<Outcome<ImportSink, string>> => {
  if (target.kind === 'sqlite') {
    const { openSqliteImport } = await import('../../store/sqlite/import-sink.ts')
    return openSqliteImport(target)
  }
  const { openPostgresImport } = await import('../../store/postgres/import-sink.ts')
  return openPostgresImport({ url: target.url.reveal(), timer: systemTimer, signal })
}
