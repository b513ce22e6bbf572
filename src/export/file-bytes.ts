import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Outcome, success } from '../domain/outcome.ts'

/** Few calls, and a fraction of a millisecond of hashing in one turn of the event loop. */
const chunkBytes = 256 * 1024

/** What every write to a file changes. */
export type FileState = { readonly bytes: number; readonly modifiedNs: bigint }

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/** The state of a regular file; null for everything else. */
export const readFileState = async (handle: FileHandle): Promise<FileState | null> => {
  const stat = await handle.stat({ bigint: true })
  return stat.isFile() ? { bytes: Number(stat.size), modifiedNs: stat.mtimeNs } : null
}

export const isSameState = (one: FileState, other: FileState | null): boolean =>
  one.bytes === other?.bytes && one.modifiedNs === other.modifiedNs

/**
 * Opens a regular file below a directory, through no symbolic link. Never waits for the other end
 * of a pipe.
 */
export const openBelow = async (
  directory: string,
  path: string,
): Promise<Outcome<FileHandle, string>> => {
  try {
    const whole = join(await realpath(directory), path)
    if ((await realpath(whole)) !== whole) return failure('a symbolic link')
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    return success(await open(whole, O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    return failure(code === 'ENOENT' ? 'missing' : `cannot be opened (${code})`)
  }
}

type Span = { readonly start: number; readonly end: number }

/** Ends early where the file does. */
async function* readChunks(handle: FileHandle, { start, end }: Span): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const room = Buffer.allocUnsafe(Math.min(chunkBytes, end - at))
    const { bytesRead } = await handle.read(room, 0, room.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield room.subarray(0, bytesRead)
  }
}

/** Throws before the last bytes if the file is not in `state` any more. */
export async function* readUnchanged(
  handle: FileHandle,
  state: FileState,
  span: Span,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = span.end - span.start
  for await (const chunk of readChunks(handle, span)) {
    left -= chunk.length
    if (left === 0 && !isSameState(state, await readFileState(handle))) break
    yield chunk
    if (left === 0) return
  }
  if (span.end > span.start) throw new Error('the file changed while it was read')
}

/** 64 hexadecimal digits. */
export const hashFile = async (handle: FileHandle, { bytes }: FileState): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of readChunks(handle, { start: 0, end: bytes })) hash.update(chunk)
  return hash.digest('hex')
}
