#!/usr/bin/env node
/*
 * The command `stockpools`: plain JavaScript for Node 20 with nothing installed. Brings the
 * packages and a newer Node, then hands over to src/cli/cli.ts and ends with its exit code. An
 * installed package has its packages, and lib/cli/cli.js in the place of the sources.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from './setup/child.mjs'
import { watchNpm } from './setup/parent.mjs'
import { prepare, root } from './setup.mjs'

const node = await prepare()
const given = process.argv.slice(2)
// Other users of the machine see a process's arguments, and those may hold a password.
process.title = 'stockpools'
// Half-spaces of young objects of 16 MB each instead of 64: 140 MB less for the same work.
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16']
const source = join(root, 'src', 'cli', 'cli.ts')
const args = [...flags, existsSync(source) ? source : join(root, 'lib', 'cli', 'cli.js')]
// All threads share one heap of glibc's instead of up to eight for each core: 10 to 25 MB less.
const env = { MALLOC_ARENA_MAX: '1', ...process.env }
const { code, fault } = await runChild(
  node,
  [...args, ...given],
  // By the closed IPC channel the child learns of our death, even by kill -9.
  { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
  (stop) => watchNpm(() => stop('SIGTERM')),
)
if (fault !== null) process.stderr.write(`stockpools: ${fault}\n`)
process.exit(code)
