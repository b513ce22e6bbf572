import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { isRoot, makePostgresFolder, preparePostgres, runAs } from './postgres-program.ts'

/** A real PostgreSQL on a port of its own, with a password, in a folder that goes with it. */
export type PostgresServer = {
  readonly port: number
  /** Of the database `postgres`, with its user and password. */
  readonly url: string
  readonly directory: string
  /** Runs one statement in the database `postgres`. */
  readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** A new, empty database; its URL. */
  readonly createDatabase: () => Promise<string>
  /** As if the power failed: SIGKILL; the connections break. What was committed stays. */
  readonly kill: () => Promise<void>
  /** After `kill` or `halt`, on the same port. */
  readonly start: () => Promise<void>
  /** In order: connections are ended. */
  readonly halt: () => Promise<void>
  /** Ends it and removes its folder. */
  readonly dispose: () => Promise<void>
}

const user = 'stockpools'
/** Takes a second; only what never comes is to fail on a machine that is very busy. */
const readyMsMax = 120_000

/** Small, and quick rather than safe from a power cut: a killed process loses nothing by it. */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=32MB',
  'max_connections=60',
  'fsync=off',
  'wal_level=replica',
  'max_wal_senders=4',
  'wal_keep_size=64MB',
  'log_min_messages=fatal',
]

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export const queryAt = async (url: string, sql: string) => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: readyMsMax })
  // A server that is killed breaks its connections; that is for the caller of `query` to see.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows as readonly Readonly<Record<string, unknown>>[]
  } finally {
    await client.end().catch(() => {})
  }
}

/** What a killed server's processes, which end a moment later, still hold. */
const heldByTheDead = /pre-existing shared memory block|lock file .* already exists/

type Started = { readonly child: ChildProcess; readonly said: () => string }

/** Polls until it answers; starts it again while its predecessor is not quite gone. */
const untilReady = async (url: string, spawnOne: () => Started): Promise<ChildProcess> => {
  let { child, said } = spawnOne()
  for (let waitedMs = 0; waitedMs < readyMsMax; waitedMs += 50) {
    if (child.exitCode !== null) {
      if (!heldByTheDead.test(said())) throw new Error(`PostgreSQL ended: ${said()}`)
      ;({ child, said } = spawnOne())
    }
    try {
      await queryAt(url, 'SELECT 1')
      return child
    } catch {
      await sleep(50)
    }
  }
  throw new Error(`PostgreSQL was not ready after ${readyMsMax} ms: ${said()}`)
}

type Made = {
  readonly directory: string
  readonly data: string
  readonly password: string
  readonly program: ReturnType<typeof preparePostgres>
}

const serverOnFreePort = async (
  { directory, data, password, program }: Made,
  extra: readonly string[],
): Promise<PostgresServer> => {
  const port = await freePort()
  const urlOf = (name: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${name}`
  const url = urlOf('postgres')
  const env = { ...process.env, LD_LIBRARY_PATH: program.libraries, LC_ALL: 'C' }
  let child: ChildProcess | null = null
  let databases = 0
  const args = [...settings, ...extra].flatMap((setting) => ['-c', setting])
  const spawnOne = (): Started => {
    let said = ''
    const spawned = spawn(program.postgres, ['-D', data, '-p', String(port), ...args], {
      ...runAs,
      env,
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    spawned.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4000)
    })
    return { child: spawned, said: () => said }
  }
  const start = async () => {
    child = await untilReady(url, spawnOne)
  }
  const end = async (signal: NodeJS.Signals) => {
    const ending = child
    child = null
    if (ending === null || ending.exitCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill(signal)
    await ended
  }
  await start()
  return {
    port,
    url,
    directory,
    start,
    query: (sql) => queryAt(url, sql),
    createDatabase: async () => {
      databases += 1
      const name = `d${databases}_${randomBytes(4).toString('hex')}`
      await queryAt(url, `CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    kill: () => end('SIGKILL'),
    // SIGINT is "fast": it does not wait for clients to leave.
    halt: () => end('SIGINT'),
    dispose: async () => {
      await end('SIGINT')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const portTries = 3

/** A port that was free a moment ago may be taken when PostgreSQL asks for it. */
const serverOf = async (made: Made, extra: readonly string[]): Promise<PostgresServer> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await serverOnFreePort(made, extra)
    } catch (fault) {
      if (tries === portTries) throw fault
    }
  }
}

/** Starts one; `extra` are settings as `name=value`. */
export const startPostgres = async (extra: readonly string[] = []): Promise<PostgresServer> => {
  const directory = makePostgresFolder()
  const program = preparePostgres(directory)
  const password = randomBytes(12).toString('hex')
  const data = join(directory, 'data')
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, password)
  if (isRoot) chownSync(directory, runAs.uid ?? 0, runAs.gid ?? 0)
  const args = ['-D', data, '-U', user, '-E', 'UTF8', '--locale=C', '--no-sync']
  const secret = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  execFileSync(program.initdb, [...args, ...secret], {
    ...runAs,
    env: { ...process.env, LD_LIBRARY_PATH: program.libraries, LC_ALL: 'C' },
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return serverOf({ directory, data, password, program }, extra)
}

/** A streaming replica of `primary`, which answers reads: a copy of its files, then its log. */
export const startReplica = async (primary: PostgresServer): Promise<PostgresServer> => {
  const directory = makePostgresFolder()
  const program = preparePostgres(directory)
  const data = join(directory, 'data')
  const { password } = new URL(primary.url)
  const client = new Client({ connectionString: primary.url })
  await client.connect()
  await client.query("SELECT pg_backup_start('replica', true)")
  const skipped = ['postmaster.pid', 'postmaster.opts', 'pg_wal/', 'pg_replslot/']
  const from = join(primary.directory, 'data')
  cpSync(from, data, {
    recursive: true,
    filter: (path) => !skipped.some((name) => `${path.slice(from.length + 1)}`.startsWith(name)),
  })
  const stopped = await client.query('SELECT labelfile, spcmapfile FROM pg_backup_stop(false)')
  await client.end()
  writeFileSync(join(data, 'backup_label'), stopped.rows[0].labelfile)
  writeFileSync(join(data, 'standby.signal'), '')
  const link = `host=127.0.0.1 port=${primary.port} user=${user} password=${password}`
  if (isRoot) execFileSync('chown', ['-R', `${runAs.uid}:${runAs.gid}`, directory])
  execFileSync('chmod', ['-R', 'u=rwX,go=', data])
  return serverOf({ directory, data, password, program }, [`primary_conninfo=${link}`])
}
