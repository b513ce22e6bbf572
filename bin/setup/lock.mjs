import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 200
/** Between making the directory and writing the owner into it lies one call. */
const ownerlessMsMax = 10_000
/** The slowest install that is believed; a process id older than this may be another's. */
const heldMsMax = 30 * 60_000

const ownerOf = (directory) => {
  try {
    return readFileSync(join(directory, 'pid'), 'utf8')
  } catch {
    return null
  }
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const ageMsOf = (directory) => {
  try {
    return Date.now() - statSync(directory).mtimeMs
  } catch {
    return 0
  }
}

const isStale = (directory, owner) => {
  const age = ageMsOf(directory)
  if (owner === null) return age > ownerlessMsMax
  return age > heldMsMax || !isAlive(Number(owner))
}

const tryAcquire = (directory) => {
  try {
    mkdirSync(directory)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(directory, 'pid'), String(process.pid))
  return true
}

/** Moves a dead owner's lock away; of several who try, the rename lets one win. */
const removeStale = (directory, owner) => {
  const aside = `${directory}.${process.pid}`
  try {
    renameSync(directory, aside)
    // Between the look and the move another may have won: then it is theirs, and goes back.
    if (ownerOf(aside) !== owner) renameSync(aside, directory)
  } catch {
    return
  }
  rmSync(aside, { recursive: true, force: true })
}

/**
 * Does `work` while holding the directory `directory` as a lock; `onWait` is called once when
 * another process holds it.
 * @template T
 * @param {string} directory
 * @param {() => Promise<T>} work
 * @param {() => void} onWait
 * @returns {Promise<T>}
 */
export const withLock = async (directory, work, onWait) => {
  mkdirSync(dirname(directory), { recursive: true })
  let hasReported = false
  while (!tryAcquire(directory)) {
    const owner = ownerOf(directory)
    if (isStale(directory, owner)) {
      removeStale(directory, owner)
      continue
    }
    if (!hasReported) onWait()
    hasReported = true
    await sleep(pollMs)
  }
  try {
    return await work()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
