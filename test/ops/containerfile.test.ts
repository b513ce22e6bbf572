import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { untilPrinted } from '../service/launch.ts'
import { startProcess } from '../setup/processes.ts'
import {
  context,
  copy,
  environmentOf,
  pathIn,
  readStages,
  type Stage,
  textsOf,
} from './containerfile.ts'

/*
 * Runs each stage of ops/Containerfile in a folder that contains only what its COPY lines name.
 * There is no container here, so `npm ci` links the packages that it would install, and the user
 * stays the same.
 */

const stages = readStages('ops/Containerfile')
const last = stages.at(-1) as Stage
const folders = mkdtempSync(join(tmpdir(), 'stockpools-image-'))
afterAll(() => rmSync(folders, { recursive: true, force: true }))

type LockedPackage = { readonly dev?: true; readonly optional?: true; readonly devOptional?: true }
const { packages } = JSON.parse(readFileSync(join(context, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** `npm ci`, with links to the packages that are installed here. */
const installPackages = (app: string, command: string): void => {
  const isLeftOut = ({ dev, optional, devOptional }: LockedPackage) =>
    (command.includes('--omit=dev') && (dev ?? devOptional) === true) ||
    (command.includes('--omit=optional') && optional === true)
  for (const [path, locked] of Object.entries(packages)) {
    const isOnTop = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)
    if (!isOnTop || isLeftOut(locked)) continue
    mkdirSync(dirname(join(app, path)), { recursive: true })
    symlinkSync(join(context, path), join(app, path))
  }
}

const workdirOf = (stage: Stage): string => textsOf(stage, 'WORKDIR')[0] ?? '/'

/** The commands of the machine, except one that needs privileges and changes no content. */
const commands = join(folders, 'commands')
mkdirSync(commands)
writeFileSync(join(commands, 'chown'), '#!/bin/sh\n', { mode: 0o755 })
const path = [commands, dirname(process.execPath), process.env.PATH].join(delimiter)

const environmentIn = (stage: Stage): NodeJS.ProcessEnv => ({ PATH: path, ...environmentOf(stage) })

const build = (stage: Stage): void => {
  const app = pathIn(folders, stage.name, workdirOf(stage))
  mkdirSync(app, { recursive: true })
  for (const { name, text } of stage.instructions) {
    if (name === 'COPY') copy(folders, stage, workdirOf(stage), text)
    if (name !== 'RUN') continue
    if (text.startsWith('npm ci')) installPackages(app, text)
    else execFileSync('sh', ['-c', text], { cwd: app, env: environmentIn(stage), stdio: 'pipe' })
  }
}

beforeAll(() => {
  for (const stage of stages) build(stage)
})

const app = pathIn(folders, last.name, workdirOf(last))
const [command = '', ...entry] = JSON.parse(textsOf(last, 'ENTRYPOINT')[0] ?? '[]') as string[]

const start = (args: readonly string[]) =>
  startProcess(command, [...entry, ...args], { cwd: app, env: environmentIn(last) })

test('the image answers commands of the command line', async () => {
  const { code, stdout, stderr } = await start(['--help']).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('stockpools <command>')
})

test('the image serves the API and the dashboard', async () => {
  const network = JSON.parse(readFileSync(join(app, 'src/networks/robinhood.json'), 'utf8'))
  const stocks = { ...network.stocks, registryUrl: null }
  // No endpoint serves this chain: every request fails, and none leaves the machine.
  const offline = { ...network, rpcUrls: ['http://127.0.0.1:9'], stocks, quoteSources: [] }
  writeFileSync(join(app, 'data/offline.json'), JSON.stringify({ ...offline, screener: null }))
  const [verb = ''] = JSON.parse(textsOf(last, 'CMD')[0] ?? '[]') as string[]
  const service = start([verb, '--network', 'data/offline.json', '--port', '0'])
  onTestFinished(async () => {
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
  })
  const port = await untilPrinted(service, /API listening on [\w.:[\]]*:(\d+),/)
  const get = (target: string) => fetch(`http://127.0.0.1:${port}${target}`)
  expect((await get('/healthz')).status).toBe(200)
  expect(await (await get('/api/v1/health')).json()).toHaveProperty('methodologyVersion')
  const page = await get('/')
  expect(page.headers.get('content-type')).toContain('text/html')
  expect((await get('/dashboard/app.js')).status).toBe(200)
})
