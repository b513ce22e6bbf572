/**
 * A response body as the chunks received, owned by the reader: joining them on arrival would keep a
 * large body in memory twice.
 */
export type Body = readonly Uint8Array<ArrayBuffer>[]

/** Invalid UTF-8 becomes U+FFFD. */
export const decodeBody = (body: Body): string =>
  new TextDecoder().decode(body.length === 1 ? body[0] : Buffer.concat(body))

/** Larger bodies get a buffer of their own; 8 MB are about 8,000 logs. */
const sharedBytes = 8 * 1024 * 1024

/**
 * Frees a copied chunk at once: V8 collects array buffers late, and a backfill would keep 60 MB of
 * them. A small `Buffer` shares its memory and is left alone.
 */
const release = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void => {
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}

/**
 * Joins the chunks of a body and frees them. The result is valid until the next call, because one
 * buffer is reused: that costs a fifth of allocating new memory.
 */
export const createBodyBuffer = (): ((body: Body) => Buffer<ArrayBuffer>) => {
  let shared: Buffer<ArrayBuffer> | null = null
  return (body) => {
    const length = body.reduce((sum, chunk) => sum + chunk.length, 0)
    if (length <= sharedBytes) shared ??= Buffer.allocUnsafeSlow(sharedBytes)
    const joined = (length <= sharedBytes ? shared : null) ?? Buffer.allocUnsafeSlow(length)
    let at = 0
    for (const chunk of body) {
      joined.set(chunk, at)
      at += chunk.length
      release(chunk)
    }
    return joined.subarray(0, length)
  }
}
