import { exportStore, importStore, type TransferResult } from '../../backup/backup.ts'
import type { TransferProgress } from '../../backup/format.ts'
import type { Transfer } from '../../config/command-line.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { createConsole } from '../../log/console.ts'
import { systemClock } from '../clock.ts'
import { openExportSource, openImportSink } from '../compose/export-store.ts'

type ProcessControl = {
  readonly stop: AbortSignal
  /** Writes one line to standard error. */
  readonly reportError: (text: string) => void
}

type TransferWatch = {
  readonly signal: AbortSignal
  readonly onStep: (step: TransferProgress) => void
}

const runTransfer = async (
  transfer: Transfer,
  watch: TransferWatch,
): Promise<Outcome<TransferResult, string>> => {
  const { direction, store, file } = transfer
  const work = { file, ...watch }
  if (direction === 'export') {
    const source = await openExportSource(store)
    if (!source.ok) return source
    const exported = await exportStore(source.value, { ...work, output: process.stdout })
    await source.value.close()
    return exported
  }
  const sink = await openImportSink(store, watch.signal)
  if (!sink.ok) return sink
  const imported = await importStore(sink.value, { ...work, input: process.stdin })
  await sink.value.close()
  return imported
}

/** Exports or imports a store. Returns the exit code: 0 done, 1 failed or stopped. */
export const transferStore = async (
  transfer: Transfer,
  control: ProcessControl,
): Promise<number> => {
  const { direction, file, logLevel } = transfer
  // Standard output carries the export itself.
  const stream = direction === 'export' && file === '-' ? process.stderr : process.stdout
  const { logger, progress } = createConsole({ stream, level: logLevel, clock: systemClock })
  const onStep = ({ phase, done, total }: TransferProgress): void =>
    progress.bootstrap({ phase: `${direction} of ${phase}`, done, total, events: null })
  const transferred = await runTransfer(transfer, { signal: control.stop, onStep })
  progress.end()
  if (!transferred.ok) {
    control.reportError(transferred.fault)
    return 1
  }
  const { chain, rows } = transferred.value
  logger.info(`Completed the ${direction}`, {
    network: chain.network,
    chainId: chain.chainId,
    rows,
  })
  return 0
}
