import { expect, test } from 'vitest'
import { redactUrls } from '../util/redact.ts'
import { optionNames, options } from './options.ts'
import { parseOptions } from './parse-options.ts'

const integerFault = (min: number, max: number) => `expected an integer from ${min} to ${max}`

// One good text per option, as the flag and as the variable would carry it.
const goodTexts: readonly (readonly [keyof typeof options, string, unknown])[] = [
  ['network', 'robinhood', 'robinhood'],
  ['store', 'sqlite:./a b.db', { kind: 'sqlite', path: './a b.db' }],
  ['store', 'sqlite::memory:', { kind: 'memory' }],
  ['host', '0.0.0.0', '0.0.0.0'],
  ['host', '::1', '::1'],
  ['host', 'localhost', 'localhost'],
  ['port', '0', 0],
  ['port', '65535', 65_535],
  ['confirmations', '0', 0],
  ['historyDays', '2', 2],
  ['pollMs', '50', 50],
  ['pollMs', '60000', 60_000],
  ['rateLimit', '0', 0],
  ['trustedProxies', '10.0.0.0/8, ::1,192.168.1.1', ['10.0.0.0/8', '::1', '192.168.1.1']],
  ['logLevel', 'debug', 'debug'],
]

test.each(goodTexts)('%s takes %j', (name, text, value) => {
  const { flag, environment } = options[name]
  const expectations = [
    { args: [flag, text], env: {}, origin: flag },
    { args: [`${flag}=${text}`], env: {}, origin: flag },
    { args: [], env: { [environment]: text }, origin: environment },
  ]
  for (const { args, env, origin } of expectations) {
    expect(parseOptions(args, env)).toEqual({ ok: true, value: { [name]: { value, origin } } })
  }
})

const badTexts: readonly (readonly [keyof typeof options, string, string])[] = [
  ['port', '65536', integerFault(0, 65_535)],
  ['port', '8787.0', integerFault(0, 65_535)],
  ['port', '0x10', integerFault(0, 65_535)],
  ['port', '1e3', integerFault(0, 65_535)],
  ['port', '-1', integerFault(0, 65_535)],
  ['port', '080', integerFault(0, 65_535)],
  ['port', '٣', integerFault(0, 65_535)],
  ['confirmations', 'many', integerFault(0, 100_000)],
  ['historyDays', '1', integerFault(2, 3650)],
  ['pollMs', '49', integerFault(50, 60_000)],
  ['pollMs', '60001', integerFault(50, 60_000)],
  ['rateLimit', '9999999999', integerFault(0, 1_000_000)],
  ['logLevel', 'loud', 'expected one of debug, info, warn, error, silent'],
  ['host', 'a host', 'expected an IP address or a host name'],
]

test.each(badTexts)('%s refuses %j', (name, text, fault) => {
  const { flag, environment } = options[name]
  const got = `${fault}, got ${JSON.stringify(text)}`
  expect(parseOptions([`${flag}=${text}`], {})).toEqual({
    ok: false,
    fault: `${flag}: ${got}`,
  })
  expect(parseOptions([], { [environment]: text })).toEqual({
    ok: false,
    fault: `${environment}: ${got}`,
  })
})

test.each(['10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', 'loopback', '', '10.0.0.1,'])(
  'trusted proxies refuse %j',
  (text) => {
    const read = parseOptions([`--trusted-proxies=x,${text}`], {})
    expect(read.ok).toBe(false)
  },
)

// What may hold a credential is refused without being repeated.
test.each([
  ['--rpc=ftp://c4n4ry', '--rpc: expected an http or https URL'],
  ['--rpc=https://a.example/c4n4ry,c4n4ry', '--rpc: expected an http or https URL'],
  [
    '--store=postgres://user:c4n4ry@db.example',
    '--store: expected one database, as in postgres://<host>/<database>',
  ],
  [
    '--store=c4n4ry',
    '--store: expected sqlite:<path>, sqlite::memory: or postgres://<user>@<host>/<database>',
  ],
  [
    '--store=sqlite:',
    '--store: expected sqlite:<path>, sqlite::memory: or postgres://<user>@<host>/<database>',
  ],
  ['--rpc-url=https://a.example/c4n4ry', 'unknown flag "--rpc-url"'],
  [
    '--allowed-origins=c4n4ry',
    '--allowed-origins: expected origins such as https://app.example, ' +
      'separated by commas, or *, got "c4n4ry"',
  ],
])('%s fails with %j', (argument, fault) => {
  expect(parseOptions([argument], {})).toEqual({ ok: false, fault })
  // The terminal shows it whole: no example looks like an address with a secret.
  expect(redactUrls(fault)).toBe(fault)
})

test.each([
  [['--prot', '1'], 'unknown flag "--prot"'],
  [['-p', '1'], 'unknown flag "-p"'],
  [['--'], 'unknown flag "--"'],
  [['robinhood'], 'unexpected argument "robinhood"'],
  [['--port', '1', '2'], 'unexpected argument "2"'],
  [['--port'], '--port: expected a value'],
  [['--port='], '--port: expected a value'],
  [['--port', ''], '--port: expected a value'],
  [['--port', '--host', '::1'], '--port: expected a value'],
  [['--port', '1', '--port=2'], '--port: given twice'],
  [['two\nlines'], 'unexpected argument "two\\nlines"'],
])('%j: %s', (args, fault) => {
  expect(parseOptions(args, {})).toEqual({ ok: false, fault })
})

test('a flag overrides its variable, and an empty variable is none', () => {
  const environment = { PORT: '1', HOST: '', STOCKPOOLS_LOG_LEVEL: 'warn' }
  const read = parseOptions(['--port', '2'], environment)
  expect(read).toEqual({
    ok: true,
    value: {
      port: { value: 2, origin: '--port' },
      logLevel: { value: 'warn', origin: 'STOCKPOOLS_LOG_LEVEL' },
    },
  })
})

test('endpoints keep their order', () => {
  const read = parseOptions(['--rpc', 'https://a.example/1, https://b.example'], {})
  const urls = read.ok ? read.value.rpc?.value : []
  expect(urls?.map((url) => url.reveal())).toEqual(['https://a.example/1', 'https://b.example'])
})

test('no two options share a flag or a variable', () => {
  for (const key of ['flag', 'environment'] as const) {
    expect(new Set(optionNames.map((name) => options[name][key])).size).toBe(optionNames.length)
  }
})
