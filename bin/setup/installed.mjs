import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const lockPath = (root) => join(root, 'package-lock.json')
const stampPath = (root) => join(root, 'node_modules', '.stockpools-install')

const readOrNull = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const parseOrNull = (text) => {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** What an install is for: this lock file, on this kind of machine. */
const stampOf = (lockText) => {
  const hash = createHash('sha256').update(lockText).digest('hex')
  return `${hash} ${process.platform}-${process.arch}\n`
}

const allows = (list, value) => {
  const names = [list ?? []].flat()
  if (names.length === 0) return true
  return names.some((name) => name.startsWith('!'))
    ? !names.includes(`!${value}`)
    : names.includes(value)
}

/**
 * An optional package must be there only if it was made for this machine and nothing else
 * decides (which C library, or whose child it is).
 */
const mustBeThere = ({ optional, os, cpu, libc }) => {
  if (!optional) return true
  if ((os === undefined && cpu === undefined) || libc !== undefined) return false
  return allows(os, process.platform) && allows(cpu, process.arch)
}

/** npm writes down what it installed as the last thing: a half install has no such file. */
const matchesLock = (root, lock) => {
  const record = parseOrNull(readOrNull(join(root, 'node_modules', '.package-lock.json')))
  if (record === null) return false
  const installed = record.packages ?? {}
  return Object.entries(lock.packages ?? {}).every(([path, wanted]) => {
    const found = installed[path]
    if (path === '') return true
    if (found === undefined) return !mustBeThere(wanted)
    const same = found.version === wanted.version && found.integrity === wanted.integrity
    return same && existsSync(join(root, path, 'package.json'))
  })
}

/** Remembers that what is in node_modules is what the lock file wants. */
export const writeStamp = (root) => {
  try {
    writeFileSync(stampPath(root), stampOf(readFileSync(lockPath(root), 'utf8')))
  } catch {
    // A directory that is not writable is checked again at the next start.
  }
}

/** Whether node_modules has what the lock file requires, however it was installed. */
export const isInstalled = (root) => {
  const lockText = readOrNull(lockPath(root))
  if (lockText === null) return true
  if (readOrNull(stampPath(root)) === stampOf(lockText)) return true
  const lock = parseOrNull(lockText)
  if (lock === null || !matchesLock(root, lock)) return false
  writeStamp(root)
  return true
}
