import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureDashboard } from './setup/dashboard.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { findNode } from './setup/node-version.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Makes a clone ready to run: its packages, a Node that is new enough, and the dashboard. Ends the
 * process with one line if that is not to be had.
 * @returns {Promise<string>} the path of that Node
 */
export const prepare = async () => {
  const code = await ensureInstalled(root)
  if (code !== 0) process.exit(code)
  const node = findNode(root)
  if (node.path !== undefined) {
    await ensureDashboard(root, node.path)
    return node.path
  }
  process.stderr.write(`stockpools: ${node.fault}\n`)
  process.exit(1)
}
