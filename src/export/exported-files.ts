import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportedFile } from '../domain/history/exported-file.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { ExportedFiles, OpenExportedFile } from '../ports/exported-files.ts'
import {
  type FileState,
  hashFile,
  isSameState,
  openBelow,
  readFileState,
  readUnchanged,
} from './file-bytes.ts'
import { createManifestReader } from './read-manifest.ts'

type Hashed = { readonly state: FileState; readonly sha256: Promise<string> }

/** Hashes each version of a file once, however many requests wait for it. */
const createHashes = () => {
  const hashed = new Map<string, Hashed>()
  return (path: string, handle: FileHandle, state: FileState): Promise<string> => {
    const known = hashed.get(path)
    if (known !== undefined && isSameState(state, known.state)) return known.sha256
    const sha256 = hashFile(handle, state)
    const entry = { state, sha256 }
    hashed.set(path, entry)
    sha256.catch(() => {
      if (hashed.get(path) === entry) hashed.delete(path)
    })
    return sha256
  }
}

const toOpenFile = (
  file: ExportedFile,
  handle: FileHandle,
  state: FileState,
): OpenExportedFile => ({
  file,
  read: (start, end) => readUnchanged(handle, state, { start, end }),
  close: () => handle.close(),
})

/**
 * The files that the manifest in the directory lists. Nothing else in it can be read, and bytes
 * that differ from the manifest are a fault.
 */
export const createExportedFiles = ({
  directory,
  chainId,
}: {
  readonly directory: string
  readonly chainId: number
}): ExportedFiles => {
  const readManifest = createManifestReader(directory, chainId)
  const hashOf = createHashes()
  const check = async (
    file: ExportedFile,
    handle: FileHandle,
  ): Promise<Outcome<OpenExportedFile, string>> => {
    const state = await readFileState(handle)
    if (state === null) return failure('not a file')
    if (state.bytes !== file.bytes) {
      return failure(`${state.bytes} bytes long, its manifest says ${file.bytes}`)
    }
    const sha256 = await hashOf(file.path, handle, state)
    return sha256 === file.sha256
      ? success(toOpenFile(file, handle, state))
      : failure('other bytes than its manifest says')
  }
  const openListed = async (file: ExportedFile): Promise<Outcome<OpenExportedFile, string>> => {
    const opened = await openBelow(directory, file.path)
    if (!opened.ok) return opened
    const checked = await check(file, opened.value)
    if (!checked.ok) await opened.value.close()
    return checked
  }
  return {
    list: async () => {
      const manifest = await readManifest()
      return manifest.ok ? success(manifest.value?.listing ?? null) : manifest
    },
    open: async (path) => {
      const manifest = await readManifest()
      if (!manifest.ok) return manifest
      const file = manifest.value?.byPath.get(path)
      if (file === undefined) return success(null)
      const opened = await openListed(file)
      return opened.ok ? opened : failure(`${join(directory, path)}: ${opened.fault}`)
    },
  }
}
