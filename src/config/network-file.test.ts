import { describe, expect, test } from 'vitest'
import { parseNetworkFile } from './network-file.ts'

const a = (digit: string) => `0x${digit.repeat(40)}`

const goodFile = {
  name: 'test',
  chainId: 31_337,
  rpcUrls: ['http://127.0.0.1:8545'],
  multicall3: null,
  uniswapV3: [{ factory: a('1'), startBlock: 0, initCodeHash: null }],
  uniswapV4: [{ poolManager: a('2'), stateView: null, startBlock: 7 }],
  wrappedNative: a('3'),
  trustedQuotes: [
    { symbol: 'USDG', address: a('4'), decimals: 6, feed: null },
    { symbol: 'ETH', address: a('0'), decimals: 18, feed: a('5') },
  ],
  stocks: {
    beacon: null,
    registryUrl: null,
    tokens: [{ symbol: 'NVDA', name: 'NVIDIA', address: a('6'), decimals: 18, feed: null }],
  },
  quoteSources: [
    { kind: 'issuer', url: 'https://quotes.example/rhj/' },
    { kind: 'chainlink' },
    { kind: 'file', path: './quotes.json' },
  ],
  screener: null,
  finality: { blocks: 64 },
}

/** The good file with the value at `path` replaced, or removed if undefined. */
const fileWith = (path: string, value: unknown): string => {
  const copy = structuredClone(goodFile)
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let node: Record<string, unknown> = copy
  for (const key of keys) node = node[key] as Record<string, unknown>
  if (value === undefined) delete node[last]
  else node[last] = value
  return JSON.stringify(copy)
}

test('a good file is taken over: lowercase addresses, hidden URLs, absolute paths', () => {
  const checksummed = '0xcA11bde05977b3631167028862bE2a173976CA11'
  const read = parseNetworkFile(fileWith('multicall3', checksummed), '/etc/stockpools')
  if (!read.ok) throw new Error(read.fault)
  const { network, ...rest } = read.value
  expect(network.multicall3).toBe(checksummed.toLowerCase())
  const none = { initCodeHash: null, poolDeployer: null, poolImplementation: null, stateView: null }
  expect(network.venues).toEqual([
    {
      ...none,
      ...{ path: 'uniswapV3[0]', protocol: 'uniswap-v3', name: 'Uniswap v3' },
      ...{ address: a('1'), startBlock: 0 },
    },
    {
      ...none,
      ...{ path: 'uniswapV4[0]', protocol: 'uniswap-v4', name: 'Uniswap v4' },
      ...{ address: a('2'), startBlock: 7 },
    },
  ])
  expect(network.trustedQuotes).toEqual(goodFile.trustedQuotes)
  const standard = { proof: 'beacon', beacon: null, feedPer: 'token', wraps: null, rebasing: false }
  expect(network.stocks.tokens).toEqual(
    goodFile.stocks.tokens.map((token) => ({ ...token, standard })),
  )
  expect(network.finality).toEqual({ blocks: 64 })
  expect(network.quoteSources.map((source) => source.kind)).toEqual(['issuer', 'chainlink', 'file'])
  expect(network.quoteSources[2]).toEqual({ kind: 'file', path: '/etc/stockpools/quotes.json' })
  expect(rest.rpcUrls.map((url) => url.reveal())).toEqual(goodFile.rpcUrls)
  expect(network.explorerUrl).toBeNull()
  expect(rest).toMatchObject({ confirmations: null, pollMs: null, historyDays: null })
})

test('several venues of a protocol, some with names of their own', () => {
  const [first] = goodFile.uniswapV3
  const named = { ...first, factory: a('8'), name: 'Sushi v3' }
  const read = parseNetworkFile(fileWith('uniswapV3', [first, named]), '/')
  const venues = read.ok ? read.value.network.venues : []
  expect(venues.map(({ path, name, protocol }) => [path, name, protocol])).toEqual([
    ['uniswapV3[0]', 'Uniswap v3', 'uniswap-v3'],
    ['uniswapV3[1]', 'Sushi v3', 'uniswap-v3'],
    ['uniswapV4[0]', 'Uniswap v4', 'uniswap-v4'],
  ])
})

test.each(['uniswapV3', 'uniswapV4'])('a protocol without venues may be left out: %s', (key) => {
  const read = parseNetworkFile(fileWith(key, undefined), '/')
  expect(read.ok && read.value.network.venues.length).toBe(1)
})

