import { failure, type Outcome, success } from '../domain/outcome.ts'
import { optionHelp } from './option-help.ts'
import { defaults, type LogLevel, type OptionName, options, type StoreTarget } from './options.ts'
import { parseOptions } from './parse-options.ts'
import { type Environment, quoteForMessage } from './user-input.ts'

export type BackupAction = 'backup' | 'restore'

export type BackupRequest = {
  readonly action: BackupAction
  readonly store: Exclude<StoreTarget, { kind: 'memory' }>
  /** A path, or `-` for a standard stream. */
  readonly file: string
  readonly logLevel: LogLevel
}

export const backupActions: Readonly<Record<BackupAction, string>> = {
  backup: 'write a complete store to a file; its indexer may keep running',
  restore: 'fill an empty store from the file of a backup',
}

const backupOptions: readonly OptionName[] = ['store', 'logLevel']

/** Takes the first argument that is neither a flag nor its value; `parseOptions` rejects others. */
const splitFile = (args: readonly string[]) => {
  const flags = [...args]
  const isFlag = (argument: string | undefined) => /^-./.test(argument ?? '')
  const takesNext = (argument: string | undefined) =>
    isFlag(argument) && argument?.includes('=') === false
  const at = args.findIndex((argument, index) => !isFlag(argument) && !takesNext(args[index - 1]))
  const [file = null] = at < 0 ? [] : flags.splice(at, 1)
  return { file, flags }
}

/** Parses the arguments of `backup` or `restore`. The fault is one line without secrets. */
export const parseBackup = (
  action: BackupAction,
  args: readonly string[],
  environment: Environment,
): Outcome<BackupRequest, string> => {
  const { file, flags } = splitFile(args)
  const read = parseOptions(flags, environment, backupOptions)
  if (!read.ok) return read
  const { store, logLevel } = read.value
  const { flag, environment: variable } = options.store
  if (store === undefined) return failure(`${action}: expected ${flag} or ${variable}`)
  if (store.value.kind === 'memory') {
    return failure(`${store.origin}: expected a store on disk, an in-memory store cannot be shared`)
  }
  if (file === null) return failure(`${action}: expected a file name, or - for a pipe`)
  return success({
    action,
    store: store.value,
    file,
    logLevel: logLevel?.value ?? defaults.logLevel,
  })
}

/**
 * Says the command of today if the arguments are those of `export` or `import` as they were up to
 * 0.1.0: a store and a file. Null for all others, also for an `export` of datasets.
 */
export const describeFormerCommand = (
  name: string | undefined,
  args: readonly string[],
): string | null => {
  const action = name === 'import' ? 'restore' : name === 'export' ? 'backup' : null
  if (action === null) return null
  const { file } = splitFile(args)
  if (action === 'backup') {
    const isOfDataset = args.some((each) => /^--dataset(=|$)/.test(each))
    if (file === null || isOfDataset) return null
  }
  const named = file === null ? '<file>' : file === '-' ? file : quoteForMessage(file)
  return `\`${name}\` is now \`${action}\`: stockpools ${action} ${named}`
}

export const backupHelp = (action: BackupAction): string => {
  const [stream, effect] =
    action === 'backup'
      ? ['standard output', 'An existing file is not replaced.']
      : ['standard input', 'A store that is not empty is not changed.']
  return `stockpools ${action}: ${backupActions[action]}

Usage: stockpools ${action} --store <store> <file>

  <file>  compressed if its name ends in .gz; - is ${stream}
          ${effect}

Flags (each with its environment variable; a flag overrides the variable):
${optionHelp(backupOptions, ['store'])}
`
}
