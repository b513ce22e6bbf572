import type { ExportRequest } from '../../config/export-command.ts'
import { exportFiles } from '../../export/export-files.ts'
import { createConsole } from '../../log/console.ts'
import { systemClock } from '../clock.ts'
import { openDayStore } from '../compose/day-store.ts'
import { lockFile } from '../compose/file-lock.ts'

type ProcessControl = {
  readonly stop: AbortSignal
  /** Writes one line to standard error. */
  readonly reportError: (text: string) => void
}

/** Writes files of a dataset. Returns the exit code: 0 done, 1 failed or stopped. */
export const runExportCommand = async (
  request: ExportRequest,
  { stop, reportError }: ProcessControl,
): Promise<number> => {
  const { dataset, format, fromTs, toTs, symbol, pool, directory, check, logLevel } = request
  const { stdout } = process
  const { logger, progress } = createConsole({
    stream: stdout,
    level: logLevel,
    clock: systemClock,
  })
  const store = await openDayStore(request.store)
  if (!store.ok) {
    reportError(store.fault)
    return 1
  }
  const filter = { symbol: symbol?.toUpperCase() ?? null, pool }
  const done = await exportFiles(
    store.value,
    { dataset, format, range: { fromTs, toTs }, filter, directory, check },
    {
      clock: systemClock,
      signal: stop,
      lock: lockFile,
      onStep: (step) => progress.bootstrap({ ...step, events: null }),
      onSkipped: (day) => logger.warn(`Skipped ${day}, of which the store has only a part`),
    },
  )
  progress.end()
  await store.value.close()
  if (!done.ok) {
    reportError(done.fault)
    return 1
  }
  const { written, kept } = done.value
  const rows = written.reduce((sum, file) => sum + file.rows, 0)
  logger.info('Completed the export', { dataset, files: written.length, kept, rows, directory })
  return 0
}
