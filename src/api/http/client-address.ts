import { BlockList, isIP } from 'node:net'

/** Which peers may say for whom they speak. */
export type TrustedProxies = { readonly has: (address: string) => boolean }

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** IP addresses and CIDR ranges, as the configuration has checked them. */
export const createTrustedProxies = (list: readonly string[]): TrustedProxies => {
  const blocks = new BlockList()
  for (const entry of list) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    if (bits === undefined) blocks.addAddress(address, family)
    else blocks.addSubnet(address, Number(bits), family)
  }
  return { has: (address) => blocks.check(address, familyOf(address)) }
}

const withPort = /^(?:\[([^\]]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5})$/
const mappedIpv4 = /^::ffff:([0-9.]+)$/i

/** One address without port, brackets and zone; IPv4 in its own form. Null if it is none. */
const plainAddress = (text: string): string | null => {
  const match = withPort.exec(text)
  const bare = (match?.[1] ?? match?.[2] ?? text).replace(/%.*$/, '')
  const address = mappedIpv4.exec(bare)?.[1] ?? bare
  return isIP(address) === 0 ? null : address
}

/** A household or a server has a /64 to itself: its 2^64 addresses are one client. */
const groupsOfClient = 4
const groupsOfAddress = 8

const groupsOf = (text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : text.split(':')

const ipv6Network = (address: string): string => {
  const [headText, tailText] = address.split('::')
  const head = groupsOf(headText)
  const tail = groupsOf(tailText)
  const tailLength = tail.length + (address.includes('.') ? 1 : 0)
  const gap = Math.max(0, groupsOfAddress - head.length - tailLength)
  const zeros = tailText === undefined ? [] : Array.from({ length: gap }, () => '0')
  const groups = [...head, ...zeros, ...tail].slice(0, groupsOfClient)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

const clientName = (address: string): string =>
  isIP(address) === 6 ? ipv6Network(address) : address

/** More hops than any real chain of proxies has. */
const hopsMax = 32

/**
 * Who is asking, as a name to count by: the peer, unless that is a trusted proxy; then the last hop
 * of X-Forwarded-For that is not. What stands left of it was written by somebody we do not trust.
 */
export const clientOf = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  proxies: TrustedProxies,
): string => {
  let client = plainAddress(peer ?? '')
  if (client === null) return 'unknown'
  const hops = (forwardedFor ?? '').split(',').slice(-hopsMax).reverse()
  for (const hop of hops) {
    if (!proxies.has(client)) break
    const before = plainAddress(hop.trim())
    if (before === null) break
    client = before
  }
  return clientName(client)
}
