import type { Config } from './config.ts'
import { createSecretUrl, type SecretUrl } from './secret-url.ts'

/**
 * A configuration in a form that a thread can be handed: functions do not travel, so every sealed
 * URL is opened for the way. To read the configuration anew would load all that checks it a second
 * time: 16 MB.
 */
export type ConfigMessage = { readonly config: unknown }

type Opened = { readonly sealedHost: string; readonly whole: string }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isSealed = (value: object): value is SecretUrl =>
  'reveal' in value && typeof value.reveal === 'function'

const isOpened = (value: object): value is Opened => 'sealedHost' in value

/** The same tree, with each object that `change` knows replaced by what it makes of it. */
const changed = (value: unknown, change: (part: object) => object | null): unknown => {
  if (!isObject(value)) return value
  const other = change(value)
  if (other !== null) return other
  if (Array.isArray(value)) return value.map((part) => changed(part, change))
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, changed(part, change)]),
  )
}

export const toConfigMessage = (config: Config): ConfigMessage => {
  const open = (part: object): Opened | null =>
    isSealed(part) ? { sealedHost: part.host, whole: part.reveal() } : null
  return { config: changed(config, open) }
}

/** What `toMessage` was given, not frozen. */
export const fromConfigMessage = ({ config }: ConfigMessage): Config => {
  const seal = (part: object) =>
    isOpened(part) ? createSecretUrl(part.sealedHost, part.whole) : null
  return changed(config, seal) as Config
}