test('the standard of a stock: its own, else that of all, else the beacon', () => {
  const [token] = goodFile.stocks.tokens
  const beacon = a('7')
  const standardsOf = (proof: object, own: object) => {
    const stocks = { ...goodFile.stocks, beacon, ...proof, tokens: [{ ...token, ...own }] }
    const read = parseNetworkFile(fileWith('stocks', stocks), '/')
    if (!read.ok) throw new Error(read.fault)
    const { tokens, standard } = read.value.network.stocks
    return [tokens[0]?.standard, standard]
  }
  const byBeacon = { proof: 'beacon', beacon, feedPer: 'token', wraps: null, rebasing: false }
  const [listed, erc8056] = (['listed', 'erc8056'] as const).map((proof) => ({ proof }))
  expect(standardsOf({}, {})).toEqual([byBeacon, byBeacon])
  const noBeacon = { beacon: null, feedPer: 'token', wraps: null, rebasing: false }
  expect(standardsOf({}, { ...listed })).toEqual([{ ...listed, ...noBeacon }, byBeacon])
  expect(standardsOf({ ...erc8056 }, {})).toEqual([
    { ...erc8056, ...noBeacon },
    { ...erc8056, ...noBeacon },
  ])
  expect(standardsOf({ ...erc8056 }, { proof: 'beacon' })[0]).toEqual(byBeacon)
  expect(standardsOf({}, { rebasing: true })[0]).toMatchObject({ rebasing: true })
  const feedPerOf = (all: object, own: object) =>
    standardsOf(all, own).map((standard) => standard?.feedPer)
  const [share, included] = [{ feedIncludes: null }, { feedIncludes: 'multiplier' }]
  expect(feedPerOf({}, share)).toEqual(['share', 'token'])
  expect(feedPerOf(share, {})).toEqual(['share', 'share'])
  expect(feedPerOf(share, included)).toEqual(['token', 'share'])
})

describe('a wrapper', () => {
  const [token] = goodFile.stocks.tokens
  const wrapper = { ...token, address: a('9'), proof: 'erc4626', asset: a('6') }
  const readTokens = (...tokens: readonly object[]) =>
    parseNetworkFile(fileWith('stocks.tokens', tokens), '/')
  const noAsset =
    'stocks.tokens[1].asset: expected the address of another stock token here, which is no wrapper'

  test('has the decimals of both tokens', () => {
    const read = readTokens({ ...token, decimals: 8 }, wrapper)
    if (!read.ok) throw new Error(read.fault)
    expect(read.value.network.stocks.tokens[1]?.standard).toMatchObject({
      proof: 'erc4626',
      wraps: { asset: a('6'), decimals: 18, assetDecimals: 8 },
    })
  })

  test.each([
    ['names no asset', { asset: undefined }, noAsset],
    ['names a token that is not listed', { asset: a('7') }, noAsset],
    ['names itself', { asset: a('9') }, noAsset],
    [
      'has a feed',
      { feed: a('8') },
      'stocks.tokens[1].feed: expected null, as a wrapper is priced by its asset',
    ],
    [
      'has another proof',
      { proof: 'listed' },
      'stocks.tokens[1].asset: only a token with the proof "erc4626" has one',
    ],
  ])('that %s is refused', (_, change, fault) => {
    expect(readTokens(token ?? {}, { ...wrapper, ...change })).toEqual({ ok: false, fault })
  })
})

test.each([
  [null, null],
  ['https://Explorer.example', 'https://explorer.example'],
  ['https://explorer.example/', 'https://explorer.example'],
  ['https://explorer.example:8443/chain/', 'https://explorer.example:8443/chain'],
])('an explorer: %s', (given, expected) => {
  const read = parseNetworkFile(fileWith('explorerUrl', given), '/')
  expect(read).toMatchObject({ ok: true, value: { network: { explorerUrl: expected } } })
})

test.each([
  'http://explorer.example',
  'javascript:alert(1)//explorer.example',
  'explorer.example',
  '',
  'https://',
  'https://user:word@explorer.example',
  'https://@explorer.example',
  'https://explorer.example/?key=1',
  'https://explorer.example/#tx',
  'https://explorer.example/ tx',
  5,
])('no explorer: %s', (given) => {
  const fault = 'explorerUrl: expected an https URL without credentials, query or fragment or null'
  expect(parseNetworkFile(fileWith('explorerUrl', given), '/')).toEqual({ ok: false, fault })
})

test('reviewed hooks: none by default, lowercase addresses, a hook may be a token', () => {
  const reviewedOf = (given: unknown) => {
    const read = parseNetworkFile(fileWith('reviewedHooks', given), '/')
    return read.ok ? read.value.network.reviewedHooks : read.fault
  }
  expect(reviewedOf(undefined)).toEqual([])
  expect(reviewedOf([])).toEqual([])
  const address = '0xcA11bde05977b3631167028862bE2a173976CA11'
  expect(reviewedOf([{ address, note: 'read' }])).toEqual([
    { address: address.toLowerCase(), note: 'read' },
  ])
  expect(reviewedOf([{ address: a('6'), note: 'read' }])).toEqual([
    { address: a('6'), note: 'read' },
  ])
})

