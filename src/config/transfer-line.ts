import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Environment } from './environment.ts'
import { readGivenOptions } from './given-options.ts'
import { type LogLevel, type OptionName, options, type StoreTarget } from './options.ts'

export type TransferDirection = 'export' | 'import'

/** What carries a store over. */
export type Transfer = {
  readonly direction: TransferDirection
  readonly store: Exclude<StoreTarget, { kind: 'memory' }>
  /** A path, or `-` for a standard stream. */
  readonly file: string
  readonly logLevel: LogLevel
}

export const transferCommands: Readonly<Record<TransferDirection, string>> = {
  export: 'write a whole store to a file, while its indexer goes on',
  import: 'fill an empty store from such a file',
}

/** The options that these commands have. */
export const transferOptions: readonly OptionName[] = ['store', 'logLevel']

/** The first argument that is neither a flag nor the value of one; any further one is nobody's. */
const splitFile = (args: readonly string[]) => {
  const flags = [...args]
  const isFlag = (argument: string | undefined) => /^-./.test(argument ?? '')
  const takesNext = (argument: string | undefined) =>
    isFlag(argument) && argument?.includes('=') === false
  const at = args.findIndex((argument, index) => !isFlag(argument) && !takesNext(args[index - 1]))
  const [file = null] = at < 0 ? [] : flags.splice(at, 1)
  return { file, flags }
}

/** Understands what stands after `export` or `import`. The fault is one line, free of secrets. */
export const parseTransfer = (
  direction: TransferDirection,
  args: readonly string[],
  environment: Environment,
): Outcome<Transfer, string> => {
  const { file, flags } = splitFile(args)
  const read = readGivenOptions(flags, environment, transferOptions)
  if (!read.ok) return read
  const { store, logLevel } = read.value
  const { flag, environment: variable } = options.store
  if (store === undefined) return failure(`${direction} needs ${flag} or ${variable}`)
  if (store.value.kind === 'memory') {
    return failure(`${store.origin}: a store in memory belongs to the process that made it`)
  }
  if (file === null) return failure(`${direction} needs the name of a file, or - for a pipe`)
  return success({ direction, store: store.value, file, logLevel: logLevel?.value ?? 'info' })
}

/** In the place of the usage of other commands. */
export const transferHelp = (direction: TransferDirection, flagsHelp: string): string => {
  const [stream, effect] =
    direction === 'export'
      ? ['standard output', 'A file that is there already is not replaced.']
      : ['standard input', 'A store that holds anything is not touched.']
  return `stockpools ${direction}: ${transferCommands[direction]}

Usage: stockpools ${direction} --store <store> <file>

  <file>  packed if its name ends in .gz; - is ${stream}
          ${effect}

Flags (each with its environment variable; a flag overrides the variable):
${flagsHelp}
`
}
