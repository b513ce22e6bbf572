import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const packageFolder = fileURLToPath(new URL('../../clients/python', import.meta.url))
const pathOf = (script: string): string => fileURLToPath(new URL(script, import.meta.url))

/** Whether this machine has a Python that the client supports. */
export const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

/** Warnings are errors; nothing is written beside the sources. */
const flags = ['-B', '-W', 'error']
const environment = { ...process.env, PYTHONPATH: packageFolder, no_proxy: '127.0.0.1' }

const start = (args: readonly string[]) =>
  spawn('python3', [...flags, ...args], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })

/** What a script prints, as JSON. */
export const runPython = async (script: string, ...args: readonly string[]): Promise<unknown> => {
  const child = start([pathOf(script), ...args])
  let text = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk
  return JSON.parse(text)
}

/** The lines of JSON that a script prints until the test ends. */
export const listenInPython = (script: string, ...args: readonly string[]): readonly unknown[] => {
  const child = start([pathOf(script), ...args])
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: unknown[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)))
  return lines
}
