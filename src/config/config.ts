import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Environment } from './environment.ts'
import { type Given, type GivenOptions, readGivenOptions } from './given-options.ts'
import type { Network, NetworkFile } from './network.ts'
import { parseNetworkFile } from './network-file.ts'
import type { LogLevel, StoreTarget } from './options.ts'
import { quoteText } from './quote-text.ts'
import type { SecretUrl } from './secret-url.ts'
import { readTextFile } from './text-file.ts'

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

/** A launch whose network is known when the sandbox stands: its file completes the configuration. */
export type SandboxLaunch = ServiceSettings & {
  readonly kind: 'sandbox'
  readonly complete: (networkFileText: string) => Outcome<Config, string>
}
export type Launch = { readonly kind: 'network'; readonly config: Config } | SandboxLaunch

const sandboxName = 'sandbox'
const builtInNames = ['robinhood']
const networksDirectory = fileURLToPath(new URL('../networks/', import.meta.url))

const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const each of Object.values(value)) deepFreeze(each)
  return Object.freeze(value)
}
