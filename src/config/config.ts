import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type IntegrationName, integrationNames } from '../domain/integrations.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Network, NetworkFile } from './network.ts'
import { parseNetworkFile } from './network-file.ts'
import { defaults, type LogLevel, options, type StoreTarget } from './options.ts'
import { type OptionValue, type ParsedOptions, parseOptions } from './parse-options.ts'
import type { SecretUrl } from './secret-url.ts'
import { type Environment, quoteForMessage, readTextFile } from './user-input.ts'

export type Role = 'start' | 'index' | 'api'

/** Settings that do not depend on the network. */
export type ServiceSettings = {
  readonly host: string
  readonly port: number
  /** Requests per minute and client; 0 means no limit. */
  readonly rateLimitPerMinute: number
  /** IP addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[]
  /** Origins of pages that may use MCP; `*`: all. */
  readonly allowedOrigins: readonly string[]
  /** Directory of exported files that the API serves. */
  readonly exportDir: string | null
  readonly logLevel: LogLevel
}

/** The complete configuration, deeply frozen. */
export type Config = ServiceSettings & {
  readonly network: Network
  /** The chain is the local sandbox, started by this service. */
  readonly sandbox: boolean
  /** At least one, in order of preference. */
  readonly rpcUrls: readonly SecretUrl[]
  readonly store: StoreTarget
  readonly confirmations: number
  readonly historyDays: number
  readonly pollMs: number
  /** Aggregators whose formats the API serves. */
  readonly integrations: readonly IntegrationName[]
}

/** A launch on the sandbox: its network file is available once the sandbox runs. */
export type SandboxLaunch = {
  readonly kind: 'sandbox'
  readonly settings: ServiceSettings
  readonly store: StoreTarget
  readonly complete: (networkFileText: string) => Outcome<Config, string>
}
export type Launch = { readonly kind: 'network'; readonly config: Config } | SandboxLaunch

export type Request = {
  readonly role: Role
  readonly args: readonly string[]
  readonly environment: Environment
}

const sandboxName = defaults.network
export const builtInNames: readonly string[] = ['robinhood', 'base']
const networksDirectory = fileURLToPath(new URL('../networks/', import.meta.url))

const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const child of Object.values(value)) deepFreeze(child)
  return Object.freeze(value)
}

const serviceSettings = (given: ParsedOptions): ServiceSettings => ({
  host: given.host?.value ?? defaults.host,
  port: given.port?.value ?? defaults.port,
  rateLimitPerMinute: given.rateLimit?.value ?? defaults.rateLimit,
  trustedProxies: given.trustedProxies?.value ?? defaults.trustedProxies,
  allowedOrigins: given.allowedOrigins?.value ?? defaults.allowedOrigins,
  exportDir: given.exportDir?.value ?? defaults.exportDir,
  logLevel: given.logLevel?.value ?? defaults.logLevel,
})

const storeOf = (given: ParsedOptions, networkName: string): StoreTarget =>
  given.store?.value ?? { kind: 'sqlite', path: `./data/${networkName}.db` }

/** Precedence: options, network file, defaults. */
const mergeSettings = (
  given: ParsedOptions,
  file: NetworkFile,
  sandbox: boolean,
): Outcome<Config, string> => {
  const rpcUrls = given.rpc?.value ?? file.rpcUrls
  if (rpcUrls.length === 0) {
    const { flag, environment } = options.rpc
    return failure(`rpcUrls: empty, expected an endpoint here or in ${flag} or ${environment}`)
  }
  const { network } = file
  return success(
    deepFreeze({
      ...serviceSettings(given),
      network,
      sandbox,
      rpcUrls,
      store: storeOf(given, network.name),
      confirmations: given.confirmations?.value ?? file.confirmations ?? defaults.confirmations,
      historyDays: given.historyDays?.value ?? file.historyDays ?? defaults.historyDays,
      integrations: given.integrations?.value ?? (sandbox ? integrationNames : []),
      pollMs: given.pollMs?.value ?? file.pollMs ?? defaults.pollMs,
    }),
  )
}

/** Adds the path of the network file to a fault. */
const configFromText = (
  given: ParsedOptions,
  file: { readonly text: string; readonly path: string; readonly sandbox: boolean },
): Outcome<Config, string> => {
  const parsed = parseNetworkFile(file.text, dirname(resolve(file.path)))
  const config = parsed.ok ? mergeSettings(given, parsed.value, file.sandbox) : parsed
  return config.ok ? config : failure(`${file.path}: ${config.fault}`)
}

const configFromFile = (
  given: ParsedOptions,
  requested: OptionValue<string>,
): Outcome<Config, string> => {
  const { value, origin } = requested
  const builtIn = builtInNames.includes(value)
  if (!builtIn && !/[/\\.]/.test(value)) {
    const names = [sandboxName, ...builtInNames].join(', ')
    return failure(`${origin}: expected ${names} or a file path, got ${quoteForMessage(value)}`)
  }
  const path = builtIn ? join(networksDirectory, `${value}.json`) : value
  const text = readTextFile(path)
  if (!text.ok) return failure(`${origin}: cannot read ${quoteForMessage(path)}: ${text.fault}`)
  return configFromText(given, { text: text.value, path, sandbox: false })
}

/** Returns the conflict between options, or null. */
const findConflict = (given: ParsedOptions, role: Role, sandbox: boolean): string | null => {
  if (sandbox && given.rpc !== undefined) {
    return `${given.rpc.origin}: cannot be used with the sandbox network; choose another --network`
  }
  if (role !== 'start' && given.store?.value.kind === 'memory') {
    return `${given.store.origin}: an in-memory store works only with start`
  }
  return null
}

/** Precedence: flags, environment, network file. The fault is one line without secrets. */
export const resolveLaunch = (request: Request): Outcome<Launch, string> => {
  const read = parseOptions(request.args, request.environment)
  if (!read.ok) return read
  const given = read.value
  const network = given.network ?? { value: sandboxName, origin: options.network.flag }
  const sandbox = network.value === sandboxName
  const fault = findConflict(given, request.role, sandbox)
  if (fault !== null) return failure(fault)
  if (sandbox) {
    const complete = (text: string) =>
      configFromText(given, { text, path: 'the sandbox', sandbox: true })
    return success({
      kind: 'sandbox',
      settings: deepFreeze(serviceSettings(given)),
      store: storeOf(given, sandboxName),
      complete,
    })
  }
  const config = configFromFile(given, network)
  return config.ok ? success({ kind: 'network', config: config.value }) : config
}

/**
 * Resolves the configuration of a request. A sandbox request requires the network file of the
 * running sandbox.
 */
export const resolveConfig = (
  request: Request,
  sandboxFileText: string | null,
): Outcome<Config, string> => {
  const launch = resolveLaunch(request)
  if (!launch.ok) return launch
  if (launch.value.kind === 'network') return success(launch.value.config)
  return sandboxFileText === null
    ? failure('the sandbox network is not available yet')
    : launch.value.complete(sandboxFileText)
}
