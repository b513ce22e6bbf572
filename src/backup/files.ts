import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { failure, type Outcome, success } from '../domain/outcome.ts'

/** The name of a standard stream, as for other commands. */
const standard = '-'

/** The file as a message names it. */
export const displayName = (file: string, stream: 'input' | 'output'): string =>
  file === standard ? `standard ${stream}` : file

const isPacked = (file: string): boolean => file.endsWith('.gz')

const faultTexts: Readonly<Record<string, string>> = {
  ABORT_ERR: 'was left off: asked to stop',
  EACCES: 'can not be used: permission denied',
  EISDIR: 'is a folder',
  ENOENT: 'can not be found',
  ENOSPC: 'has no room left on its disk',
  EPIPE: 'was closed by its reader',
  Z_BUF_ERROR: 'ends too early: a part of it is missing',
  Z_DATA_ERROR: 'is damaged: it can not be unpacked',
}

/** What went wrong with a stream, in words; anything else is a bug and thrown on. */
const faultOf = (error: unknown): string => {
  if (!(error instanceof Error && 'code' in error)) throw error
  const code = String(error.code)
  const known = faultTexts[code]
  if (known !== undefined) return known
  if ('syscall' in error) return `can not be used (${code})`
  throw error
}

type Standard = { readonly input: Readable; readonly output: Writable }

/** Hands the file's bytes, unpacked, to `use`. */
export const readBytes = async <T>(
  file: string,
  { input, signal }: Pick<Standard, 'input'> & { readonly signal: AbortSignal },
  use: (chunks: AsyncIterable<Uint8Array>) => Promise<Outcome<T, string>>,
): Promise<Outcome<T, string>> => {
  const from = file === standard ? input : createReadStream(file)
  let used: Outcome<T, string> | null = null
  const take = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    used = await use(chunks)
  }
  try {
    if (isPacked(file)) await pipeline(from, createGunzip(), take, { signal })
    else await pipeline(from, take, { signal })
  } catch (error) {
    // Whoever found a fault reads no further, which the stream takes for a fault of its own.
    used ??= failure(`${displayName(file, 'input')} ${faultOf(error)}`)
  }
  return used ?? failure(`${displayName(file, 'input')} could not be read`)
}

const writeTo = async (
  to: Writable,
  text: AsyncIterable<string>,
  { packed, signal }: { readonly packed: boolean; readonly signal: AbortSignal },
): Promise<void> => {
  if (packed) await pipeline(text, createGzip(), to, { signal })
  else await pipeline(text, to, { signal })
}

/** Writes the text, packed if the name says so; a file appears under its name when it is whole. */
export const writeText = async (
  file: string,
  { output, signal }: Pick<Standard, 'output'> & { readonly signal: AbortSignal },
  text: AsyncIterable<string>,
): Promise<Outcome<void, string>> => {
  const partial = `${file}.partial`
  try {
    if (file === standard) await writeTo(output, text, { packed: false, signal })
    else {
      const to = createWriteStream(partial, { flush: true })
      await writeTo(to, text, { packed: isPacked(file), signal })
      renameSync(partial, file)
    }
    return success(undefined)
  } catch (error) {
    if (file !== standard) rmSync(partial, { force: true })
    return failure(`${displayName(file, 'output')} ${faultOf(error)}`)
  }
}

/** An export never takes the place of another one. */
export const fileExists = (file: string): boolean => file !== standard && existsSync(file)