const addressFault =
  'expected an address (0x and 40 hexadecimal digits; mixed case must be an EIP-55 checksum)'
const blockFault = 'expected an integer from 0 to 9007199254740991'
const [token] = goodFile.stocks.tokens
const missing = undefined
const note = 'takes 1 % of each buy; source verified'
const nameFault = 'expected a text of 1 to 40 characters on one line'
const noteFault = 'expected a text of 1 to 500 characters on one line'
const hook = (digit: string) => ({ address: a(digit), note })

// path of the change, the new value, the message
test.each<readonly [string, unknown, string]>([
  ['chainID', 1, 'chainID: unknown key'],
  ['__proto__x', 1, '__proto__x: unknown key'],
  ['two\nlines', 1, '["two\\nlines"]: unknown key'],
  ['stocks.tokens.0.adress', a('9'), 'stocks.tokens[0].adress: unknown key'],
  ['uniswapV3.0.hash', null, 'uniswapV3[0].hash: unknown key'],
  ['uniswapV3.0.stateView', a('7'), 'uniswapV3[0].stateView: unknown key'],
  ['uniswapV4.0.stateView', missing, 'uniswapV4[0].stateView: missing'],
  ['uniswapV3.0.initCodeHash', missing, 'uniswapV3[0].initCodeHash: missing'],
  ['uniswapV3.0.factory', missing, 'uniswapV3[0].factory: missing'],
  ['uniswapV3', null, 'uniswapV3: expected a list'],
  ['uniswapV3.0.name', '', `uniswapV3[0].name: ${nameFault}`],
  ['uniswapV3.0.name', ' ', `uniswapV3[0].name: ${nameFault}`],
  ['uniswapV3.0.name', 'x'.repeat(41), `uniswapV3[0].name: ${nameFault}`],
  ['uniswapV3.0.name', 'a\nb', `uniswapV3[0].name: ${nameFault}`],
  ['uniswapV3.0.name', null, `uniswapV3[0].name: ${nameFault}`],
  [
    'uniswapV3',
    [goodFile.uniswapV3[0], { ...goodFile.uniswapV3[0], name: 'again' }],
    'uniswapV3[1].factory: the same address as uniswapV3[0].factory',
  ],
  [
    'uniswapV4.0.poolManager',
    a('1'),
    'uniswapV4[0].poolManager: the same address as uniswapV3[0].factory',
  ],
  [
    'screener',
    { kind: 'dexscreener', url: 'https://s.example', chain: 'x', key: 1 },
    'screener.key: unknown key',
  ],
  ['quoteSources.1.url', 'https://q.example', 'quoteSources[1].url: unknown key'],
  ['chainId', missing, 'chainId: missing'],
  ['screener', missing, 'screener: missing'],
  ['stocks.beacon', missing, 'stocks.beacon: missing'],
  ['trustedQuotes.1.feed', missing, 'trustedQuotes[1].feed: missing'],
  ['quoteSources.0.url', missing, 'quoteSources[0].url: missing'],
  ['name', 'Two Words', 'name: expected a name of 1 to 32 characters from a-z 0-9 -'],
  ['chainId', '1', 'chainId: expected an integer from 1 to 9007199254740991'],
  ['chainId', 0, 'chainId: expected an integer from 1 to 9007199254740991'],
  ['rpcUrls', 'http://a.example', 'rpcUrls: expected a list'],
  ['rpcUrls.0', 'ws://a.example', 'rpcUrls[0]: expected an http or https URL'],
  ['wrappedNative', null, `wrappedNative: ${addressFault}`],
  ['wrappedNative', `0x${'1'.repeat(39)}`, `wrappedNative: ${addressFault}`],
  ['wrappedNative', '0xcA11bde05977b3631167028862bE2a173976Ca11', `wrappedNative: ${addressFault}`],
  ['multicall3', 5, `multicall3: ${addressFault} or null`],
  ['uniswapV3.0.startBlock', -1, `uniswapV3[0].startBlock: ${blockFault}`],
  ['uniswapV3.0.startBlock', 1.5, `uniswapV3[0].startBlock: ${blockFault}`],
  [
    'uniswapV3.0.initCodeHash',
    a('1'),
    'uniswapV3[0].initCodeHash: expected a hash (0x and 64 hexadecimal digits) or null',
  ],
  ['trustedQuotes', [], 'trustedQuotes: expected a list of 1 or more'],
  ['trustedQuotes.0.decimals', 37, 'trustedQuotes[0].decimals: expected an integer from 0 to 36'],
  ['stocks', 5, 'stocks: expected an object'],
  ['stocks.feedIncludes', 'share', 'stocks.feedIncludes: expected "multiplier" or null'],
  ['stocks.proof', 'erc20', 'stocks.proof: expected "beacon", "erc8056" or "listed"'],
  [
    'stocks.tokens.0.proof',
    null,
    'stocks.tokens[0].proof: expected "beacon", "erc8056", "erc4626" or "listed"',
  ],
  [
    'stocks.tokens.0.symbol',
    'N V',
    'stocks.tokens[0].symbol: expected a ticker of 1 to 16 characters from A-Z a-z 0-9 . -',
  ],
  [
    'stocks.tokens.0.name',
    'a\nb',
    'stocks.tokens[0].name: expected a text of 1 to 120 characters on one line',
  ],
  [
    'quoteSources.0.kind',
    'oracle',
    'quoteSources[0].kind: expected one of issuer, chainlink, file',
  ],
  [
    'quoteSources.0.kind',
    'toString',
    'quoteSources[0].kind: expected one of issuer, chainlink, file',
  ],
  ['quoteSources.0.kind', 5, 'quoteSources[0].kind: expected a text'],
  ['quoteSources.2', { kind: 'chainlink' }, 'quoteSources[2].kind: given twice'],
  [
    'screener',
    { kind: 'dune', url: 'https://s.example', chain: 'x' },
    'screener.kind: expected "dexscreener" or "geckoterminal"',
  ],
  [
    'screener',
    { kind: 'dexscreener', url: 's.example', chain: 'x' },
    'screener.url: expected an http or https URL',
  ],
  ['screener', 5, 'screener: expected an object or null'],
  ['finality', 'soon', 'finality: expected "finalized", "safe" or { "blocks": <integer> }'],
  ['finality', { blocks: -1 }, `finality.blocks: ${blockFault}`],
  ['confirmations', -1, 'confirmations: expected an integer from 0 to 100000'],
  ['historyDays', 1, 'historyDays: expected an integer from 2 to 3650'],
  ['pollMs', 49, 'pollMs: expected an integer from 50 to 60000'],
  ['pollMs', null, 'pollMs: expected an integer from 50 to 60000'],
  [
    'stocks.tokens',
    [token, token],
    'stocks.tokens[1].address: the same address as stocks.tokens[0].address',
  ],
  [
    'stocks.tokens.0.address',
    a('4'),
    'stocks.tokens[0].address: the same address as trustedQuotes[0].address',
  ],
  ['traders', 'yes', 'traders: expected true or false'],
  ['reviewedHooks', {}, 'reviewedHooks: expected a list'],
  ['reviewedHooks', [{ address: '0x80', note }], `reviewedHooks[0].address: ${addressFault}`],
  ['reviewedHooks', [{ note }], 'reviewedHooks[0].address: missing'],
  ['reviewedHooks', [{ address: a('8') }], 'reviewedHooks[0].note: missing'],
  ['reviewedHooks', [{ address: a('8'), note: '' }], `reviewedHooks[0].note: ${noteFault}`],
  ['reviewedHooks', [{ address: a('8'), note: '  ' }], `reviewedHooks[0].note: ${noteFault}`],
  ['reviewedHooks', [{ address: a('8'), note: 'a\nb' }], `reviewedHooks[0].note: ${noteFault}`],
  ['reviewedHooks', [{ address: a('8'), note, by: 'me' }], 'reviewedHooks[0].by: unknown key'],
  [
    'reviewedHooks',
    [hook('8'), hook('9'), hook('8')],
    'reviewedHooks[2].address: the same address as reviewedHooks[0].address',
  ],
  ['stocks.tokens', [], 'stocks: expected tokens or a registryUrl'],
])('%s = %j: %s', (path, value, fault) => {
  expect(parseNetworkFile(fileWith(path, value), '/')).toEqual({ ok: false, fault })
})

test('a network without any Uniswap is refused', () => {
  const text = JSON.stringify({ ...goodFile, uniswapV3: [], uniswapV4: [] })
  const fault =
    'uniswapV3: expected a v3 factory here or a v4 pool manager in uniswapV4 or ' +
    'a PancakeSwap v3 factory in pancakeswapV3 or a Slipstream factory in slipstream or ' +
    'a factory of Algebra Integral in algebraIntegral or a CLPoolManager in ' +
    'pancakeswapInfinity or a Ramses v3 factory in ramsesV3'
  expect(parseNetworkFile(text, '/')).toEqual({ ok: false, fault })
})

// A broken file may break right inside a key: the message says where, never what.
test.each([
  ['', 'not valid JSON'],
  ['[]', 'expected an object'],
  ['null', 'expected an object'],
  ['{"rpcUrls": "https://a.example/c4n4ry" "x"}', 'not valid JSON (line 1, column 40)'],
  ['{"rpcUrls": c4n4ry}', 'not valid JSON'],
])('%j: %s', (text, fault) => {
  expect(parseNetworkFile(text, '/')).toEqual({ ok: false, fault })
})
