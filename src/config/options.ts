import { isIP } from 'node:net'
import { type IntegrationName, integrationNames } from '../domain/integrations.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import { parsePostgresUrl } from './postgres-url.ts'
import { parseSecretUrl, type SecretUrl } from './secret-url.ts'

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type StoreTarget =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'postgres'; readonly url: SecretUrl }

export type OptionValues = {
  /** Name of a built-in network, or path of a network file. */
  readonly network: string
  readonly rpc: readonly SecretUrl[]
  readonly store: StoreTarget
  readonly host: string
  readonly port: number
  readonly confirmations: number
  readonly historyDays: number
  readonly pollMs: number
  /** Requests per minute and client; 0 means no limit. */
  readonly rateLimit: number
  readonly trustedProxies: readonly string[]
  readonly allowedOrigins: readonly string[]
  /** Directory of exported files; null: none. */
  readonly exportDir: string | null
  /** Services that may read in their own format. */
  readonly integrations: readonly IntegrationName[]
  readonly logLevel: LogLevel
}
export type OptionName = keyof OptionValues

/** Used where neither options nor the network file set a value. */
export const defaults = {
  network: 'sandbox',
  host: '127.0.0.1',
  port: 8787,
  confirmations: 20,
  historyDays: 7,
  pollMs: 1000,
  rateLimit: 120,
  trustedProxies: [],
  allowedOrigins: [],
  exportDir: null,
  logLevel: 'info',
} as const satisfies Partial<OptionValues>

/** Smallest and largest values, for options and network files. */
export const limits = {
  confirmations: [0, 100_000],
  historyDays: [2, 3650],
  pollMs: [50, 60_000],
} as const

type Option<Value> = {
  readonly flag: `--${string}`
  readonly environment: string
  readonly placeholder: string
  /** The default, as text. */
  readonly defaultText: string
  readonly help: string
  /** May contain a credential, so messages do not quote it. */
  readonly secret?: true
  readonly parse: (text: string) => Outcome<Value, string>
}

const parseInteger =
  (min: number, max: number) =>
  (text: string): Outcome<number, string> => {
    const value = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return success(value)
    return failure(`expected an integer from ${min} to ${max}`)
  }

const parseList =
  <Value>(parseItem: (text: string) => Outcome<Value, string>) =>
  (text: string): Outcome<readonly Value[], string> => {
    const values: Value[] = []
    for (const item of text.split(',')) {
      const parsed = parseItem(item.trim())
      if (!parsed.ok) return parsed
      values.push(parsed.value)
    }
    return success(values)
  }

const expectedStore =
  'expected sqlite:<path>, sqlite::memory: or postgres://<user>@<host>/<database>'

const parseStore = (text: string): Outcome<StoreTarget, string> => {
  if (/^postgres(ql)?:\/\//.test(text)) {
    const url = parsePostgresUrl(text)
    return url.ok ? success({ kind: 'postgres', url: url.value }) : url
  }
  const path = /^sqlite:(.+)$/.exec(text)?.[1]
  if (path === undefined) return failure(expectedStore)
  return success(path === ':memory:' ? { kind: 'memory' } : { kind: 'sqlite', path })
}

const parseHost = (text: string): Outcome<string, string> =>
  isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)
    ? success(text)
    : failure('expected an IP address or a host name')

const parseProxy = (text: string): Outcome<string, string> => {
  const [address = '', bits, ...rest] = text.split('/')
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const bitsFit = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax)
  return bitsMax > 0 && bitsFit && rest.length === 0
    ? success(text)
    : failure('expected IP addresses or ranges such as 10.0.0.0/8, separated by commas')
}

