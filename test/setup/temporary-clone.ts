import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const bin = fileURLToPath(new URL('../../bin/', import.meta.url))

/** Loads a module of bin/, which is plain JavaScript, by the types that the test gives it. */
export const loadFromBin = async <Module>(path: string): Promise<Module> =>
  (await import(pathToFileURL(join(bin, path)).href)) as Module

export type TemporaryClone = {
  readonly root: string
  readonly write: (path: string, text: string) => void
  readonly remove: () => void
}

/** A directory with the real bin/ and whatever else the test writes: texts by path. */
export const createTemporaryClone = (
  files: Readonly<Record<string, unknown>> = {},
): TemporaryClone => {
  const root = mkdtempSync(join(tmpdir(), 'stockpools-clone-'))
  cpSync(bin, join(root, 'bin'), { recursive: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, content] of Object.entries(files)) {
    write(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return { root, write, remove: () => rmSync(root, { recursive: true, force: true }) }
}
