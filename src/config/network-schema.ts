import { keccak_256 } from '@noble/hashes/sha3'
import { type Static, type TSchema, Type } from 'typebox'
import type { Protocol } from '../domain/dex/protocol.ts'
import { protocols } from '../domain/dex/registry.ts'
import { stockProofs } from '../domain/stock/stock-standard.ts'
import { limits } from './options.ts'
import { parseSecretUrl } from './secret-url.ts'

const isUppercase = (hashDigit: string | undefined): boolean =>
  Number.parseInt(hashDigit ?? '0', 16) >= 8

/**
 * EIP-55: a letter of the address (`0x` and 40 digits) is uppercase where the hash of the lowercase
 * address has a digit of 8 or more.
 */
export const hasAddressChecksum = (address: string): boolean => {
  const digits = address.slice(2)
  const hash = Buffer.from(keccak_256(digits.toLowerCase())).toString('hex')
  return [...digits].every((digit, index) =>
    isUppercase(hash[index]) ? digit === digit.toUpperCase() : digit === digit.toLowerCase(),
  )
}

/*
 * Parts of the network file schema. The error message of each is the path of its key and its
 * `expected` text.
 */

const text = (expected: string, check: (value: string) => boolean) =>
  Type.Refine(Type.String({ expected }), check, () => expected)

const integer = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, expected: `an integer from ${minimum} to ${maximum}` })

const expectedOf = (schema: TSchema): string =>
  'expected' in schema ? String(schema.expected) : 'a value'

const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()], { expected: `${expectedOf(schema)} or null` })

export const object = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false, expected: 'an object' })

const list = <Schema extends TSchema>(items: Schema, itemsMin = 0) =>
  Type.Array(items, {
    minItems: itemsMin,
    expected: itemsMin === 0 ? 'a list' : `a list of ${itemsMin} or more`,
  })

const isMixedCase = (address: string) => /[a-f]/.test(address) && /[A-F]/.test(address)

/** Mixed case must be an EIP-55 checksum, which finds mistyped digits. */
const address = text(
  'an address (0x and 40 hexadecimal digits; mixed case must be an EIP-55 checksum)',
  (value) => /^0x[0-9a-f]{40}$/i.test(value) && (!isMixedCase(value) || hasAddressChecksum(value)),
)

const hash = text('a hash (0x and 64 hexadecimal digits)', (value) =>
  /^0x[0-9a-f]{64}$/i.test(value),
)

export const url = text('an http or https URL', (value) => parseSecretUrl(value).ok)

/** Shown to API clients, so it must not contain secrets; paths are appended to it. */
const isPublicUrl = (value: string): boolean => {
  const url = URL.parse(value)
  if (url === null || url.protocol !== 'https:' || /[\s?#]/.test(value)) return false
  return url.username === '' && url.password === '' && !/^https:\/\/[^/]*@/i.test(value)
}

const publicUrl = text('an https URL without credentials, query or fragment', isPublicUrl)

const symbol = text('a ticker of 1 to 16 characters from A-Z a-z 0-9 . -', (value) =>
  /^[A-Za-z0-9.-]{1,16}$/.test(value),
)

export const label = text('a text of 1 to 120 characters on one line', (value) =>
  /^[^\p{Cc}]{1,120}$/u.test(value),
)

/** As long as the parameter `venue` of the API takes it. */
const venueName = text(
  'a text of 1 to 40 characters on one line',
  (value) => /\S/.test(value) && /^[^\p{Cc}]{1,40}$/u.test(value),
)

const note = text(
  'a text of 1 to 500 characters on one line',
  (value) => /\S/.test(value) && /^[^\p{Cc}]{1,500}$/u.test(value),
)

const slug = text('a name of 1 to 32 characters from a-z 0-9 -', (value) =>
  /^[a-z0-9][a-z0-9-]{0,31}$/.test(value),
)

const block = integer(0, Number.MAX_SAFE_INTEGER)

/** More decimals would overflow the arithmetic (methodology §2). */
const decimals = integer(0, 36)

const trustedQuote = object({ symbol, address, decimals, feed: nullable(address) })
const oneOf = (values: readonly string[]) => {
  const quoted = values.map((value) => `"${value}"`)
  return text(`${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`, (value) =>
    values.includes(value),
  )
}

const proof = Type.Optional(oneOf(stockProofs))
/** A wrapper names its asset, so the proof of all stocks is none of wrappers. */
const commonProof = Type.Optional(oneOf(stockProofs.filter((each) => each !== 'erc4626')))
const feedIncludes = Type.Optional(
  Type.Union([Type.Literal('multiplier'), Type.Null()], { expected: '"multiplier" or null' }),
)
const stockToken = object({
  symbol,
  name: label,
  address,
  decimals,
  feed: nullable(address),
  proof,
  asset: Type.Optional(address),
  rebasing: Type.Optional(Type.Boolean({ expected: 'true or false' })),
  feedIncludes,
})
const screenerKind = Type.Union([Type.Literal('dexscreener'), Type.Literal('geckoterminal')], {
  expected: '"dexscreener" or "geckoterminal"',
})
const finalityTags = [Type.Literal('finalized'), Type.Literal('safe')]

const venueKeys = {
  initCodeHash: nullable(hash),
  poolDeployer: address,
  poolImplementation: nullable(address),
  stateView: nullable(address),
}

/** A venue of a protocol: its address is under the protocol's own key. */
const venueOf = ({ network: { addressKey, takes } }: Protocol) =>
  object({
    [addressKey]: address,
    startBlock: block,
    name: Type.Optional(venueName),
    ...Object.fromEntries(takes.map((key) => [key, venueKeys[key]])),
  })

const venueLists = Object.fromEntries(
  protocols.map((protocol) => [protocol.network.key, Type.Optional(list(venueOf(protocol)))]),
)

/** Keys of the network file; docs/networks.md explains them. */
export const networkFileSchema = object({
  name: slug,
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  rpcUrls: list(url),
  multicall3: nullable(address),
  ...venueLists,
  reviewedHooks: Type.Optional(list(object({ address, note }))),
  wrappedNative: address,
  trustedQuotes: list(trustedQuote, 1),
  stocks: object({
    beacon: nullable(address),
    proof: commonProof,
    feedIncludes,
    registryUrl: nullable(url),
    tokens: list(stockToken),
  }),
  quoteSources: list(Type.Object({ kind: Type.String({ expected: 'a text' }) })),
  screener: nullable(object({ kind: screenerKind, url, chain: slug })),
  traders: Type.Optional(Type.Boolean({ expected: 'true or false' })),
  explorerUrl: Type.Optional(nullable(publicUrl)),
  finality: Type.Union([...finalityTags, object({ blocks: block })], {
    expected: '"finalized", "safe" or { "blocks": <integer> }',
  }),
  confirmations: Type.Optional(integer(...limits.confirmations)),
  pollMs: Type.Optional(integer(...limits.pollMs)),
  historyDays: Type.Optional(integer(...limits.historyDays)),
})

export type NetworkFileJson = Static<typeof networkFileSchema>
