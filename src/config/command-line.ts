import { failure, type Outcome, success } from '../domain/outcome.ts'
import {
  type BackupAction,
  type BackupRequest,
  backupActions,
  backupHelp,
  describeFormerCommand,
  parseBackup,
} from './backup-command.ts'
import { type Launch, type Request, type Role, resolveLaunch } from './config.ts'
import { type ExportRequest, exportHelp, exportSummary, parseExport } from './export-command.ts'
import { helpColumns, optionHelp } from './option-help.ts'
import { optionNames } from './options.ts'
import { type Environment, quoteForMessage } from './user-input.ts'
import { parseVerify, type VerifyRequest, verifyHelp, verifySummary } from './verify-command.ts'

export type Command =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'run'; readonly request: Request; readonly launch: Launch }
  | { readonly kind: 'backup'; readonly request: BackupRequest }
  | { readonly kind: 'export'; readonly request: ExportRequest }
  | { readonly kind: 'verify'; readonly request: VerifyRequest }

const commands: Readonly<Record<Role, string>> = {
  start: 'index a chain and serve the API, in one process',
  index: 'index a chain into the store; no API',
  api: 'serve the API from a store that another process writes',
}
const roles = Object.keys(commands) as readonly Role[]
const actions = Object.keys(backupActions) as readonly BackupAction[]
const allCommands = {
  ...commands,
  ...backupActions,
  export: exportSummary,
  verify: verifySummary,
}

const overview = (): string => `stockpools: market data for Uniswap pools of tokenized stocks

Usage: stockpools <command> [flags]

Commands:
${helpColumns(Object.entries(allCommands))}

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

const print = (text: string): Outcome<Command, string> => success({ kind: 'print', text })

const readBackup = (
  action: BackupAction,
  args: readonly string[],
  environment: Environment,
): Outcome<Command, string> => {
  if (asksForHelp(args)) return print(backupHelp(action))
  const request = parseBackup(action, args, environment)
  return request.ok ? success({ kind: 'backup', request: request.value }) : request
}

const readExport = (
  args: readonly string[],
  environment: Environment,
): Outcome<Command, string> => {
  if (asksForHelp(args)) return print(exportHelp())
  const request = parseExport(args, environment)
  return request.ok ? success({ kind: 'export', request: request.value }) : request
}

const readVerify = (
  args: readonly string[],
  environment: Environment,
): Outcome<Command, string> => {
  if (asksForHelp(args)) return print(verifyHelp())
  const request = parseVerify(args, environment)
  return request.ok ? success({ kind: 'verify', request: request.value }) : request
}

/** Parses the command line. The fault is one line for the user; the exit code is then 2. */
export const parseCommandLine = (line: {
  readonly args: readonly string[]
  readonly environment: Environment
  readonly version: string
}): Outcome<Command, string> => {
  const [name, ...args] = line.args
  if (line.args.includes('--version')) return print(`${line.version}\n`)
  const action = actions.find((known) => known === name)
  if (action !== undefined) return readBackup(action, args, line.environment)
  if (name === 'verify') return readVerify(args, line.environment)
  const former = describeFormerCommand(name, args)
  if (former !== null) return failure(former)
  if (name === 'export') return readExport(args, line.environment)
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
