import type { BackupRequest } from '../../config/backup-command.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { systemTimer } from '../../net/timer.ts'
import type { BackupSource, RestoreSink } from '../../ports/store-backup.ts'

type Target = BackupRequest['store']

// Imported on demand, so that the driver of the other store is not loaded.

export const openBackupSource = async (target: Target): Promise<Outcome<BackupSource, string>> => {
  if (target.kind === 'sqlite') {
    const { openSqliteBackup } = await import('../../store/sqlite/backup-source.ts')
    return openSqliteBackup(target)
  }
  const { openPostgresBackup } = await import('../../store/postgres/backup-source.ts')
  return openPostgresBackup({ url: target.url.reveal() })
}

/** `signal` ends the wait for another writer to finish. */
export const openRestoreSink = async (
  target: Target,
  signal: AbortSignal,
): Promise<Outcome<RestoreSink, string>> => {
  if (target.kind === 'sqlite') {
    const { openSqliteRestore } = await import('../../store/sqlite/restore-sink.ts')
    return openSqliteRestore(target)
  }
  const { openPostgresRestore } = await import('../../store/postgres/restore-sink.ts')
  return openPostgresRestore({ url: target.url.reveal(), timer: systemTimer, signal })
}
