/*
 * Runs a script of the repository after the set-up, with a Node that is new enough:
 * `node bin/run.mjs bench/index.ts --help`. So every `npm run ...` works in a fresh clone and on
 * Node 20.
 */
import { delimiter, dirname, join } from 'node:path'
import { runChild } from './setup/child.mjs'
import { prepare, root } from './setup.mjs'

const [script, ...args] = process.argv.slice(2)
if (script === undefined) {
  process.stderr.write('usage: node bin/run.mjs <script> [arguments]\n')
  process.exit(2)
}
const node = await prepare()
const env = { ...process.env, PATH: [dirname(node), process.env.PATH ?? ''].join(delimiter) }
const options = { env, stdio: 'inherit' }
const { code, fault } = await runChild(node, [join(root, script), ...args], options)
if (fault !== null) process.stderr.write(`${fault}\n`)
process.exit(code)
