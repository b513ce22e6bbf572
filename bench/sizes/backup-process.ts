import { runBackupCommand } from '../../src/cli/commands/backup.ts'
import { parseCommandLine } from '../../src/config/command-line.ts'
import { peakRssMb } from '../peak-memory.ts'

/*
 * Runs `stockpools backup` or `restore` in its own process and reports its duration and peak
 * memory.
 */

export type BackupReport = { readonly seconds: number; readonly rssMaxMb: number }

const args = [...process.argv.slice(2), '--log-level', 'silent']
const command = parseCommandLine({ args, environment: {}, version: '' })
if (!command.ok || command.value.kind !== 'backup') throw new Error(`not a backup: ${args}`)
const startedMs = performance.now()
const code = await runBackupCommand(command.value.request, {
  stop: new AbortController().signal,
  reportError: (text) => process.stderr.write(`${text}\n`),
})
if (code !== 0) throw new Error(`ended with ${code}`)
const report: BackupReport = {
  seconds: (performance.now() - startedMs) / 1000,
  rssMaxMb: peakRssMb(),
}
process.send?.(report)
