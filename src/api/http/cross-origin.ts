import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { constantHeaders } from './headers.ts'
import { type Problem, problems } from './problems.ts'

/** Whether pages of other origins may use a route; `checked`: those that the rules below allow. */
export type CrossOriginAccess = 'any' | 'none' | 'checked'

type Headers = Readonly<Record<string, string>>

/** Replace the constant headers where no other origin may read; null removes one. */
export const sameOriginOverrides: Readonly<Record<string, string | null>> = {
  'access-control-allow-origin': null,
  'access-control-expose-headers': null,
  'cross-origin-resource-policy': 'same-origin',
}

const sameOriginHeaders: Headers = Object.fromEntries(
  Object.entries({ ...constantHeaders, ...sameOriginOverrides }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  ),
)

/** Scheme, host and port, and nothing more: `null` is the origin of sandboxed pages and files. */
const originPattern = /^https?:\/\/[^/?#@\s]+$/i

const parseOrigin = (text: string): URL | null =>
  originPattern.test(text) && URL.canParse(text) ? new URL(text) : null

const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname === '[::1]' ||
  (isIPv4(hostname) && hostname.startsWith('127.'))

export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || (isIPv4(address) && address.startsWith('127.'))

/** The host as the origin's scheme writes it: without a default port. */
const parseHost = (protocol: string, host: string | undefined): URL | null => {
  const text = `${protocol}//${host}`
  return host !== undefined && URL.canParse(text) ? new URL(text) : null
}

type OriginRules = {
  /** Origins, or `*`. */
  readonly allowedOrigins: readonly string[]
  readonly isBoundToLoopback: () => boolean
}

export type CrossOrigin = (
  access: CrossOriginAccess,
  request: IncomingMessage,
) => { readonly headers: Headers; readonly problem: Problem | null }

const anyOrigin = { headers: constantHeaders, problem: null }
const noOrigin = { headers: sameOriginHeaders, problem: null }
const refused = (problem: Problem) => ({ headers: sameOriginHeaders, problem })

const allowedHeaders = (origin: string): Headers => ({
  ...constantHeaders,
  'access-control-allow-origin': origin,
  vary: 'origin',
})

/**
 * The rules of MCP's transport against DNS rebinding: a page whose name was bound to this machine
 * has a foreign Origin, and a foreign Host (modelcontextprotocol.io, 2025-11-25, basic/transports).
 * Programs that are no browsers send no Origin.
 */
export const createCrossOrigin = ({
  allowedOrigins,
  isBoundToLoopback,
}: OriginRules): CrossOrigin => {
  const isOpen = allowedOrigins.includes('*')
  const allowed = new Set(allowedOrigins)
  const allowedHosts = new Set(
    allowedOrigins.flatMap((origin) => (origin === '*' ? [] : [new URL(origin).hostname])),
  )

  const isForeignHost = (host: string | undefined): boolean => {
    if (isOpen || host === undefined || !isBoundToLoopback()) return false
    const hostname = parseHost('http:', host)?.hostname ?? ''
    return !isLoopbackName(hostname) && !allowedHosts.has(hostname)
  }

  const isAllowed = (origin: URL, host: string | undefined): boolean =>
    isLoopbackName(origin.hostname) ||
    allowed.has(origin.origin) ||
    parseHost(origin.protocol, host)?.host === origin.host

  return (access, { headers: { origin, host } }) => {
    if (access !== 'checked') return access === 'any' ? anyOrigin : noOrigin
    if (isForeignHost(host)) return refused(problems.foreignHost)
    if (origin === undefined) return noOrigin
    if (isOpen) return anyOrigin
    const parsed = parseOrigin(origin)
    if (parsed === null || !isAllowed(parsed, host)) return refused(problems.foreignOrigin)
    return { headers: allowedHeaders(origin), problem: null }
  }
}
