import { exportStore, importStore, type TransferResult } from '../../backup/backup.ts'
import type { TransferProgress } from '../../backup/format.ts'
import type { Transfer } from '../../config/command-line.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { createConsole } from '../../log/console.ts'
import { systemClock } from '../clock.ts'
import { openExportSource, openImportSink } from '../compose/export-store.ts'

type World = {
  readonly stop: AbortSignal
  /** One line on standard error. */
  readonly complain: (text: string) => void
}

type Watch = { readonly signal: AbortSignal; readonly onStep: (step: TransferProgress) => void }

const carry = async (
  transfer: Transfer,
  watch: Watch,
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

/** Carries a store over. The exit code: 0 done, 1 failed at work or stopped before it was done. */
export const transferStore = async (transfer: Transfer, world: World): Promise<number> => {
  const { direction, file, logLevel } = transfer
  // What goes to standard output is the export itself.
  const stream = direction === 'export' && file === '-' ? process.stderr : process.stdout
  const { logger, progress } = createConsole({ stream, level: logLevel, clock: systemClock })
  const onStep = ({ phase, done, total }: TransferProgress): void =>
    progress.bootstrap({ phase: `${direction} of ${phase}`, done, total, events: null })
  const carried = await carry(transfer, { signal: world.stop, onStep })
  progress.end()
  if (!carried.ok) {
    world.complain(carried.fault)
    return 1
  }
  const { chain, rows } = carried.value
  logger.info(`The ${direction} is complete`, {
    network: chain.network,
    chainId: chain.chainId,
    rows,
  })
  return 0
}
