import { basename, join } from 'node:path'
import { runChild } from './child.mjs'
import { isInstalled, writeStamp } from './installed.mjs'
import { withLock } from './lock.mjs'

const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
/** Also where NODE_ENV or a setting of npm's would leave them out: the sandbox needs them. */
const includes = ['--include=dev', '--include=optional']

/** The npm that started us, run by its own Node: ours may be part of what npm replaces. */
const npmCommand = (environment) => {
  const { npm_execpath: path, npm_node_execpath: node } = environment
  return path !== undefined && basename(path) === 'npm-cli.js'
    ? [node ?? process.execPath, path]
    : ['npm']
}

/** One line that counts seconds; without a terminal, one line at the start and one at the end. */
const createTicker = (text, stream) => {
  const startedMs = performance.now()
  const seconds = () => Math.round((performance.now() - startedMs) / 1000)
  const draw = () => stream.write(`\r${text}, ${seconds()} s `)
  if (!stream.isTTY) stream.write(`${text} ...\n`)
  const timer = stream.isTTY ? setInterval(draw, 1000) : undefined
  if (stream.isTTY) draw()
  return {
    end: (result) => {
      clearInterval(timer)
      stream.write(`${stream.isTTY ? '\r\u001b[2K' : ''}${result} after ${seconds()} s\n`)
    },
  }
}

const stderrCharactersMax = 8000

const runNpm = async (root) => {
  const [command, ...before] = npmCommand(process.env)
  const ticker = createTicker('Installing packages', process.stderr)
  let complaint = ''
  const listen = (_stop, child) => {
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      complaint = (complaint + text).slice(-stderrCharactersMax)
    })
  }
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] }
  const args = [...before, 'ci', ...flags, ...includes]
  const { code, stopped, fault } = await runChild(command, args, options, listen)
  ticker.end(code === 0 ? 'Packages installed' : 'Installing packages failed')
  if (code !== 0 && !stopped) process.stderr.write(fault === null ? complaint : `${fault}\n`)
  return code
}

/**
 * Installs what the lock file wants, unless it is there. Processes that start together install
 * once.
 * @param {string} root
 * @returns {Promise<number>} npm's exit code; 0 also if there was nothing to do
 */
export const ensureInstalled = async (root) => {
  if (isInstalled(root)) return 0
  const install = async () => {
    if (isInstalled(root)) return 0
    const code = await runNpm(root)
    if (code === 0) writeStamp(root)
    return code
  }
  const reportWait = () => process.stderr.write('Another process installs the packages: waiting\n')
  return withLock(join(root, 'data', 'install.lock'), install, reportWait)
}
