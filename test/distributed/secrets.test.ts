import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, stop, writeNetworkFile } from '../service/launch.ts'
import { sandboxDir } from '../service/shared.ts'
import { type PostgresServer, queryAt, startPostgres } from '../setup/postgres.ts'
import type { Running } from '../setup/processes.ts'
import { layProxy } from '../setup/tcp-proxy.ts'
import { type Api, clientOf, untilSaid } from './clients.ts'
import { eventually, patience } from './house.ts'

/*
 * A database's password comes in by the URL, by a variable or by a file, and comes out nowhere:
 * not in what is printed, not in a reply, not in the list of processes.
 */

const canary = 'c4n4ry'
const directory = mkdtempSync(join(tmpdir(), 'stockpools-secrets-'))
let postgres: PostgresServer
let network = ''

beforeAll(async () => {
  network = writeNetworkFile(directory, sandboxDir)
  postgres = await startPostgres()
  await postgres.query(`ALTER USER stockpools PASSWORD '${canary}'`)
})

afterAll(async () => {
  await postgres?.dispose()
  rmSync(directory, { recursive: true, force: true })
})

const urlWith = (password: string, port = postgres.port): string => {
  const url = new URL(postgres.url)
  return Object.assign(url, { password, port: String(port) }).href
}

const argsOf = (role: string) => [role, '--network', network]

/** What other users of the machine see of a process; null if that is unknown. */
const titleOf = ({ child }: Running): string | null => {
  const path = `/proc/${child.pid}/cmdline`
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

const expectQuiet = async (running: Running): Promise<void> => {
  const { stdout, stderr } = await running.ended
  expect(stdout + stderr).not.toContain(canary)
}

describe('errors that a retry would not fix end the process with one line', () => {
  test.each<readonly [string, () => string, string]>([
    ['a wrong password', () => urlWith(`${canary}x`), 'does not accept this password'],
    [
      'no such database',
      () => urlWith(canary).replace(/postgres$/, 'none'),
      'has no such database',
    ],
  ])('%s', async (_, urlOf, said) => {
    for (const role of ['index', 'api']) {
      const args = [...argsOf(role), '--store', urlOf()]
      const { code, stderr, stdout } = await launch(args, { directory }).ended
      expect([code, stderr]).toEqual([1, `stockpools: store 127.0.0.1:${postgres.port} ${said}\n`])
      expect(stdout).not.toContain(canary)
    }
  })
})

test.each(['index', 'api', 'start'])('%s waits for a database that is away', async (role) => {
  const gone = await layProxy(postgres.url)
  await gone.cut()
  const args = [...argsOf(role), '--store', urlWith(canary, gone.port)]
  const running = launch([...args, ...(role === 'index' ? [] : ['--port', '0'])], { directory })
  await untilSaid(running, /Store is unavailable, waiting for it/)
  if (role !== 'index') {
    const api: Api = await clientOf(running)
    expect((await api.ask('/healthz')).status).toBe(200)
    expect((await api.ask('/readyz')).status).toBe(503)
    expect((await api.ask('/api/v1/pools')).status).toBe(503)
    const replies = await Promise.all(['/api/v1/status', '/metrics'].map((path) => api.ask(path)))
    for (const { status, text } of replies) {
      expect(status).toBe(200)
      expect(text).not.toContain(canary)
    }
  }
  const title = titleOf(running)
  if (title !== null) expect(title).not.toContain(canary)
  expect(await stop(running)).toBe(0)
  await expectQuiet(running)
})

/** Connections of ours that the database has let in. */
const readLetIn = async (): Promise<number> => {
  const sql = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE application_name LIKE 'stockpools%'`
  const [row] = await queryAt(urlWith(canary), sql)
  return Number(row?.count)
}

test.each([
  ['PGPASSWORD', () => ({ PGPASSWORD: canary, STOCKPOOLS_STORE: urlWith('') })],
  [
    'a file',
    () => {
      writeFileSync(join(directory, 'password'), `${canary}\n`, { mode: 0o600 })
      return { STOCKPOOLS_STORE: `${urlWith('')}?passwordfile=password` }
    },
  ],
])('a password may come from %s', async (_, environmentOf) => {
  const environment = environmentOf()
  const running = launch([...argsOf('api'), '--port', '0'], { directory, environment })
  await untilSaid(running, /API listening on/)
  await eventually(readLetIn, (count) => count > 0, patience)
  expect(await stop(running)).toBe(0)
  expect((await running.ended).stderr).toBe('')
  await expectQuiet(running)
})
