import { runExportCommand } from '../src/cli/commands/export.ts'
import { parseCommandLine } from '../src/config/command-line.ts'
import { startUsageMeter } from './child.ts'

/* Runs `stockpools export` in its own process and reports its duration and peak memory. */

const given = JSON.parse(process.argv[2] ?? '[]') as readonly string[]
const args = ['export', ...given, '--dataset', 'swaps', '--format', 'parquet']
const command = parseCommandLine({
  args: [...args, '--log-level', 'silent'],
  environment: {},
  version: '',
})
if (!command.ok || command.value.kind !== 'export') throw new Error(`not an export: ${args}`)
const usage = startUsageMeter()
const code = await runExportCommand(command.value.request, {
  stop: new AbortController().signal,
  reportError: (text) => process.stderr.write(`${text}\n`),
})
if (code !== 0) throw new Error(`ended with ${code}`)
process.send?.(usage())
