import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WriteBytes } from './columns.ts'

const partialEnding = '.partial'

/** Beside the file, hidden. */
const partialOf = (path: string): string =>
  join(dirname(path), `.${path.slice(dirname(path).length + 1)}${partialEnding}`)

const syncDirectory = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export type WrittenFile = { readonly bytes: number; readonly sha256: string }

/** A file that appears under its name when it is complete, and not before. */
export type OutputFile = {
  readonly write: WriteBytes
  readonly finish: () => WrittenFile
  /** Removes what was written; does nothing after `finish`. */
  readonly discard: () => void
}

/** Its calls throw the errors of the file system. */
export const createOutputFile = (path: string): OutputFile => {
  const partial = partialOf(path)
  const descriptor = openSync(partial, 'w')
  const hash = createHash('sha256')
  let bytes = 0
  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }
  return {
    write: (chunk) => {
      let written = 0
      while (written < chunk.length) written += writeSync(descriptor, chunk, written)
      hash.update(chunk)
      bytes += chunk.length
    },
    finish: () => {
      fsyncSync(descriptor)
      close()
      renameSync(partial, path)
      syncDirectory(dirname(path))
      return { bytes, sha256: hash.digest('hex') }
    },
    discard: () => {
      close()
      rmSync(partial, { force: true })
    },
  }
}

/** Replaces a small file in one step. */
export const replaceFile = (path: string, text: string): void => {
  const file = createOutputFile(path)
  try {
    file.write(Buffer.from(text))
    file.finish()
  } catch (error) {
    file.discard()
    throw error
  }
}

/** Removes the unfinished files that a killed export left in the directory. */
export const removePartialFiles = (directory: string): void => {
  for (const name of readdirSync(directory)) {
    if (name.startsWith('.') && name.endsWith(partialEnding)) rmSync(join(directory, name))
  }
}
