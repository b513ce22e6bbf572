import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import { describeFileFault } from '../util/file-fault.ts'

const standard = '-'

/** The file's name in messages. */
export const displayName = (file: string, stream: 'input' | 'output'): string =>
  file === standard ? `standard ${stream}` : file

const isPacked = (file: string): boolean => file.endsWith('.gz')

type Standard = { readonly input: Readable; readonly output: Writable }

/** Calls `use` with the decompressed bytes of the file, and waits for it. */
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
    // `use` stops reading after a fault, which makes the pipeline fail as well.
    used ??= failure(`${displayName(file, 'input')} ${describeFileFault(error)}`)
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

/** Writes to a partial file, compressed if its name ends in `.gz`, and renames it when complete. */
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
    return failure(`${displayName(file, 'output')} ${describeFileFault(error)}`)
  }
}

export const fileExists = (file: string): boolean => file !== standard && existsSync(file)
