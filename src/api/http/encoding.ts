import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** How bytes may travel, the shortest first. */
const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** Beyond these the bytes hardly shrink and the time doubles. */
const brotliQuality = 4
const gzipLevel = 6

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Compresses beside the thread that answers. */
export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? gzipAsync(bytes, { level: gzipLevel })
    : brotliAsync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })

const zeroQuality = /^q=0(?:\.0{0,3})?$/

/** RFC 9110 §12.5.3, of which two codings matter; a weight says no more than yes or no. */
const parse = (acceptEncoding: string): Encoding | null => {
  const accepted = new Map<string, boolean>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    accepted.set(name, !parameters.some((text) => zeroQuality.test(text)))
  }
  const isAccepted = (encoding: Encoding) => accepted.get(encoding) ?? accepted.get('*') ?? false
  return encodings.find(isAccepted) ?? null
}

/** Browsers and libraries send a handful of different texts. */
const rememberedMax = 64

/** The coding to answer this Accept-Encoding with; null: as it is. */
export const createEncodingChoice = (): ((
  acceptEncoding: string | undefined,
) => Encoding | null) => {
  const remembered = new Map<string, Encoding | null>()
  return (acceptEncoding) => {
    if (acceptEncoding === undefined) return null
    const known = remembered.get(acceptEncoding)
    if (known !== undefined) return known
    const choice = parse(acceptEncoding)
    if (remembered.size < rememberedMax) remembered.set(acceptEncoding, choice)
    return choice
  }
}
