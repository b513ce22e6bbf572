import { readFileSync, statSync } from 'node:fs'
import { failure, type Outcome, success } from '../domain/outcome.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Copies the environment of the process; nothing else reads it. */
export const readEnvironment = (): Environment => ({ ...process.env })

const shownCharactersMax = 60

/** Quotes user input in a one-line message: shortened, control characters escaped. */
export const quoteForMessage = (text: string): string =>
  JSON.stringify(
    text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text,
  ).replace(/[\u007f-\u009f\u2028\u2029]/g, '?')

/** About 10,000 stocks; a larger file is a mistake. */
const fileBytesMax = 4 * 1024 * 1024

const faultTexts: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/** Reads a text file; the fault is a short reason. */
export const readTextFile = (path: string): Outcome<string, string> => {
  try {
    if (statSync(path).size > fileBytesMax) return failure('larger than 4 MB')
    return success(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    return failure(faultTexts[code] ?? code)
  }
}
