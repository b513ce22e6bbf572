import { join } from 'node:path'
import type { ExportedFile } from '../domain/history/exported-file.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { ExportListing } from '../ports/exported-files.ts'
import { type FileState, isSameState, openBelow, readFileState } from './file-bytes.ts'
import { type ExportManifest, manifestName, parseManifest } from './manifest.ts'

/** Some hundred years of files. */
const manifestBytesMax = 256 * 1024 * 1024

export type LoadedManifest = {
  readonly listing: ExportListing
  readonly byPath: ReadonlyMap<string, ExportedFile>
}

/** Newest day first; files of one day by path. */
const inOrder = (one: ExportedFile, other: ExportedFile): number => {
  if (one.day !== other.day) return one.day < other.day ? 1 : -1
  return one.path < other.path ? -1 : 1
}

const toLoaded = ({ chainId, network, originHash, ...manifest }: ExportManifest) => ({
  listing: {
    chain: { chainId, network, originHash },
    methodology: manifest.methodology,
    files: manifest.files.toSorted(inOrder),
  },
  byPath: new Map(manifest.files.map((file) => [file.path, file])),
})

type Result = Outcome<LoadedManifest | null, string>

/**
 * Returns a function that reads the manifest, again whenever it was replaced. Null: there is none
 * yet. The fault is one line.
 */
export const createManifestReader = (directory: string, chainId: number) => {
  const name = join(directory, manifestName)
  let latest: { readonly state: FileState; readonly result: Result } | null = null
  const parse = (text: string): Result => {
    const parsed = parseManifest(text)
    if (!parsed.ok) return failure(`${name} ${parsed.fault}`)
    return parsed.value.chainId === chainId
      ? success(toLoaded(parsed.value))
      : failure(`${name} is of chain ${parsed.value.chainId}, this service is of ${chainId}`)
  }
  return async (): Promise<Result> => {
    const opened = await openBelow(directory, manifestName)
    if (!opened.ok) {
      return opened.fault === 'missing' ? success(null) : failure(`${name}: ${opened.fault}`)
    }
    try {
      const state = await readFileState(opened.value)
      if (state === null || state.bytes > manifestBytesMax) {
        return failure(`${name} is not the manifest of an export`)
      }
      if (latest !== null && isSameState(state, latest.state)) return latest.result
      const result = parse(await opened.value.readFile('utf8'))
      latest = { state, result }
      return result
    } finally {
      await opened.value.close()
    }
  }
}
