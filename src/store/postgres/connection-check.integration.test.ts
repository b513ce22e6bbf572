import { afterAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../../test/setup/postgres.ts'
import { checkConnection, classifyConnectError } from './connection-check.ts'
import { isInDoubt } from './write-errors.ts'

/*
 * The result of the first connection to a database: `refused` needs a change of the configuration,
 * `away` may pass by itself.
 */

const canary = 'c4n4ry'
const postgres = await startPostgres()
afterAll(postgres.dispose)

const changed = (change: (url: URL) => void): string => {
  const url = new URL(postgres.url)
  change(url)
  return url.href
}

test('reaches a database that answers', async () => {
  expect(await checkConnection(postgres.url)).toEqual({ kind: 'reached' })
})

// what is wrong -> error text
test.each<readonly [string, (url: URL) => void, RegExp]>([
  ['password', (url) => Object.assign(url, { password: canary }), /does not accept this password/],
  ['database', (url) => Object.assign(url, { pathname: '/none' }), /has no such database/],
  ['user', (url) => Object.assign(url, { username: 'stranger' }), /does not accept this password/],
  ['no TLS', (url) => url.searchParams.set('sslmode', 'verify-full'), /does not support SSL/],
])('reports a wrong %s as refused', async (_, change, said) => {
  const reach = await checkConnection(changed(change))
  expect(reach).toMatchObject({ kind: 'refused', fault: expect.stringMatching(said) })
  expect(JSON.stringify(reach)).not.toContain(canary)
})

test.each<readonly [string, (url: URL) => void]>([
  ['closed port', (url) => Object.assign(url, { port: '1' })],
  ['host without an address', (url) => Object.assign(url, { hostname: 'no-host.invalid' })],
])('reports a %s as away', async (_, change) => {
  const reach = await checkConnection(changed(change))
  expect(reach).toMatchObject({ kind: 'away', fault: expect.stringMatching(/^cannot be reached/) })
  expect(JSON.stringify(reach)).not.toContain(new URL(postgres.url).password)
})

test('reports a server that is still starting as away', () => {
  const error = Object.assign(new Error('the database system is starting up'), { code: '57P03' })
  expect(classifyConnectError(error).kind).toBe('away')
})

describe('isInDoubt', () => {
  const failed = (code?: string) =>
    Object.assign(new Error('no'), code === undefined ? {} : { code })

  // SQLSTATE or system code -> whether the failed write may be stored nevertheless
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