const parseAllowedOrigin = (text: string): Outcome<string, string> => {
  if (text === '*') return success(text)
  const url = /^https?:\/\/[^/?#@\s]+$/i.test(text) && URL.canParse(text) ? new URL(text) : null
  return url === null
    ? failure('expected origins such as https://app.example, separated by commas, or *')
    : success(url.origin)
}

const parseDirectory = (text: string): Outcome<string, string> =>
  text.includes('\0') ? failure('expected a directory') : success(text)

const parseIntegration = (text: string): Outcome<IntegrationName, string> => {
  const name = integrationNames.find((known) => known === text)
  return name === undefined
    ? failure(`expected ${integrationNames.join(', ')}, separated by commas, or none`)
    : success(name)
}

const parseIntegrations = (text: string): Outcome<readonly IntegrationName[], string> =>
  text === 'none' ? success([]) : parseList(parseIntegration)(text)

const parseLogLevel = (text: string): Outcome<LogLevel, string> => {
  const level = logLevels.find((known) => known === text)
  return level === undefined ? failure(`expected one of ${logLevels.join(', ')}`) : success(level)
}

const networkFileOr = (value: number): string => `the network file's, else ${value}`

/** All options; parsing, `--help` and docs/configuration.md follow this table. */
export const options: { readonly [Name in OptionName]: Option<OptionValues[Name]> } = {
  network: {
    flag: '--network',
    environment: 'STOCKPOOLS_NETWORK',
    placeholder: '<name|file>',
    defaultText: defaults.network,
    help: 'sandbox, robinhood, base, or the path of a network file',
    parse: success,
  },
  rpc: {
    flag: '--rpc',
    environment: 'STOCKPOOLS_RPC_URLS',
    placeholder: '<url,...>',
    defaultText: "the network file's",
    help: 'JSON-RPC endpoints of the chain, in order of preference',
    secret: true,
    parse: parseList(parseSecretUrl),
  },
  store: {
    flag: '--store',
    environment: 'STOCKPOOLS_STORE',
    placeholder: '<store>',
    defaultText: 'sqlite:./data/<network>.db',
    help: 'sqlite:<path>, sqlite::memory: or postgres://<user>@<host>/<database>',
    secret: true,
    parse: parseStore,
  },
  host: {
    flag: '--host',
    environment: 'HOST',
    placeholder: '<address>',
    defaultText: defaults.host,
    help: 'address that the API listens on',
    parse: parseHost,
  },
  port: {
    flag: '--port',
    environment: 'PORT',
    placeholder: '<number>',
    defaultText: String(defaults.port),
    help: 'port that the API listens on; 0 selects a free port',
    parse: parseInteger(0, 65_535),
  },
  confirmations: {
    flag: '--confirmations',
    environment: 'STOCKPOOLS_CONFIRMATIONS',
    placeholder: '<blocks>',
    defaultText: networkFileOr(defaults.confirmations),
    help: 'blocks to wait before indexing a block',
    parse: parseInteger(...limits.confirmations),
  },
  historyDays: {
    flag: '--history-days',
    environment: 'STOCKPOOLS_HISTORY_DAYS',
    placeholder: '<days>',
    defaultText: networkFileOr(defaults.historyDays),
    help: 'days of swaps to backfill and keep; 2 or more',
    parse: parseInteger(...limits.historyDays),
  },
  pollMs: {
    flag: '--poll-ms',
    environment: 'STOCKPOOLS_POLL_MS',
    placeholder: '<ms>',
    defaultText: networkFileOr(defaults.pollMs),
    help: 'polling interval in milliseconds, 50 to 60000',
    parse: parseInteger(...limits.pollMs),
  },
  rateLimit: {
    flag: '--rate-limit',
    environment: 'STOCKPOOLS_RATE_LIMIT',
    placeholder: '<number>',
    defaultText: String(defaults.rateLimit),
    help: 'API requests per minute and client; 0 means no limit',
    parse: parseInteger(0, 1_000_000),
  },
  trustedProxies: {
    flag: '--trusted-proxies',
    environment: 'STOCKPOOLS_TRUSTED_PROXIES',
    placeholder: '<ip,...>',
    defaultText: 'none',
    help: 'reverse proxies whose X-Forwarded-For header is trusted',
    parse: parseList(parseProxy),
  },
  allowedOrigins: {
    flag: '--allowed-origins',
    environment: 'STOCKPOOLS_ALLOWED_ORIGINS',
    placeholder: '<urls>',
    defaultText: 'loopback and its own',
    help: 'origins of web pages that may use /mcp; * allows all',
    parse: parseList(parseAllowedOrigin),
  },
  exportDir: {
    flag: '--export-dir',
    environment: 'STOCKPOOLS_EXPORT_DIR',
    placeholder: '<directory>',
    defaultText: 'none',
    help: 'directory of exported files that the API serves',
    parse: parseDirectory,
  },
  integrations: {
    flag: '--integrations',
    environment: 'STOCKPOOLS_INTEGRATIONS',
    placeholder: '<names>',
    defaultText: 'all in the sandbox, else none',
    help: `formats of aggregators to serve: ${integrationNames.join(', ')} or none`,
    parse: parseIntegrations,
  },
  logLevel: {
    flag: '--log-level',
    environment: 'STOCKPOOLS_LOG_LEVEL',
    placeholder: '<level>',
    defaultText: defaults.logLevel,
    help: logLevels.join(', '),
    parse: parseLogLevel,
  },
}

export const optionNames = Object.keys(options) as readonly OptionName[]
