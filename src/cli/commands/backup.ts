import { type BackupResult, backupStore, restoreStore } from '../../backup/backup.ts'
import type { BackupProgress } from '../../backup/format.ts'
import type { BackupRequest } from '../../config/backup-command.ts'
import { failure, type Outcome } from '../../domain/outcome.ts'
import { createConsole } from '../../log/console.ts'
import { systemClock } from '../clock.ts'
import { openBackupSource, openRestoreSink } from '../compose/backup-store.ts'
import { claimStore } from '../compose/claim-resources.ts'

type ProcessControl = {
  readonly stop: AbortSignal
  /** Writes one line to standard error. */
  readonly reportError: (text: string) => void
}

type BackupWatch = {
  readonly signal: AbortSignal
  readonly onStep: (step: BackupProgress) => void
}

const runAction = async (
  request: BackupRequest,
  watch: BackupWatch,
): Promise<Outcome<BackupResult, string>> => {
  const { action, store, file } = request
  const work = { file, ...watch }
  if (action === 'backup') {
    const source = await openBackupSource(store)
    if (!source.ok) return source
    const written = await backupStore(source.value, { ...work, output: process.stdout })
    await source.value.close()
    return written
  }
  // Held until the process ends.
  const claimFault = await claimStore(store)
  if (claimFault !== null) return failure(claimFault)
  const sink = await openRestoreSink(store, watch.signal)
  if (!sink.ok) return sink
  const restored = await restoreStore(sink.value, { ...work, input: process.stdin })
  await sink.value.close()
  return restored
}

/** Backs up or restores a store. Returns the exit code: 0 done, 1 failed or stopped. */
export const runBackupCommand = async (
  request: BackupRequest,
  control: ProcessControl,
): Promise<number> => {
  const { action, file, logLevel } = request
  // Standard output carries the backup itself.
  const stream = action === 'backup' && file === '-' ? process.stderr : process.stdout
  const { logger, progress } = createConsole({ stream, level: logLevel, clock: systemClock })
  const onStep = ({ phase, done, total }: BackupProgress): void =>
    progress.bootstrap({ phase: `${action} of ${phase}`, done, total, events: null })
  const done = await runAction(request, { signal: control.stop, onStep })
  progress.end()
  if (!done.ok) {
    control.reportError(done.fault)
    return 1
  }
  const { chain, rows } = done.value
  logger.info(`Completed the ${action}`, {
    network: chain.network,
    chainId: chain.chainId,
    rows,
  })
  return 0
}
