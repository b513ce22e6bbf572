import type { Config } from './config.ts'
import { createSecretUrl, type SecretUrl } from './secret-url.ts'

/**
 * A configuration that can be posted to a thread. Functions cannot be cloned, so secret URLs are
 * revealed. Parsing the configuration again would load its validation a second time, 16 MB.
 */
export type ConfigMessage = { readonly config: unknown }

type RevealedUrl = { readonly secretHost: string; readonly url: string }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isSecretUrl = (value: object): value is SecretUrl =>
  'reveal' in value && typeof value.reveal === 'function'

const isRevealedUrl = (value: object): value is RevealedUrl => 'secretHost' in value

/** Copies a tree; where `replace` returns an object, that one is used. */
const mapObjects = (value: unknown, replace: (part: object) => object | null): unknown => {
  if (!isObject(value)) return value
  const other = replace(value)
  if (other !== null) return other
  if (Array.isArray(value)) return value.map((part) => mapObjects(part, replace))
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, mapObjects(part, replace)]),
  )
}

export const toConfigMessage = (config: Config): ConfigMessage => {
  const reveal = (part: object): RevealedUrl | null =>
    isSecretUrl(part) ? { secretHost: part.host, url: part.reveal() } : null
  return { config: mapObjects(config, reveal) }
}

/** The inverse of `toConfigMessage`; the result is not frozen. */
export const fromConfigMessage = ({ config }: ConfigMessage): Config => {
  const seal = (part: object) =>
    isRevealedUrl(part) ? createSecretUrl(part.secretHost, part.url) : null
  return mapObjects(config, seal) as Config
}
