import { failure, type Outcome, success } from '../domain/outcome.ts'
import { type Launch, type Request, type Role, resolveLaunch } from './config.ts'
import type { Environment } from './environment.ts'
import { optionNames, options } from './options.ts'
import { quoteText } from './quote-text.ts'

export type Command =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'run'; readonly request: Request; readonly launch: Launch }

const commands: Readonly<Record<Role, string>> = {
  start: 'index a chain and serve the API, in one process',
  index: 'index a chain into the store; no API',
  api: 'serve the API from a store that another process writes',
}
const roles = Object.keys(commands) as readonly Role[]

const column = (rows: readonly (readonly [left: string, right: string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

const optionHelp = (): string =>
  column(
    optionNames.flatMap((name): (readonly [string, string])[] => {
      const { flag, placeholder, help, environment, otherwise } = options[name]
      return [
        [`${flag} ${placeholder}`, help],
        ['', `(${environment}; default: ${otherwise})`],
      ]
    }),
  )

const overview = (): string => `stockpools: market data of Uniswap pools that hold a tokenized stock

Usage: stockpools <command> [flags]

Commands:
${column(roles.map((role) => [role, commands[role]]))}

  stockpools <command> --help   explains the flags
  stockpools --version          prints the version
`

const commandHelp = (role: Role): string => `stockpools ${role}: ${commands[role]}

Usage: stockpools ${role} [flags]

Flags (each with its environment variable; a flag overrides the variable,
and both override the network file):
${optionHelp()}
`

const asksForHelp = (args: readonly string[]) => args.includes('--help') || args.includes('-h')

/** Understands the whole command line. The fault is one line for the user; exit code 2. */
export const parseCommandLine = (line: {
  readonly args: readonly string[]
  readonly environment: Environment
  readonly version: string
}): Outcome<Command, string> => {
  const [name, ...args] = line.args
  const print = (text: string) => success({ kind: 'print' as const, text })
  if (line.args.includes('--version')) return print(`${line.version}\n`)
  const role = roles.find((each) => each === name)
  if (role === undefined) {
    if (name !== undefined && asksForHelp([name])) return print(overview())
    const got = name === undefined ? 'no command' : `unknown command ${quoteText(name)}`
    return failure(`${got}: expected ${roles.join(', ')} or --help`)
  }
  if (asksForHelp(args)) return print(commandHelp(role))
  const request = { role, args, environment: line.environment }
  const launch = resolveLaunch(request)
  return launch.ok ? success({ kind: 'run', request, launch: launch.value }) : launch
}
