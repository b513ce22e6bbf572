import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { startProcess } from '../../test/setup/processes.ts'
import { optionNames, options } from '../config/options.ts'

const cli = fileURLToPath(new URL('cli.ts', import.meta.url))

const stockpools = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  startProcess(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH, ...environment },
  }).ended

const commands = 'start, index, api, backup, restore, export, verify or --help'

// Invalid input: one line that names it on stderr, and exit code 2.
test.each<readonly [readonly string[], NodeJS.ProcessEnv, string]>([
  [[], {}, `no command: expected ${commands}`],
  [['stop'], {}, `unknown command "stop": expected ${commands}`],
  [['start', '--prot', '1'], {}, 'unknown flag "--prot"'],
  [['api', '--port=x'], {}, '--port: expected an integer from 0 to 65535, got "x"'],
  [
    ['index'],
    { STOCKPOOLS_POLL_MS: '5' },
    'STOCKPOOLS_POLL_MS: expected an integer from 50 to 60000, got "5"',
  ],
  [['start', '--network', './none.json'], {}, '--network: cannot read "./none.json": no such file'],
  [['backup', 'file'], {}, 'backup: expected --store or STOCKPOOLS_STORE'],
  [['restore', '--store', 'sqlite:a.db'], {}, 'restore: expected a file name, or - for a pipe'],
  [['backup', '--store=sqlite:a.db', 'a', 'b'], {}, 'unexpected argument "b"'],
  [['restore', '--store', 'sqlite:a.db', '-', '--port', '1'], {}, 'unknown flag "--port"'],
  [['backup', '-', '--store'], {}, '--store: expected a value'],
  [
    ['export', '--store', 'sqlite:a.db', 'a.gz'],
    {},
    '`export` is now `backup`: stockpools backup "a.gz"',
  ],
  [['export', '-'], {}, '`export` is now `backup`: stockpools backup -'],
  [['import', 'a.gz'], {}, '`import` is now `restore`: stockpools restore "a.gz"'],
  [['import', '--help'], {}, '`import` is now `restore`: stockpools restore <file>'],
  [['import', 'postgres://a:c4n4ry@b/c'], {}, '`import` is now `restore`: stockpools restore'],
  [
    ['backup', '-'],
    { STOCKPOOLS_STORE: 'sqlite::memory:' },
    'STOCKPOOLS_STORE: expected a store on disk, an in-memory store cannot be shared',
  ],
  [
    ['start', '--rpc', 'https://a.example', 'https://b.example/c4n4ry'],
    {},
    'unexpected argument "b.example',
  ],
])('%j %j', async (args, environment, line) => {
  const { code, stdout, stderr } = await stockpools(args, environment)
  expect(stderr).toMatch(/^stockpools: .*\n$/)
  expect(stderr).toContain(line)
  expect(stderr).not.toContain('c4n4ry')
  expect([code, stdout]).toEqual([2, ''])
})

test('--help names the commands, and each command explains every option', async () => {
  const overview = await stockpools(['--help'])
  expect(overview).toMatchObject({ code: 0, stderr: '' })
  for (const command of ['start', 'index', 'api']) {
    expect(overview.stdout).toContain(`\n  ${command} `)
    const help = await stockpools([command, '--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const name of optionNames) {
      const { flag, environment, defaultText } = options[name]
      expect(help.stdout).toContain(`  ${flag} `)
      expect(help.stdout).toContain(`(${environment}; default: ${defaultText})`)
    }
    expect(Math.max(...help.stdout.split('\n').map((line) => line.length))).toBeLessThan(100)
  }
})

test.each(['backup', 'restore'])('%s --help explains what it takes', async (command) => {
  const help = await stockpools([command, '--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const text of ['<file>', '.gz', '--store', '(STOCKPOOLS_STORE; required)', '--log-level']) {
    expect(help.stdout).toContain(text)
  }
  expect(help.stdout).not.toContain('--port')
})

test('--version is the version of the package', async () => {
  for (const args of [['--version'], ['start', '--version']]) {
    const { code, stdout } = await stockpools(args)
    expect([code, stdout]).toEqual([0, `${packageJson.version}\n`])
  }
})
