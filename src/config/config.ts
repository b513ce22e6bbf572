import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Network, NetworkFile } from './network.ts'
import { parseNetworkFile } from './network-file.ts'
import { defaults, type LogLevel, options, type StoreTarget } from './options.ts'
import { type OptionValue, type ParsedOptions, parseOptions } from './parse-options.ts'
import type { SecretUrl } from './secret-url.ts'
import { type Environment, quoteForMessage, readTextFile } from './user-input.ts'

export type Role = 'start' | 'index' | 'api'

/** What the service needs before it knows its network. */
export type ServiceSettings = {
  readonly host: string
  readonly port: number
  /** Requests per minute and client; 0 = no limit. */
  readonly rateLimitPerMinute: number
  /** IP addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[]
  readonly logLevel: LogLevel
}

/** The whole configuration, deeply frozen. */
export type Config = ServiceSettings & {
  readonly network: Network
  /** True when the chain is our own, started with us. */
  readonly sandbox: boolean
  /** At least one, the preferred one first. */
  readonly rpcUrls: readonly SecretUrl[]
  readonly store: StoreTarget
  readonly confirmations: number
  readonly historyDays: number
  readonly pollMs: number
}

/** A launch on our own chain: the network file comes from the sandbox once that runs. */
export type SandboxLaunch = {
  readonly kind: 'sandbox'
  readonly settings: ServiceSettings
  readonly complete: (networkFileText: string) => Outcome<Config, string>
}
export type Launch = { readonly kind: 'network'; readonly config: Config } | SandboxLaunch

/** What the command line and the environment ask for. */
export type Request = {
  readonly role: Role
  readonly args: readonly string[]
  readonly environment: Environment
}

const sandboxName = defaults.network
const builtInNames = ['robinhood']
const networksDirectory = fileURLToPath(new URL('../networks/', import.meta.url))

const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const each of Object.values(value)) deepFreeze(each)
  return Object.freeze(value)
}

const serviceSettings = (given: ParsedOptions): ServiceSettings => ({
  host: given.host?.value ?? defaults.host,
  port: given.port?.value ?? defaults.port,
  rateLimitPerMinute: given.rateLimit?.value ?? defaults.rateLimit,
  trustedProxies: given.trustedProxies?.value ?? defaults.trustedProxies,
  logLevel: given.logLevel?.value ?? defaults.logLevel,
})

/** The user's word first, then the network file's, then the default. */
const combine = (
  given: ParsedOptions,
  file: NetworkFile,
  sandbox: boolean,
): Outcome<Config, string> => {
  const rpcUrls = given.rpc?.value ?? file.rpcUrls
  if (rpcUrls.length === 0) {
    const { flag, environment } = options.rpc
    return failure(`rpcUrls: empty, so ${flag} or ${environment} must name an endpoint`)
  }
  const { network } = file
  return success(
    deepFreeze({
      ...serviceSettings(given),
      network,
      sandbox,
      rpcUrls,
      store: given.store?.value ?? { kind: 'sqlite', path: `./data/${network.name}.db` },
      confirmations: given.confirmations?.value ?? file.confirmations ?? defaults.confirmations,
      historyDays: given.historyDays?.value ?? file.historyDays ?? defaults.historyDays,
      pollMs: given.pollMs?.value ?? file.pollMs ?? defaults.pollMs,
    }),
  )
}

/** Whoever reads a message about a network file has to learn which file. */
const fromText = (
  given: ParsedOptions,
  file: { readonly text: string; readonly path: string; readonly sandbox: boolean },
): Outcome<Config, string> => {
  const parsed = parseNetworkFile(file.text, dirname(resolve(file.path)))
  const config = parsed.ok ? combine(given, parsed.value, file.sandbox) : parsed
  return config.ok ? config : failure(`${file.path}: ${config.fault}`)
}

const fromFile = (given: ParsedOptions, asked: OptionValue<string>): Outcome<Config, string> => {
  const builtIn = builtInNames.includes(asked.value)
  if (!builtIn && !/[/\\.]/.test(asked.value)) {
    const names = [sandboxName, ...builtInNames].join(', ')
    return failure(
      `${asked.origin}: expected ${names} or a file path, got ${quoteForMessage(asked.value)}`,
    )
  }
  const path = builtIn ? join(networksDirectory, `${asked.value}.json`) : asked.value
  const text = readTextFile(path)
  if (!text.ok)
    return failure(`${asked.origin}: can not read ${quoteForMessage(path)}: ${text.fault}`)
  return fromText(given, { text: text.value, path, sandbox: false })
}

/** What can not go together, whatever the network. */
const conflict = (given: ParsedOptions, role: Role, sandbox: boolean): string | null => {
  if (sandbox && given.rpc !== undefined) {
    return `${given.rpc.origin}: the sandbox brings its own chain; name another --network`
  }
  if (role !== 'start' && given.store?.value.kind === 'memory') {
    return `${given.store.origin}: a store in memory can not be shared; only start can use it`
  }
  return null
}

/** Resolves flags over environment over network file. The fault is one line, free of secrets. */
export const resolveLaunch = (request: Request): Outcome<Launch, string> => {
  const read = parseOptions(request.args, request.environment)
  if (!read.ok) return read
  const given = read.value
  const network = given.network ?? { value: sandboxName, origin: options.network.flag }
  const sandbox = network.value === sandboxName
  const fault = conflict(given, request.role, sandbox)
  if (fault !== null) return failure(fault)
  if (sandbox) {
    const complete = (text: string) => fromText(given, { text, path: 'the sandbox', sandbox: true })
    return success({ kind: 'sandbox', settings: deepFreeze(serviceSettings(given)), complete })
  }
  const config = fromFile(given, network)
  return config.ok ? success({ kind: 'network', config: config.value }) : config
}

/**
 * The configuration that a request comes to, once the sandbox's network file is there if it needs
 * one.
 */
export const resolveConfig = (
  request: Request,
  sandboxFileText: string | null,
): Outcome<Config, string> => {
  const launch = resolveLaunch(request)
  if (!launch.ok) return launch
  if (launch.value.kind === 'network') return success(launch.value.config)
  return sandboxFileText === null
    ? failure('the sandbox has not told its network yet')
    : launch.value.complete(sandboxFileText)
}
