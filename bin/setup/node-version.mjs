import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Node strips types without a flag, and has SQLite, from here on. */
const wanted = [24, 15]

/** Whether a version such as `24.15.0` or `v24.15.0` is new enough. */
export const isNewEnough = (version) => {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1])
}

/** Of a package that is installed for us: below, or beside us if we are a package as well. */
const packagedNode = (root, name) => {
  try {
    return createRequire(join(root, 'package.json')).resolve(`${name}/bin/node`)
  } catch {
    return null
  }
}

/**
 * The Node that can run the service: this one, or the one that the package manager brought.
 * @param {string} root
 * @param {{ version: string, execPath: string, platform: string, arch: string }} [self]
 * @returns {{ path: string } | { fault: string }}
 */
export const findNode = (root, self = process) => {
  if (isNewEnough(self.version)) return { path: self.execPath }
  const packaged = `node-${self.platform}-${self.arch}`
  const path = packagedNode(root, packaged)
  if (path !== null) return { path }
  return {
    fault:
      `Node ${wanted.join('.')} or newer is needed: this is ${self.version}, and no packaged ` +
      `Node fits ${self.platform}-${self.arch}. Install Node 24 and start again.`,
  }
}
