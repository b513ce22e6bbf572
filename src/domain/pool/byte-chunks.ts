/*
 * Records of bytes, appended for good to chunks that they share: a typed array or a string for each
 * would take a multiple of its bytes.
 *
 *     chunk 0   | - | record | record | ..      a record never crosses the end of a chunk
 *     chunk 1   | record | ..                   position = chunk * 65,536 + offset, never 0
 */

const chunkBits = 16
const chunkBytes = 2 ** chunkBits
/** Positions fit into 32 bits. */
const chunksMax = 2 ** (32 - chunkBits)

export type ByteChunks = {
  /** Returns the position: a positive 32-bit number. */
  readonly append: (record: Uint8Array) => number
  readonly chunkAt: (position: number) => Uint8Array
}

/** Where the record begins in its chunk. */
export const offsetOf = (position: number): number => position % chunkBytes

export const createByteChunks = (): ByteChunks => {
  const chunks: Uint8Array[] = []
  let end = chunkBytes
  return {
    append: (record) => {
      if (end + record.length > chunkBytes) {
        if (chunks.length === chunksMax) throw new Error('packed pools exceed 4 GB')
        end = chunks.push(new Uint8Array(chunkBytes)) === 1 ? 1 : 0
      }
      const position = (chunks.length - 1) * chunkBytes + end
      chunks[chunks.length - 1]?.set(record, end)
      end += record.length
      return position
    },
    chunkAt: (position) => {
      const chunk = chunks[position >>> chunkBits]
      if (chunk === undefined) throw new Error(`no packed record at ${position}`)
      return chunk
    },
  }
}
