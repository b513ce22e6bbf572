import { type TSchema, Type } from 'typebox'
import { hasAddressChecksum } from './address-checksum.ts'
import { parseSecretUrl } from './secret-url.ts'

/*
 * The parts that the network file's schema is made of. Each says in words what it expects:
 * that text behind the key's path is the whole error message.
 */

const text = (expected: string, check: (value: string) => boolean) =>
  Type.Refine(Type.String({ expected }), check, () => expected)

export const integer = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, expected: `an integer from ${minimum} to ${maximum}` })

const expectedOf = (schema: TSchema): string =>
  'expected' in schema ? String(schema.expected) : 'a value'

export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()], { expected: `${expectedOf(schema)} or null` })

export const object = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false, expected: 'an object' })

export const list = <Schema extends TSchema>(items: Schema, itemsMin = 0) =>
  Type.Array(items, {
    minItems: itemsMin,
    expected: itemsMin === 0 ? 'a list' : `a list of ${itemsMin} or more`,
  })

const isMixedCase = (address: string) => /[a-f]/.test(address) && /[A-F]/.test(address)

/** Mixed case is held to be EIP-55's checksum: that finds a mistyped digit. */
export const address = text(
  'an address (0x and 40 hexadecimal digits; mixed case must be an EIP-55 checksum)',
  (value) => /^0x[0-9a-f]{40}$/i.test(value) && (!isMixedCase(value) || hasAddressChecksum(value)),
)

export const hash = text('a hash (0x and 64 hexadecimal digits)', (value) =>
  /^0x[0-9a-f]{64}$/i.test(value),
)

export const url = text('an http or https URL', (value) => parseSecretUrl(value).ok)

/** Readers are sent there: nothing in it may be secret, and paths are put behind it. */
const isOpenUrl = (value: string): boolean => {
  const url = URL.parse(value)
  if (url === null || url.protocol !== 'https:' || /[\s?#]/.test(value)) return false
  return url.username === '' && url.password === '' && !/^https:\/\/[^/]*@/i.test(value)
}

export const openUrl = text('an https URL without credentials, query or fragment', isOpenUrl)

export const symbol = text('a ticker of 1 to 16 characters from A-Z a-z 0-9 . -', (value) =>
  /^[A-Za-z0-9.-]{1,16}$/.test(value),
)

export const label = text('a text of 1 to 120 characters on one line', (value) =>
  /^[^\p{Cc}]{1,120}$/u.test(value),
)

export const slug = text('a name of 1 to 32 characters from a-z 0-9 -', (value) =>
  /^[a-z0-9][a-z0-9-]{0,31}$/.test(value),
)

export const block = integer(0, Number.MAX_SAFE_INTEGER)

/** More than 36 is no token's unit but an attack on arithmetic (methodology §2). */
export const decimals = integer(0, 36)
