import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes atomically: readers see the old file or the new one, even of two writers. */
export function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  const next = `${path}.${randomUUID()}.next`
  try {
    writeFileSync(next, `${JSON.stringify(value, null, 1)}\n`)
    renameSync(next, path)
  } catch (fault) {
    rmSync(next, { force: true })
    throw fault
  }
}

/** Returns null if the file is missing or not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

export function removeFiles(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true })
}
