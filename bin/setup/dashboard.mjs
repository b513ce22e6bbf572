import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from './child.mjs'
import { withLock } from './lock.mjs'

/** Everything that decides what the build makes. */
const folders = ['dashboard', 'src/client']
const builders = ['bin/setup/build-dashboard.mjs', 'package-lock.json', 'tsconfig.json']

const outOf = (root) => join(root, 'dist', 'dashboard')
const stampOf = (root) => join(outOf(root), 'sources.sha256')

const filesUnder = (path) => {
  const entries = existsSync(path)
    ? readdirSync(path, { withFileTypes: true, recursive: true })
    : []
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

const hashSources = (root) => {
  const hash = createHash('sha256')
  const found = folders.flatMap((path) => filesUnder(join(root, path)))
  const all = [...found, ...builders.map((path) => join(root, path)).filter(existsSync)]
  for (const path of all.sort()) {
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

const readOrNull = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const build = async (root, node, wanted) => {
  const out = `${outOf(root)}.${process.pid}`
  const script = join(root, 'bin', 'setup', 'build-dashboard.mjs')
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }
  const { code, fault } = await runChild(node, [script, out], options)
  if (fault !== null) process.stderr.write(`${fault}\n`)
  if (code === 0) {
    writeFileSync(join(out, 'sources.sha256'), wanted)
    rmSync(outOf(root), { recursive: true, force: true })
    renameSync(out, outOf(root))
  }
  rmSync(out, { recursive: true, force: true })
  return code === 0
}

/**
 * Builds the dashboard if its sources have changed since. Without it the service still answers, so
 * a failure is only reported.
 * @param {string} root
 * @param {string} node the path of a Node that is new enough
 * @returns {Promise<boolean>} whether there is a dashboard of these sources now
 */
export const ensureDashboard = async (root, node) => {
  if (!existsSync(join(root, 'dashboard', 'index.html'))) return false
  const wanted = hashSources(root)
  const isBuilt = () => readOrNull(stampOf(root)) === wanted
  if (isBuilt()) return true
  const report = (text) => process.stderr.write(`${text}\n`)
  try {
    const lock = join(root, 'data', 'dashboard.lock')
    const work = async () => {
      if (isBuilt()) return true
      const done = await build(root, node, wanted)
      report(
        done ? 'Dashboard built' : 'The dashboard could not be built: the API works without it',
      )
      return done
    }
    return await withLock(lock, work, () => report('Another process builds the dashboard'))
  } catch (error) {
    report(`The dashboard could not be built (${error.message}): the API works without it`)
    return false
  }
}
