import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type CachePolicy, cacheControls, constantHeaders } from './headers.ts'

/** Content codings, the one that compresses best first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** Higher levels double the time and hardly reduce the size. */
const brotliQuality = 4
const gzipLevel = 6

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Compresses in node's thread pool. */
const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? gzipAsync(bytes, { level: gzipLevel })
    : brotliAsync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })

/** 132 bits, so that collisions do not occur. */
const tagLength = 22

/** A strong validator (RFC 9110 §8.8.1): the same tag means the same bytes. */
export const computeEtag = (body: string | Buffer): string =>
  `"${hash('sha256', body, 'base64url').slice(0, tagLength)}"`

/** The bytes of a response in one coding, with the headers that all clients get. */
export type EncodedVariant = {
  readonly body: Buffer
  readonly etag: string | null
  /** Alternating names and values, as `writeHead` takes them. */
  readonly headers: readonly string[]
  /** The headers of a 304 response. */
  readonly notModifiedHeaders: readonly string[]
}

/** A response that is built once and sent many times. */
export type CachedResponse = {
  /** The path pattern, a label of the request metrics. */
  readonly route: string
  readonly bytes: number
  readonly plain: EncodedVariant
  /** Compresses on first use. */
  readonly encoded: (encoding: Encoding) => EncodedVariant | Promise<EncodedVariant>
}

export type ResponseMeta = {
  readonly route: string
  readonly type: string
  readonly cache: CachePolicy
  /** Override the constant headers; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>
}

/** Fewer bytes fit one packet anyway. */
const compressibleBytesMin = 1400

/** A strong tag identifies bytes, which differ by coding (RFC 9110 §8.8.1). */
const encodedEtag = (etag: string | null, encoding: Encoding): string | null =>
  etag === null ? null : `${etag.slice(0, -1)}-${encoding}"`

type Headers = Readonly<Record<string, string | null>>

const toPairs = (headers: Headers): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [name, value]))

const createVariant = (
  body: Buffer,
  etag: string | null,
  { shared, content }: { readonly shared: Headers; readonly content: Headers },
): EncodedVariant => {
  const unmodified = { ...shared, ...(etag === null ? {} : { etag }) }
  const all = { ...unmodified, ...content, 'content-length': String(body.length) }
  return {
    body,
    etag,
    headers: toPairs(all),
    notModifiedHeaders: toPairs(unmodified),
  }
}

export const createResponse = (text: string | Buffer, meta: ResponseMeta): CachedResponse => {
  const { route, type, cache } = meta
  const body = typeof text === 'string' ? Buffer.from(text) : text
  const isCompressible = body.length >= compressibleBytesMin
  const shared = {
    ...constantHeaders,
    'cache-control': cacheControls[cache],
    ...(isCompressible ? { vary: 'accept-encoding' } : {}),
    ...meta.headers,
  }
  const content = { 'content-type': type }
  const etag = cache !== 'no-store' ? computeEtag(body) : null
  const plain = createVariant(body, etag, { shared, content })
  const variants = new Map<Encoding, EncodedVariant | Promise<EncodedVariant>>()

  const encode = async (encoding: Encoding): Promise<EncodedVariant> => {
    const compressed = await compress(body, encoding)
    const encodedContent = { ...content, 'content-encoding': encoding }
    const variant = createVariant(compressed, encodedEtag(etag, encoding), {
      shared,
      content: encodedContent,
    })
    variants.set(encoding, variant)
    return variant
  }

  return {
    route,
    bytes: body.length,
    plain,
    encoded: (encoding) => {
      if (!isCompressible) return plain
      const known = variants.get(encoding) ?? encode(encoding)
      variants.set(encoding, known)
      return known
    },
  }
}
