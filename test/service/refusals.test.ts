import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { NetworkFile } from '../../sandbox/network-file.ts'
import { launch, writeNetworkFile } from './launch.ts'
import { baseUrl, sandboxDir } from './shared.ts'

/*
 * A command that cannot work exits at once with one line: exit code 2 for invalid input, 1 for a
 * failure at run time.
 */

const root = mkdtempSync(join(tmpdir(), 'stockpools-refusals-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
const newDirectory = (): string => {
  count += 1
  const directory = join(root, String(count))
  mkdirSync(directory)
  return directory
}

const canary = 'c4n4ry'

const expectRefusal = async (
  args: readonly string[],
  directory: string,
  expected: { readonly code: number; readonly line: string },
): Promise<void> => {
  const { code, stdout, stderr } = await launch(args, { directory }).ended
  expect(stderr).toMatch(/^stockpools: [^\n]+\n$/)
  expect(stderr).toContain(expected.line)
  expect(code).toBe(expected.code)
  expect(stdout + stderr).not.toContain(canary)
}

type Change = (file: NetworkFile) => unknown

describe.concurrent('an invalid network file', () => {
  test.for<readonly [string, Change, string]>([
    [
      'an unknown key',
      (file) => ({ ...file, poolsUrl: canary }),
      'network.json: poolsUrl: unknown key',
    ],
    [
      'an unknown key deep inside',
      (file) => {
        const [first, ...others] = file.stocks.tokens
        const tokens = [{ ...first, adress: canary }, ...others]
        return { ...file, stocks: { ...file.stocks, tokens } }
      },
      'stocks.tokens[0].adress: unknown key',
    ],
    ['a missing key', ({ name: _, ...file }) => file, 'network.json: name: missing'],
    [
      'a wrong address',
      (file) => ({ ...file, wrappedNative: `0x${canary}` }),
      'wrappedNative: expected',
    ],
    ['no endpoint', (file) => ({ ...file, rpcUrls: [] }), 'rpcUrls: empty'],
    ['a list instead of it', () => [canary], 'network.json: expected'],
  ])('%s', async ([_name, change, line]) => {
    const directory = newDirectory()
    const path = writeNetworkFile(directory, sandboxDir, change)
    await expectRefusal(['start', '--network', path], directory, { code: 2, line })
  })

  test('no JSON', async () => {
    const directory = newDirectory()
    writeFileSync(join(directory, 'network.json'), `{"name": "${canary}",`)
    const line = './network.json: not valid JSON'
    await expectRefusal(['start', '--network', './network.json'], directory, { code: 2, line })
  })

  test('a directory', async () => {
    const directory = newDirectory()
    const line = '--network: cannot read "./"'
    await expectRefusal(['index', '--network', './'], directory, { code: 2, line })
  })
})

describe.concurrent('failures at run time', () => {
  test('the chain is not the one of the file', async () => {
    const directory = newDirectory()
    const path = writeNetworkFile(directory, sandboxDir, (file) => ({ ...file, chainId: 4242 }))
    const args = ['start', '--network', path, '--port', '0', '--store', 'sqlite:./other.db']
    await expectRefusal(args, directory, { code: 1, line: '4242' })
  })

  test.for(['start', 'api'])('%s at a port that is in use', async (role) => {
    const directory = newDirectory()
    const path = writeNetworkFile(directory, sandboxDir)
    const { port } = new URL(baseUrl)
    const store = role === 'start' ? './own.db' : join(sandboxDir, '../sandbox.db')
    const args = [role, '--network', path, '--store', `sqlite:${store}`, '--port', port]
    const line = `cannot listen on 127.0.0.1:${port}: the port is in use`
    await expectRefusal(args, directory, { code: 1, line })
    expect(readdirSync(directory)).toEqual(['network.json'])
  })

  test.for(['start', 'index'])('%s on a store that another process writes', async (role) => {
    const directory = newDirectory()
    const path = writeNetworkFile(directory, sandboxDir)
    const store = join(sandboxDir, '../sandbox.db')
    const args = [role, '--network', path, '--store', `sqlite:${store}`]
    const withPort = role === 'index' ? args : [...args, '--port', '0']
    const line = `store ${store} is in use by process `
    await expectRefusal(withPort, directory, { code: 1, line })
  })

  test('restore into a store that another process writes', async () => {
    const directory = newDirectory()
    const store = join(sandboxDir, '../sandbox.db')
    const line = `store ${store} is in use by process `
    const args = ['restore', '--store', `sqlite:${store}`, 'backup.gz']
    await expectRefusal(args, directory, { code: 1, line })
  })

  test.for([['start', '--port', '0'], ['index']])(
    '%s at a place where no store can be made',
    async (args) => {
      const directory = newDirectory()
      writeFileSync(join(directory, 'file'), '')
      const store = ['--store', 'sqlite:./file/own.db']
      const line = 'store ./file/own.db cannot be created'
      await expectRefusal([...args, ...store], directory, { code: 1, line })
      expect(readdirSync(directory)).toEqual(['file'])
    },
  )

  test.for(['start', 'index', 'api'])('%s on a store that is none', async (role) => {
    const directory = newDirectory()
    const path = writeNetworkFile(directory, sandboxDir)
    writeFileSync(join(directory, 'text.db'), 'something else, and long enough to be looked at\n')
    const args = [role, '--network', path, '--store', 'sqlite:./text.db']
    const withPort = role === 'index' ? args : [...args, '--port', '0']
    const line = 'store ./text.db is not a SQLite database'
    await expectRefusal(withPort, directory, { code: 1, line })
  })

  test('api without a store', async () => {
    const directory = newDirectory()
    const path = writeNetworkFile(directory, sandboxDir)
    const args = ['api', '--network', path, '--port', '0']
    const line = 'store ./data/sandbox.db cannot be opened'
    await expectRefusal(args, directory, { code: 1, line })
  })

  test('api of a sandbox that was never started', async () => {
    const line = 'no sandbox is running here'
    await expectRefusal(['api', '--port', '0'], newDirectory(), { code: 1, line })
  })

  test('a host of another machine', async () => {
    const directory = newDirectory()
    const path = writeNetworkFile(directory, sandboxDir)
    const store = `sqlite:${join(sandboxDir, '../sandbox.db')}`
    const args = ['api', '--network', path, '--store', store, '--host', '192.0.2.1', '--port', '0']
    const line = 'cannot listen on 192.0.2.1:0: this machine has no such address'
    await expectRefusal(args, directory, { code: 1, line })
  })
})
