import { failure, type Outcome, success } from '../domain/outcome.ts'

/** No line that belongs here is near this; a file without line ends is not read into memory. */
const lineBytesMax = 4_000_000

const newline = 0x0a

/** As many lines as came together, without their ends; `isWhole`: the last one had its end. */
type Lines = { readonly lines: readonly string[]; readonly isWhole: boolean }

/** The bytes that are not yet told, because their line has not ended. */
const createHeld = () => {
  // The check sum is over the text: a decoder that mends or leaves out would hide a change.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let held: Uint8Array[] = []
  let bytes = 0
  return {
    bytes: () => bytes,
    add: (chunk: Uint8Array): void => {
      held.push(chunk)
      bytes += chunk.length
    },
    take: (): Outcome<string, string> => {
      const all = Buffer.concat(held)
      held = []
      bytes = 0
      try {
        return success(decoder.decode(all))
      } catch {
        return failure('is not UTF-8')
      }
    },
  }
}

/** The lines of a file. After a fault there are no more. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Outcome<Lines, string>> {
  const held = createHeld()
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline)
    if (end >= 0) {
      held.add(chunk.subarray(0, end))
      const text = held.take()
      if (!text.ok) return yield text
      yield success({ lines: text.value.split('\n'), isWhole: true })
    }
    held.add(chunk.subarray(end + 1))
    if (held.bytes() > lineBytesMax) return yield failure('has a line that is too long')
  }
  if (held.bytes() === 0) return
  const rest = held.take()
  // A file that was cut off ends in the middle of a letter, too.
  yield success({ lines: [rest.ok ? rest.value : ''], isWhole: false })
}
