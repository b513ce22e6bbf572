import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'

/** Peers whose X-Forwarded-For is trusted. */
export type TrustedProxies = { readonly has: (address: string) => boolean }

const addressFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** `list` holds IP addresses and CIDR ranges that the configuration has validated. */
export const createTrustedProxies = (list: readonly string[]): TrustedProxies => {
  const blocks = new BlockList()
  for (const entry of list) {
    const [address = '', bits] = entry.split('/')
    const family = addressFamily(address)
    if (bits === undefined) blocks.addAddress(address, family)
    else blocks.addSubnet(address, Number(bits), family)
  }
  return { has: (address) => blocks.check(address, addressFamily(address)) }
}

const withPort = /^(?:\[([^\]]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5})$/
const mappedIpv4 = /^::ffff:([0-9.]+)$/i

/** An address without port, brackets and zone, IPv4-mapped as IPv4; null if it is not one. */
const normalizeAddress = (text: string): string | null => {
  const match = withPort.exec(text)
  const bare = (match?.[1] ?? match?.[2] ?? text).replace(/%.*$/, '')
  const address = mappedIpv4.exec(bare)?.[1] ?? bare
  return isIP(address) === 0 ? null : address
}

/** A household or a server owns a /64: its 2^64 addresses are one client. */
const networkGroups = 4
const addressGroups = 8

const splitGroups = (text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : text.split(':')

const ipv6Network = (address: string): string => {
  const [headText, tailText] = address.split('::')
  const head = splitGroups(headText)
  const tail = splitGroups(tailText)
  const tailLength = tail.length + (address.includes('.') ? 1 : 0)
  const gap = Math.max(0, addressGroups - head.length - tailLength)
  const zeros = tailText === undefined ? [] : Array.from({ length: gap }, () => '0')
  const groups = [...head, ...zeros, ...tail].slice(0, networkGroups)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** More than any real chain of proxies. */
const hopsMax = 32

/**
 * The client's key for limits: the peer, or the last hop of X-Forwarded-For that is not a
 * trusted proxy. Hops to the left of it can be forged.
 */
export const identifyClient = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  proxies: TrustedProxies,
): string => {
  let client = normalizeAddress(peer ?? '')
  if (client === null) return 'unknown'
  const hops = (forwardedFor ?? '').split(',').slice(-hopsMax).reverse()
  for (const hop of hops) {
    if (!proxies.has(client)) break
    const previous = normalizeAddress(hop.trim())
    if (previous === null) break
    client = previous
  }
  return isIP(client) === 6 ? ipv6Network(client) : client
}

/** Whom limits count against. */
export type ClientKeys = {
  readonly ofRequest: (request: IncomingMessage) => string
  /** Null for a trusted proxy, which carries the connections of many clients. */
  readonly ofSocket: (socket: Socket) => string | null
}

export const createClientKeys = (trustedProxies: readonly string[]): ClientKeys => {
  const proxies = createTrustedProxies(trustedProxies)
  return {
    ofRequest: ({ socket, headers }) =>
      identifyClient(socket.remoteAddress, headers['x-forwarded-for']?.toString(), proxies),
    ofSocket: ({ remoteAddress }) => {
      const address = normalizeAddress(remoteAddress ?? '')
      if (address !== null && proxies.has(address)) return null
      return identifyClient(remoteAddress, undefined, proxies)
    },
  }
}
