import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './setup/install.mjs'
import { findNode } from './setup/node-version.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Makes a clone ready to run: its packages and a Node that is new enough. Ends the process with
 * one line if that is not to be had.
 * @returns {Promise<string>} the path of that Node
 */
export const prepare = async () => {
  const code = await ensureInstalled(root)
  if (code !== 0) process.exit(code)
  const node = findNode(root)
  if (node.path !== undefined) return node.path
  process.stderr.write(`stockpools: ${node.fault}\n`)
  process.exit(1)
}
