import { transferStore } from '../../src/cli/commands/backup.ts'
import { parseCommandLine } from '../../src/config/command-line.ts'
import { peakRssMb } from '../peak-memory.ts'

/*
 * `stockpools export` or `import` in a process of its own, which says at its end how long it took
 * and the most memory that it ever held.
 */

export type BackupReport = { readonly seconds: number; readonly rssMaxMb: number }

const args = [...process.argv.slice(2), '--log-level', 'silent']
const command = parseCommandLine({ args, environment: {}, version: '' })
if (!command.ok || command.value.kind !== 'transfer') throw new Error(`not a transfer: ${args}`)
const begunMs = performance.now()
const code = await transferStore(command.value.transfer, {
  stop: new AbortController().signal,
  complain: (text) => process.stderr.write(`${text}\n`),
})
if (code !== 0) throw new Error(`ended with ${code}`)
const report: BackupReport = {
  seconds: (performance.now() - begunMs) / 1000,
  rssMaxMb: peakRssMb(),
}
process.send?.(report)
