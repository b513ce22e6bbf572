import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type CachePolicy, cacheControls, constantHeaders } from './headers.ts'

/** How bytes may travel, the shortest first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** Beyond these the bytes hardly shrink and the time doubles. */
const brotliQuality = 4
const gzipLevel = 6

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Compresses beside the thread that answers. */
const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? gzipAsync(bytes, { level: gzipLevel })
    : brotliAsync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })

/** 132 bits: two bodies of one tag will not be met. */
const tagLength = 22

/** A strong validator: the same tag means the same bytes. */
export const etagOf = (body: string | Buffer): string =>
  `"${hash('sha256', body, 'base64url').slice(0, tagLength)}"`

/** The bytes of a reply in one coding, with every header that is the same for all who get it. */
export type EncodedVariant = {
  readonly body: Buffer
  readonly etag: string | null
  /** Names and values in turn, as node writes them. */
  readonly headers: readonly string[]
  /** The same for who has the bytes already: nothing about them but their tag. */
  readonly unmodified: readonly string[]
}

/** A reply that was made once and may be sent many times. */
export type CachedResponse = {
  /** The pattern of the endpoint's path, by which requests are counted. */
  readonly route: string
  readonly bytes: number
  readonly plain: EncodedVariant
  /** The same in a coding, compressed when it is first asked for. */
  readonly encoded: (encoding: Encoding) => EncodedVariant | Promise<EncodedVariant>
}

export type ResponseMeta = {
  readonly route: string
  readonly type: string
  readonly cache: CachePolicy
  /** In the place of the constant ones of the same name; null: without that one. */
  readonly headers?: Readonly<Record<string, string | null>>
}

/** Less fits one packet anyway. */
const compressibleBytesMin = 1400

/** A strong tag names the bytes, and those differ by coding (RFC 9110 §8.8.1). */
const etagIn = (etag: string | null, encoding: Encoding): string | null =>
  etag === null ? null : `${etag.slice(0, -1)}-${encoding}"`

type Headers = Readonly<Record<string, string | null>>

const pairsOf = (headers: Headers): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [name, value]))

const variantOf = (
  body: Buffer,
  etag: string | null,
  { shared, content }: { readonly shared: Headers; readonly content: Headers },
): EncodedVariant => {
  const unmodified = { ...shared, ...(etag === null ? {} : { etag }) }
  const all = { ...unmodified, ...content, 'content-length': String(body.length) }
  return {
    body,
    etag,
    headers: pairsOf(all),
    unmodified: pairsOf(unmodified),
  }
}

const isRevalidated = (cache: CachePolicy): boolean => cache !== 'no-store'

export const createResponse = (text: string | Buffer, facts: ResponseMeta): CachedResponse => {
  const { route, type, cache } = facts
  const body = typeof text === 'string' ? Buffer.from(text) : text
  const isCompressible = body.length >= compressibleBytesMin
  const shared = {
    ...constantHeaders,
    'cache-control': cacheControls[cache],
    ...(isCompressible ? { vary: 'accept-encoding' } : {}),
    ...facts.headers,
  }
  const content = { 'content-type': type }
  const etag = isRevalidated(cache) ? etagOf(body) : null
  const plain = variantOf(body, etag, { shared, content })
  const made = new Map<Encoding, EncodedVariant | Promise<EncodedVariant>>()

  const make = async (encoding: Encoding): Promise<EncodedVariant> => {
    const compressed = await compress(body, encoding)
    const coded = { ...content, 'content-encoding': encoding }
    const variant = variantOf(compressed, etagIn(etag, encoding), { shared, content: coded })
    made.set(encoding, variant)
    return variant
  }

  return {
    route,
    bytes: body.length,
    plain,
    encoded: (encoding) => {
      if (!isCompressible) return plain
      const known = made.get(encoding) ?? make(encoding)
      made.set(encoding, known)
      return known
    },
  }
}
