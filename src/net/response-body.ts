/**
 * An answer's bytes in the pieces in which they came, which nobody else holds: put together as
 * each one comes, a long body would be in memory twice.
 */
export type Body = readonly Uint8Array<ArrayBuffer>[]

/** What is no UTF-8 becomes U+FFFD. */
export const decodeBody = (body: Body): string =>
  new TextDecoder().decode(body.length === 1 ? body[0] : Buffer.concat(body))

/** Longer bodies are put together in memory of their own: 8 MB are 8,000 logs. */
const deskBytes = 8 * 1024 * 1024

/**
 * Gives a copied piece back at once: else twice as much of them waits for a collection (60 MB in a
 * backfill), for which V8 sees little reason. A small `Buffer` shares its memory, and is left.
 */
const giveBack = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void => {
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}

/**
 * Puts bodies together, one at a time: what it answers lasts until the next one, and the pieces are
 * gone. The same memory again costs a fifth of new memory, whose pages come one by one.
 */
export const createBodyBuffer = (): ((body: Body) => Buffer<ArrayBuffer>) => {
  let desk: Buffer<ArrayBuffer> | null = null
  return (body) => {
    const length = body.reduce((sum, piece) => sum + piece.length, 0)
    if (length <= deskBytes) desk ??= Buffer.allocUnsafeSlow(deskBytes)
    const whole = (length <= deskBytes ? desk : null) ?? Buffer.allocUnsafeSlow(length)
    let at = 0
    for (const piece of body) {
      whole.set(piece, at)
      at += piece.length
      giveBack(piece)
    }
    return whole.subarray(0, length)
  }
}
