import { afterAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../../test/setup/postgres.ts'
import { checkConnection, classifyConnectError } from './connection-check.ts'
import { isInDoubt } from './write-errors.ts'

/*
 * What is said when a database is asked for the first time: `refused` is a mistake that somebody
 * must mend, `away` passes by itself.
 */

const canary = 'c4n4ry'
const postgres = await startPostgres()
afterAll(postgres.dispose)

const changed = (change: (url: URL) => void): string => {
  const url = new URL(postgres.url)
  change(url)
  return url.href
}

test('one that answers is reached', async () => {
  expect(await checkConnection(postgres.url)).toEqual({ kind: 'reached' })
})

// what is wrong -> what is said
test.each<readonly [string, (url: URL) => void, RegExp]>([
  ['password', (url) => Object.assign(url, { password: canary }), /does not accept this password/],
  ['database', (url) => Object.assign(url, { pathname: '/none' }), /has no such database/],
  ['user', (url) => Object.assign(url, { username: 'nobody' }), /does not accept this password/],
  ['no TLS', (url) => url.searchParams.set('sslmode', 'verify-full'), /does not support SSL/],
])('a wrong %s is refused', async (_, change, said) => {
  const reach = await checkConnection(changed(change))
  expect(reach).toMatchObject({ kind: 'refused', fault: expect.stringMatching(said) })
  expect(JSON.stringify(reach)).not.toContain(canary)
})

test.each<readonly [string, (url: URL) => void]>([
  ['port where nobody listens', (url) => Object.assign(url, { port: '1' })],
  ['host that has no address', (url) => Object.assign(url, { hostname: 'no-host.invalid' })],
])('behind a %s it is away', async (_, change) => {
  const reach = await checkConnection(changed(change))
  expect(reach).toMatchObject({ kind: 'away', fault: expect.stringMatching(/^cannot be reached/) })
  expect(JSON.stringify(reach)).not.toContain(new URL(postgres.url).password)
})

test('one that is only starting is away', () => {
  const error = Object.assign(new Error('the database system is starting up'), { code: '57P03' })
  expect(classifyConnectError(error).kind).toBe('away')
})

describe('of a write that failed', () => {
  const failed = (code?: string) =>
    Object.assign(new Error('no'), code === undefined ? {} : { code })

  // SQLSTATE or system code -> whether it may be stored all the same
  test.each([
    ['23505', false],
    ['40001', false],
    ['53100', false],
    ['25006', false],
    ['57014', false],
    ['57P01', true],
    ['08006', true],
    ['ECONNRESET', true],
    ['EPIPE', true],
    [undefined, true],
  ])('%s: in doubt is %s', (code, inDoubt) => {
    expect(isInDoubt(failed(code))).toBe(inDoubt)
  })
})
