import { readFileSync } from 'node:fs'
import { readEnvironment } from '../config/user-input.ts'
import { plainText } from '../log/pretty-line.ts'
import { redactUrls } from '../util/redact.ts'
import { enableCompiledCode } from './compile-cache.ts'
import { listenForStop } from './stop.ts'

const reportError = (text: string) => {
  process.stderr.write(`stockpools: ${plainText(redactUrls(text))}\n`)
}

const readVersion = (): string => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

const exitOnBug = (error: unknown): never => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`stockpools: internal error: ${redactUrls(text)}\n`)
  process.exit(1)
}

const exitOnHang = (): never => {
  reportError('shutdown did not complete within 5 s')
  process.exit(1)
}

/** Returns the exit code: 0 done, 1 failed, 2 invalid command line. */
const runCommand = async (): Promise<number> => {
  enableCompiledCode()
  const { parseCommandLine } = await import('../config/command-line.ts')
  const command = parseCommandLine({
    args: process.argv.slice(2),
    environment: readEnvironment(),
    version: readVersion(),
  })
  if (!command.ok) {
    reportError(command.fault)
    return 2
  }
  if (command.value.kind === 'print') {
    process.stdout.write(command.value.text)
    return 0
  }
  // Other users of the machine can see the arguments, which may contain a password.
  process.title = 'stockpools'
  const stop = listenForStop(exitOnHang)
  // Imported late, so that --help does not load the complete service.
  if (command.value.kind === 'backup') {
    const { runBackupCommand } = await import('./commands/backup.ts')
    return runBackupCommand(command.value.request, { stop, reportError })
  }
  if (command.value.kind === 'export') {
    const { runExportCommand } = await import('./commands/export.ts')
    return runExportCommand(command.value.request, { stop, reportError })
  }
  if (command.value.kind === 'verify') {
    const { runVerifyCommand } = await import('./commands/verify.ts')
    return runVerifyCommand(command.value.request, { stop, reportError })
  }
  const { run } = await import('./main.ts')
  return run(command.value, { stop, reportError })
}

// A stack may contain a URL with a key, so `redactUrls` also covers bugs.
process.on('uncaughtException', exitOnBug)
process.exit(await runCommand())
