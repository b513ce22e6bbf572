import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { eventually, isAlive, startProcess } from './processes.ts'
import { createTemporaryClone, type TemporaryClone } from './temporary-clone.ts'

/*
 * npm -> sh -> bin/stockpools.mjs -> src/cli/cli.ts
 *
 * In place of the service stands a process that stops as the real one does and reports why.
 */

const stop = new URL('../../src/cli/stop.ts', import.meta.url).href
const service = `
  import { listenForStop } from ${JSON.stringify(stop)}
  import { appendFileSync } from 'node:fs'
  const record = (text) => appendFileSync('story', text + '\\n')
  const [wish] = process.argv.slice(2)
  if (wish === 'end') process.exit(7)
  if (wish === 'crash') process.kill(process.pid, 'SIGKILL')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => record(signal))
  const ended = listenForStop(() => process.exit(1))
  ended.addEventListener('abort', () => setTimeout(() => { record('ended'); process.exit(0) }, 100))
  setInterval(() => {}, 1000)
  console.log('service ' + process.pid)
`
const lock = { packages: { '': {} } }
const npmPackage = {
  name: 'clone',
  type: 'module',
  scripts: { start: 'node bin/stockpools.mjs start' },
}

let clone: TemporaryClone | null = null
afterEach(() => clone?.remove())

const installedClone = () =>
  createTemporaryClone({
    'package.json': npmPackage,
    'package-lock.json': lock,
    'node_modules/.package-lock.json': lock,
    'src/cli/cli.ts': service,
  })

const launch = (args: readonly string[], viaNpm = false) => {
  clone = installedClone()
  const { root } = clone
  const environment: NodeJS.ProcessEnv = { ...process.env, npm_lifecycle_event: undefined }
  const options = { cwd: root, env: environment, detached: true }
  const running = viaNpm
    ? startProcess('npm', ['start'], options)
    : startProcess(process.execPath, [join(root, 'bin', 'stockpools.mjs'), ...args], options)
  const story = () => readFileSync(join(root, 'story'), 'utf8').trim().split('\n')
  return { ...running, pid: running.child.pid ?? 0, story }
}

test('the exit code is passed on', async () => {
  expect((await launch(['end']).ended).code).toBe(7)
})

test('a service that was killed ends the launcher as a shell would', async () => {
  expect((await launch(['crash']).ended).code).toBe(128 + 9)
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s is handed on, once', async (signal) => {
  const { child, ended, says, story } = launch([])
  await says(/service \d+/)
  child.kill(signal)
  child.kill(signal)
  expect((await ended).code).toBe(0)
  expect(story()).toEqual([signal, 'ended'])
})

// A terminal's Ctrl-C goes to the whole group, and the launcher hands it on as well.
test('Ctrl-C for the whole group stops once', async () => {
  const { pid, ended, says, story } = launch([])
  await says(/service \d+/)
  process.kill(-pid, 'SIGINT')
  expect((await ended).code).toBe(0)
  expect(story().at(-1)).toBe('ended')
  expect(story().filter((line) => line === 'ended')).toHaveLength(1)
})

test('when the launcher is killed with -9 the service stops in order', async () => {
  const { pid, says, story } = launch([])
  const service = Number(await says(/service (\d+)/))
  process.kill(pid, 'SIGKILL')
  await eventually('the end of the service', () => !isAlive(service))
  expect(story()).toEqual(['ended'])
})

test('when npm is killed with -9 the launcher notices and the service stops in order', async () => {
  const { pid, says, story } = launch([], true)
  const service = Number(await says(/service (\d+)/))
  process.kill(pid, 'SIGKILL')
  await eventually('the end of the service', () => !isAlive(service))
  expect(story()).toEqual(['SIGTERM', 'ended'])
})

test('a launcher without packages that cannot install reports it and exits', async () => {
  clone = createTemporaryClone({ 'package-lock.json': lock, 'npm-cli.js': 'process.exit(3)' })
  const args = [join(clone.root, 'bin', 'stockpools.mjs'), 'start']
  const environment = { ...process.env, npm_execpath: join(clone.root, 'npm-cli.js') }
  const { code, stderr } = await startProcess(process.execPath, args, { env: environment }).ended
  expect(code).toBe(3)
  expect(stderr).toMatch(/^Installing packages \.\.\.\nInstalling packages failed after \d+ s\n$/)
})

// A stand-in for npm that takes its time, writes down its arguments, and leaves npm's record.
const npmStandIn = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
  appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
  mkdirSync('node_modules', { recursive: true })
  setTimeout(() => writeFileSync('node_modules/.package-lock.json', '{"packages":{}}'), 300)
`

test('launchers that start together install once, and then all start', async () => {
  clone = createTemporaryClone({
    'package.json': npmPackage,
    'package-lock.json': lock,
    'npm-cli.js': npmStandIn,
    'src/cli/cli.ts': service,
  })
  const { root } = clone
  const args = [join(root, 'bin', 'stockpools.mjs'), 'end']
  const environment = { ...process.env, npm_execpath: join(root, 'npm-cli.js') }
  const options = { cwd: root, env: environment }
  const ends = await Promise.all(
    [1, 2, 3].map(() => startProcess(process.execPath, args, options).ended),
  )
  expect(ends.map(({ code }) => code)).toEqual([7, 7, 7])
  expect(readFileSync(join(root, 'calls'), 'utf8')).toBe(
    'ci --ignore-scripts --no-audit --no-fund --loglevel=error --include=dev --include=optional\n',
  )
})
