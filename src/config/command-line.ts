import { failure, type Outcome, success } from '../domain/outcome.ts'
import { type Launch, type Request, type Role, resolveLaunch } from './config.ts'
import {
  defaults,
  type LogLevel,
  type OptionName,
  optionNames,
  options,
  type StoreTarget,
} from './options.ts'
import { parseOptions } from './parse-options.ts'
import { type Environment, quoteForMessage } from './user-input.ts'

type TransferDirection = 'export' | 'import'

export type Transfer = {
  readonly direction: TransferDirection
  readonly store: Exclude<StoreTarget, { kind: 'memory' }>
  /** A path, or `-` for a standard stream. */
  readonly file: string
  readonly logLevel: LogLevel
}

export type Command =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'run'; readonly request: Request; readonly launch: Launch }
  | { readonly kind: 'transfer'; readonly transfer: Transfer }

const commands: Readonly<Record<Role, string>> = {
  start: 'index a chain and serve the API, in one process',
  index: 'index a chain into the store; no API',
  api: 'serve the API from a store that another process writes',
}
const transferCommands: Readonly<Record<TransferDirection, string>> = {
  export: 'write a complete store to a file; its indexer may keep running',
  import: 'fill an empty store from an exported file',
}
const roles = Object.keys(commands) as readonly Role[]
const directions = Object.keys(transferCommands) as readonly TransferDirection[]
const allCommands = { ...commands, ...transferCommands }

const column = (rows: readonly (readonly [left: string, right: string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

/** `required`: options without a default in this command. */
const optionHelp = (names: readonly OptionName[], required: readonly OptionName[] = []): string =>
  column(
    names.flatMap((name): (readonly [string, string])[] => {
      const { flag, placeholder, help, environment, defaultText } = options[name]
      const absent = required.includes(name) ? 'required' : `default: ${defaultText}`
      return [
        [`${flag} ${placeholder}`, help],
        ['', `(${environment}; ${absent})`],
      ]
    }),
  )

const overview = (): string => `stockpools: market data for Uniswap pools of tokenized stocks

Usage: stockpools <command> [flags]

Commands:
${column(Object.entries(allCommands))}

  stockpools <command> --help   explains the flags
  stockpools --version          prints the version
`

const commandHelp = (role: Role): string => `stockpools ${role}: ${commands[role]}

Usage: stockpools ${role} [flags]

Flags (each with its environment variable; a flag overrides the variable,
and both override the network file):
${optionHelp(optionNames)}
`

const asksForHelp = (args: readonly string[]) => args.includes('--help') || args.includes('-h')

const transferOptions: readonly OptionName[] = ['store', 'logLevel']

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

/** Parses the arguments of `export` or `import`. The fault is one line without secrets. */
const parseTransfer = (
  direction: TransferDirection,
  args: readonly string[],
  environment: Environment,
): Outcome<Transfer, string> => {
  const { file, flags } = splitFile(args)
  const read = parseOptions(flags, environment, transferOptions)
  if (!read.ok) return read
  const { store, logLevel } = read.value
  const { flag, environment: variable } = options.store
  if (store === undefined) return failure(`${direction}: expected ${flag} or ${variable}`)
  if (store.value.kind === 'memory') {
    return failure(`${store.origin}: expected a store on disk, an in-memory store cannot be shared`)
  }
  if (file === null) return failure(`${direction}: expected a file name, or - for a pipe`)
  return success({
    direction,
    store: store.value,
    file,
    logLevel: logLevel?.value ?? defaults.logLevel,
  })
}

const transferHelp = (direction: TransferDirection, flagsHelp: string): string => {
  const [stream, effect] =
    direction === 'export'
      ? ['standard output', 'An existing file is not replaced.']
      : ['standard input', 'A store that is not empty is not changed.']
  return `stockpools ${direction}: ${transferCommands[direction]}

Usage: stockpools ${direction} --store <store> <file>

  <file>  compressed if its name ends in .gz; - is ${stream}
          ${effect}

Flags (each with its environment variable; a flag overrides the variable):
${flagsHelp}
`
}

const readTransfer = (
  direction: TransferDirection,
  args: readonly string[],
  environment: Environment,
): Outcome<Command, string> => {
  if (asksForHelp(args)) {
    const flagsHelp = optionHelp(transferOptions, ['store'])
    return success({ kind: 'print', text: transferHelp(direction, flagsHelp) })
  }
  const transfer = parseTransfer(direction, args, environment)
  return transfer.ok ? success({ kind: 'transfer', transfer: transfer.value }) : transfer
}

/** Parses the command line. The fault is one line for the user; the exit code is then 2. */
export const parseCommandLine = (line: {
  readonly args: readonly string[]
  readonly environment: Environment
  readonly version: string
}): Outcome<Command, string> => {
  const [name, ...args] = line.args
  const print = (text: string) => success({ kind: 'print' as const, text })
  if (line.args.includes('--version')) return print(`${line.version}\n`)
  const direction = directions.find((known) => known === name)
  if (direction !== undefined) return readTransfer(direction, args, line.environment)
  const role = roles.find((known) => known === name)
  if (role === undefined) {
    if (name !== undefined && asksForHelp([name])) return print(overview())
    const got = name === undefined ? 'no command' : `unknown command ${quoteForMessage(name)}`
    return failure(`${got}: expected ${Object.keys(allCommands).join(', ')} or --help`)
  }
  if (asksForHelp(args)) return print(commandHelp(role))
  const request = { role, args, environment: line.environment }
  const launch = resolveLaunch(request)
  return launch.ok ? success({ kind: 'run', request, launch: launch.value }) : launch
}
