import packageJson from '../../package.json' with { type: 'json' }
import { readEnvironment } from '../config/user-input.ts'
import { plainText } from '../log/pretty-line.ts'
import { redactUrls } from '../util/redact.ts'
import { enableCompiledCode } from './compile-cache.ts'
import { listenForStop } from './stop.ts'

const complain = (text: string) => {
  process.stderr.write(`stockpools: ${plainText(redactUrls(text))}\n`)
}

const endOnBug = (error: unknown): never => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`stockpools: internal error: ${redactUrls(text)}\n`)
  process.exit(1)
}

const endOnHang = (): never => {
  complain('could not stop in order within 5 s')
  process.exit(1)
}

/** The exit code: 0 done, 1 failed at work, 2 not understood. */
const obey = async (): Promise<number> => {
  enableCompiledCode()
  const { parseCommandLine } = await import('../config/command-line.ts')
  const command = parseCommandLine({
    args: process.argv.slice(2),
    environment: readEnvironment(),
    version: packageJson.version,
  })
  if (!command.ok) {
    complain(command.fault)
    return 2
  }
  if (command.value.kind === 'print') {
    process.stdout.write(command.value.text)
    return 0
  }
  // Other users of the machine see a process's arguments, and those may hold a password.
  process.title = 'stockpools'
  const stop = listenForStop(endOnHang)
  // Only now: nobody who asks for help waits for the whole service to load.
  if (command.value.kind === 'transfer') {
    const { transferStore } = await import('./commands/backup.ts')
    return transferStore(command.value.transfer, { stop, complain })
  }
  const { run } = await import('./main.ts')
  return run(command.value, { stop, complain })
}

// A stack may quote a URL with its key, so that even bugs go through `redactUrls`.
process.on('uncaughtException', endOnBug)
process.exit(await obey())
