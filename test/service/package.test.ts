import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NetworkFile } from '../../sandbox/network-file.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { type Ended, startProcess } from '../setup/processes.ts'
import { eventually, type Page } from './api.ts'
import { clientOf, stop, writeNetworkFile } from './launch.ts'
import { baseUrl, sandboxDir } from './shared.ts'

/*
 * The package as its users get it: packed by `npm pack`, installed into an empty folder, with
 * nothing of the repository in reach.
 */

const repository = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'stockpools-package-'))
const command = join(folder, 'node_modules', 'stockpools', 'bin', 'stockpools.mjs')
/** The Node that the user has, which may be older, and the one that the tests run on. */
const nodes = [...new Set([process.env.npm_node_execpath ?? process.execPath, process.execPath])]
const env = { PATH: process.env.PATH, HOME: process.env.HOME }

const run = (program: string, args: readonly string[], cwd = folder): Promise<Ended> =>
  startProcess(program, args, { cwd, env }).ended

const succeed = async (...given: Parameters<typeof run>): Promise<string> => {
  const { code, stdout, stderr } = await run(...given)
  if (code !== 0) throw new Error(`${given[0]} ${given[1].join(' ')}: ${code}\n${stdout}${stderr}`)
  return stdout
}

const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeAll(async () => {
  await succeed('npm', ['pack', '--pack-destination', folder], repository)
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  write('package.json', '{ "type": "module" }')
  await succeed('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `${tarball}`])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package has what it needs and says what it is made of', () => {
  const files = readdirSync(join(folder, 'node_modules/stockpools'), { recursive: true }).map(
    String,
  )
  for (const path of ['README.md', 'LICENSE', 'lib/networks/base.json', 'lib/client/types.d.ts']) {
    expect(files).toContain(path)
  }
  expect(files).toContain('dist/dashboard/LICENSES.txt')
  const foreign = files.filter((path) => /\.test\.|\.sol$|^(src|sandbox|test|bench)\//.test(path))
  expect(foreign).toEqual([])
})

test.each(nodes)('%s serves a network file, which is verified and exported', async (node) => {
  const network = writeNetworkFile(folder, sandboxDir)
  const store = `sqlite:./${nodes.indexOf(node)}.db`
  const args = ['--network', network, '--store', store, '--port', '0', '--rate-limit', '0']
  const service = startProcess(node, [command, 'start', ...args], { cwd: folder, env })
  try {
    const api = await clientOf(service)
    expect((await api.ask('/')).text).toContain('stockpools')
    const { items } = await eventually(
      () => api.read<Page<PoolView>>('/api/v1/pools?limit=1'),
      (page) => page.items.length > 0,
    )
    const { rpcUrls } = JSON.parse(readFileSync(network, 'utf8')) as NetworkFile
    const given = ['--rpc', `${rpcUrls[0]}`, '--api', api.baseUrl, '--network', network]
    const verified = await run(node, [command, 'verify', `${items[0]?.id}`, ...given])
    expect(`${verified.stdout}${verified.stderr}`).toContain('equal')
    expect(verified.code).toBe(0)
    const out = ['--store', store, '--out', `files-${nodes.indexOf(node)}`]
    const exported = [command, 'export', ...out, '--dataset', 'pools', '--format', 'parquet']
    expect(await succeed(node, exported)).toContain('Completed the export')
  } finally {
    expect(await stop(service)).toBe(0)
  }
})

test('without a network it says in one line how to get one', async () => {
  const { code, stdout, stderr } = await run('npx', ['stockpools', 'start'])
  expect([code, stdout]).toEqual([1, ''])
  const lines = stderr.split('\n').filter((line) => line.startsWith('stockpools: '))
  expect(lines).toEqual([expect.stringMatching(/no sandbox.*--network robinhood.*npm start/)])
})

const consumer = `
  import { createClient } from 'stockpools/client'
  import { isApiError } from 'stockpools/client/api-error'
  import type { Pool } from 'stockpools/client/types'

  const client = createClient(${JSON.stringify(baseUrl)})
  const { items } = await client.pools({ limit: 2 })
  const symbols: readonly string[] = items.map((pool: Pool) => pool.stockSymbol)
  const fault: unknown = await client.pool('0x00').catch((error: unknown) => error)
  console.log(symbols.length, isApiError(fault))
`

test('TypeScript and Node use the client', async () => {
  write('consumer.ts', consumer)
  for (const module of ['nodenext', 'preserve']) {
    const options = { module, target: 'es2024', strict: true, outDir: module, types: [] }
    const compilerOptions = { ...options, lib: ['es2024', 'dom'] }
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const compiler = join(repository, 'node_modules/typescript/bin/tsc')
    await succeed(process.execPath, [compiler, '-p', folder])
  }
  for (const node of nodes) expect(await succeed(node, ['nodenext/consumer.js'])).toBe('2 true\n')
})

test('Vite bundles the client', async () => {
  write('consumer.ts', consumer)
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    build: {
      outDir: 'bundle',
      target: 'es2022',
      lib: { entry: 'consumer.ts', formats: ['es'], fileName: 'bundle' },
    },
  })
  expect(await succeed(process.execPath, ['bundle/bundle.js'])).toBe('2 true\n')
})
