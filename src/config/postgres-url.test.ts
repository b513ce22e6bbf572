import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { redactUrls } from '../util/redact.ts'
import { parsePostgresUrl } from './postgres-url.ts'

const canary = 'c4n4ry'

// what is written -> the host that is shown
test.each([
  [`postgres://user:${canary}@db.example/pools`, 'db.example'],
  [`postgresql://user:${canary}@db.example:6432/pools`, 'db.example:6432'],
  ['postgres://db.example/pools', 'db.example'],
  [`postgres://user:${canary}@[::1]:5432/pools`, '[::1]:5432'],
  ['postgres:///pools?host=/run/postgresql', 'local socket'],
  [`postgres://user:p%25${canary}@db/pools?application_name=a&options=-csearch_path%3Dx`, 'db'],
])('%s is shown as %s', (text, host) => {
  const parsed = parsePostgresUrl(text)
  if (!parsed.ok) throw new Error(parsed.fault)
  expect(parsed.value.host).toBe(host)
  expect(parsed.value.reveal()).toBe(text)
  const shown = [`${parsed.value}`, JSON.stringify(parsed), inspect(parsed, { depth: 5 })].join()
  expect(shown).toContain(host)
  expect(shown).not.toContain(canary)
})

test.each(['disable', 'require', 'verify-full'])('sslmode %s is read as psql reads it', (mode) => {
  const parsed = parsePostgresUrl(`postgres://db.example/pools?sslmode=${mode}`)
  expect(parsed.ok && parsed.value.reveal()).toContain(`sslmode=${mode}&uselibpqcompat=true`)
})

describe('a password may stand in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'stockpools-password-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text)
    return encodeURIComponent(join(directory, name))
  }

  test.each([
    ['plain', canary, canary],
    ['with the end of its line', `${canary}\n`, canary],
    ['of any characters', ` %:@/?#${canary} `, `%20%25%3A%40%2F%3F%23${canary}%20`],
  ])('%s', (name, text, encoded) => {
    const file = fileOf(name, text)
    const parsed = parsePostgresUrl(`postgres://user@db.example/pools?passwordfile=${file}`)
    if (!parsed.ok) throw new Error(parsed.fault)
    expect(parsed.value.reveal()).toBe(`postgres://user:${encoded}@db.example/pools`)
    expect(inspect(parsed, { depth: 5 })).not.toContain(canary)
  })

  test.each([
    [
      'is not there',
      'postgres://u@db/pools?passwordfile=none',
      'passwordfile "none": no such file',
    ],
    [
      'is beside another password',
      `postgres://u:${canary}@db/pools?passwordfile=none`,
      'expected a password or a passwordfile, not both',
    ],
  ])('one that %s is refused', (_, text, fault) => {
    expect(parsePostgresUrl(text)).toEqual({ ok: false, fault })
  })

  test('one that is empty is refused', () => {
    const file = fileOf('empty', '\n')
    expect(parsePostgresUrl(`postgres://u@db/pools?passwordfile=${file}`)).toMatchObject({
      fault: expect.stringMatching(/: the file is empty$/),
    })
  })
})

describe('a URL that would not do what it says is refused, in one line without secrets', () => {
  test.each([
    ['postgres://', 'expected one database, as in postgres://<host>/<database>'],
    ['postgres://db.example/', 'expected one database, as in postgres://<host>/<database>'],
    ['postgres://db.example/a/b', 'expected one database, as in postgres://<host>/<database>'],
    ['postgres://db .example/pools', 'expected postgres://<user>@<host>:<port>/<database>'],
    ['postgres://db.example:99999/pools', 'expected postgres://<user>@<host>:<port>/<database>'],
    ['postgres://one.example,two.example/pools', 'expected one host'],
    ['postgres:///pools', 'expected a host'],
    [`postgres://user:${canary}%@db.example/pools`, 'a % must be written %25'],
    [`postgres://user@db.example/pools#${canary}`, 'a # must be written %23'],
    [
      'postgres://db/pools?sslmode=no',
      'sslmode: expected one of disable, require, verify-ca, verify-full',
    ],
    ['postgres://db/pools?sslmode=verify-ca', 'sslmode verify-ca requires sslrootcert'],
    [
      'postgres://db/pools?target_session_attrs=read-write',
      'unknown parameter "target_session_attrs", expected one of ' +
        'application_name, host, options, passwordfile, sslcert, sslkey, sslmode, sslrootcert',
    ],
    ['postgres://db/pools?sslmode=require&sslmode=disable', 'parameter sslmode is given twice'],
  ])('%s', (text, fault) => {
    expect(parsePostgresUrl(text)).toEqual({ ok: false, fault })
    expect(redactUrls(fault)).toBe(fault)
  })
})
