import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Config, type Launch, type Role, resolveLaunch } from './config.ts'
import type { Environment } from './user-input.ts'

const networkFile = {
  name: 'mine',
  chainId: 5,
  rpcUrls: ['https://rpc.example/c4n4ry'],
  multicall3: null,
  uniswapV3: [{ factory: `0x${'1'.repeat(40)}`, startBlock: 0, initCodeHash: null }],
  uniswapV4: [],
  wrappedNative: `0x${'3'.repeat(40)}`,
  trustedQuotes: [{ symbol: 'USDG', address: `0x${'4'.repeat(40)}`, decimals: 6, feed: null }],
  stocks: { beacon: null, registryUrl: 'https://issuer.example/assets?key=c4n4ry', tokens: [] },
  quoteSources: [{ kind: 'file', path: 'quotes.json' }],
  screener: null,
  finality: 'finalized',
  confirmations: 3,
  historyDays: 4,
}

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'stockpools-config-'))
  writeFileSync(join(directory, 'mine.json'), JSON.stringify(networkFile))
})
afterAll(() => rmSync(directory, { recursive: true }))

type Ask = {
  readonly role?: Role
  readonly args?: readonly string[]
  readonly environment?: Environment
}
const launch = ({ role = 'start', args = [], environment = {} }: Ask) =>
  resolveLaunch({ role, args, environment })

const configOf = (launched: ReturnType<typeof launch>): Config => {
  if (!launched.ok) throw new Error(launched.fault)
  if (launched.value.kind !== 'network') throw new Error('it is the sandbox')
  return launched.value.config
}
const sandboxOf = (launched: ReturnType<typeof launch>): Extract<Launch, { kind: 'sandbox' }> => {
  if (!launched.ok) throw new Error(launched.fault)
  if (launched.value.kind !== 'sandbox') throw new Error('it is not the sandbox')
  return launched.value
}

// flag > environment > network file > default
test.each<readonly [Ask, Partial<Config>]>([
  [{}, { confirmations: 3, historyDays: 4, pollMs: 1000, port: 8787, host: '127.0.0.1' }],
  [
    { environment: { STOCKPOOLS_CONFIRMATIONS: '8', STOCKPOOLS_POLL_MS: '200' } },
    { confirmations: 8, pollMs: 200 },
  ],
  [
    { args: ['--confirmations=0'], environment: { STOCKPOOLS_CONFIRMATIONS: '8' } },
    { confirmations: 0, historyDays: 4 },
  ],
  [{}, { store: { kind: 'sqlite', path: './data/mine.db' }, sandbox: false }],
  [{ args: ['--store=sqlite::memory:'] }, { store: { kind: 'memory' } }],
  [{}, { rateLimitPerMinute: 120, trustedProxies: [], logLevel: 'info' }],
  [{ args: ['--rate-limit=0', '--log-level=error'] }, { rateLimitPerMinute: 0, logLevel: 'error' }],
])('%j gives %j', (ask, expected) => {
  const args = ['--network', join(directory, 'mine.json'), ...(ask.args ?? [])]
  expect(configOf(launch({ ...ask, args }))).toMatchObject(expected)
})

test('given endpoints replace those of the file', () => {
  const args = ['--network', join(directory, 'mine.json')]
  const hosts = (ask: Ask) => configOf(launch(ask)).rpcUrls.map(String)
  expect(hosts({ args })).toEqual(['rpc.example'])
  expect(hosts({ args: [...args, '--rpc=http://a.example,http://b.example'] })).toEqual([
    'a.example',
    'b.example',
  ])
})

test('a quote file is looked for beside the network file', () => {
  const config = configOf(launch({ args: ['--network', join(directory, 'mine.json')] }))
  expect(config.network.quoteSources).toEqual([
    { kind: 'file', path: join(directory, 'quotes.json') },
  ])
})

test('nothing in a configuration can be changed, and printing it shows no key', () => {
  const config = configOf(launch({ args: ['--network', join(directory, 'mine.json')] }))
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozen))
  expect(isFrozen(config)).toBe(true)
  expect(JSON.stringify(config)).not.toContain('c4n4ry')
})

test('the sandbox is what runs when nothing is asked for; its file completes the launch', () => {
  const sandbox = sandboxOf(launch({ args: ['--port=0', '--confirmations=9'] }))
  expect(sandbox.settings).toMatchObject({ port: 0, host: '127.0.0.1', logLevel: 'info' })
  const completed = sandbox.complete(JSON.stringify({ ...networkFile, name: 'sandbox' }))
  expect(completed.ok && completed.value).toMatchObject({
    sandbox: true,
    port: 0,
    confirmations: 9,
    historyDays: 4,
    store: { kind: 'sqlite', path: './data/sandbox.db' },
  })
  expect(sandbox.complete('{}')).toEqual({ ok: false, fault: 'the sandbox: name: missing' })
})

test('the built-in network is valid: 196 stocks, 35 with a feed', () => {
  const { network, ...config } = configOf(launch({ args: ['--network=robinhood'] }))
  expect(network).toMatchObject({ name: 'robinhood', chainId: 4663, finality: 'finalized' })
  expect(network.stocks.tokens.length).toBe(196)
  expect(network.stocks.tokens.filter(({ feed }) => feed !== null).length).toBe(35)
  expect(config).toMatchObject({ confirmations: 20, historyDays: 7, pollMs: 1000 })
})

const files: Readonly<Record<string, string>> = {
  'typo.json': JSON.stringify({ ...networkFile, chainID: 5 }),
  'no-rpc.json': JSON.stringify({ ...networkFile, rpcUrls: [] }),
  'huge.json': ' '.repeat(4 * 1024 * 1024 + 1),
}

test.each<readonly [string, Ask, string]>([
  ['a key too many', { args: ['--network=@typo.json'] }, '@typo.json: chainID: unknown key'],
  [
    'no endpoint',
    { args: ['--network=@no-rpc.json'] },
    '@no-rpc.json: rpcUrls: empty, expected an endpoint here or in --rpc or STOCKPOOLS_RPC_URLS',
  ],
  [
    'no such file',
    { environment: { STOCKPOOLS_NETWORK: '@none.json' } },
    'STOCKPOOLS_NETWORK: cannot read "@none.json": no such file',
  ],
  [
    'a directory',
    { args: ['--network=@folder.json'] },
    '--network: cannot read "@folder.json": is a directory',
  ],
  [
    'not a network file at all',
    { args: ['--network=@huge.json'] },
    '--network: cannot read "@huge.json": larger than 4 MB',
  ],
  [
    'an unknown name',
    { args: ['--network=mainnet'] },
    '--network: expected sandbox, robinhood, base or a file path, got "mainnet"',
  ],
  [
    'an endpoint for the sandbox',
    { environment: { STOCKPOOLS_RPC_URLS: 'https://a.example' } },
    'STOCKPOOLS_RPC_URLS: cannot be used with the sandbox network; choose another --network',
  ],
  [
    'a store in memory for two processes',
    { role: 'api', args: ['--store=sqlite::memory:'] },
    '--store: an in-memory store works only with start',
  ],
])('%s is refused in one line', (_what, ask, fault) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  mkdirSync(join(directory, 'folder.json'), { recursive: true })
  const place = (text: string) => text.replaceAll('@', `${directory}/`)
  const variables = Object.entries(ask.environment ?? {})
  const launched = launch({
    ...ask,
    args: ask.args?.map(place) ?? [],
    environment: Object.fromEntries(variables.map(([name, text]) => [name, place(text ?? '')])),
  })
  expect(launched).toEqual({ ok: false, fault: place(fault) })
})
