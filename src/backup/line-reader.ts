import { failure, type Outcome, success } from '../domain/outcome.ts'

/** Far above every valid line: a file without line ends must not fill the memory. */
const lineBytesMax = 4_000_000

const newline = 0x0a

/** The lines of one chunk; `isComplete`: the last one had its line end. */
type Lines = { readonly lines: readonly string[]; readonly isComplete: boolean }

/** The bytes of a line that has not ended. */
const createLineBuffer = () => {
  // The checksum is over the text: a decoder that replaces or skips bytes would hide a change.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let chunks: Uint8Array[] = []
  let bytes = 0
  return {
    bytes: () => bytes,
    add: (chunk: Uint8Array): void => {
      chunks.push(chunk)
      bytes += chunk.length
    },
    take: (): Outcome<string, string> => {
      const all = Buffer.concat(chunks)
      chunks = []
      bytes = 0
      try {
        return success(decoder.decode(all))
      } catch {
        return failure('is not UTF-8')
      }
    },
  }
}

/** Reads the lines of a file; a fault ends it. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Outcome<Lines, string>> {
  const buffer = createLineBuffer()
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline)
    if (end >= 0) {
      buffer.add(chunk.subarray(0, end))
      const text = buffer.take()
      if (!text.ok) return yield text
      yield success({ lines: text.value.split('\n'), isComplete: true })
    }
    buffer.add(chunk.subarray(end + 1))
    if (buffer.bytes() > lineBytesMax) return yield failure('has a line that is too long')
  }
  if (buffer.bytes() === 0) return
  const last = buffer.take()
  // A truncated file may end inside of a character.
  yield success({ lines: [last.ok ? last.value : ''], isComplete: false })
}
