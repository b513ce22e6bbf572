import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, type Hex, hexToString, keccak256, toEventSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RpcBlock } from './chain/rpc.ts'
import { sleep } from './clock.ts'
import type { Manifest } from './manifest.ts'
import type { LiveStatus } from './market/live.ts'
import type { NetworkFile } from './network-file.ts'
import {
  type Observer,
  observe,
  type PoolEntry,
  readManifest,
  readPool,
  sumPositions,
} from './observer.fixture.ts'
import { type OpenedSandbox, openSandbox } from './open-sandbox.ts'
import { removeSandbox } from './remove-sandbox.fixture.ts'
import { sqrtPriceMax, sqrtPriceMin } from './world/maths.ts'

/*
 * One small sandbox (twelve minutes of past) observed by RPC: the chain matches the manifest, and
 * block times follow the clock.
 */

const v3Swap = toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)')
const v4Swap = toEventSelector('Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)')
const answerUpdated = toEventSelector('AnswerUpdated(int256,uint256,uint256)')
const callFailed = toEventSelector('CallFailed(uint256,bytes)')

/** EIP-1967: keccak256('eip1967.proxy.beacon') - 1. */
const beaconSlot = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'

const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-chain-'))
let sandbox: OpenedSandbox
let manifest: Manifest
let network: NetworkFile
let chain: Observer

const poolsWith = (role: string): PoolEntry[] => {
  const found = manifest.pools.filter((pool) => pool.roles.includes(role))
  expect(found.length, role).toBeGreaterThan(0)
  return found
}
const addressOf = (key: string): Address =>
  manifest.tokens.find((token) => token.key === key)?.address as Address
const nowSeconds = () => Date.now() / 1_000

beforeAll(async () => {
  sandbox = await openSandbox({ dataDir, settings: { pastHours: 0.2, swapsPerSecond: 8 } })
  manifest = readManifest(sandbox.manifest)
  network = JSON.parse(readFileSync(sandbox.networkFile, 'utf8')) as NetworkFile
  chain = observe(manifest)
})

afterAll(() => removeSandbox(sandbox, dataDir))

test('the network file has exactly the fields of the configuration page', () => {
  expect(Object.keys(network).sort()).toEqual([
    ...[
      'algebraIntegral',
      'chainId',
      'confirmations',
      'finality',
      'historyDays',
      'multicall3',
      'name',
    ],
    ...[
      'pancakeswapV3',
      'pollMs',
      'quoteSources',
      'reviewedHooks',
      'rpcUrls',
      'screener',
      'slipstream',
      'stocks',
      'traders',
      'trustedQuotes',
      'uniswapV3',
    ],
    ...['uniswapV4', 'wrappedNative'],
  ])
  expect(Object.keys(network.stocks.tokens[0] ?? {})).toEqual([
    ...['symbol', 'name', 'address', 'decimals', 'feed'],
  ])
  expect(network.stocks.tokens.length).toBeGreaterThanOrEqual(12)
  expect(network.trustedQuotes.map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
    ['USDG', 6],
    ['WETH', 18],
    ['ETH', 18],
  ])
})

test('has at least forty pools of both versions and all kinds, with stocks on either side', () => {
  const count = (of: (pool: PoolEntry) => string) => Object.groupBy(manifest.pools, of)
  expect(manifest.pools.length).toBeGreaterThanOrEqual(40)
  expect(Object.keys(count((pool) => pool.version)).sort()).toEqual(['v3', 'v4'])
  expect(Object.keys(count((pool) => pool.kind)).sort()).toEqual([
    ...['canonical', 'meme', 'none', 'reference', 'stock-stock'],
  ])
  const usdg = addressOf('USDG')
  const canonical = manifest.pools.filter((pool) => pool.kind === 'canonical')
  expect(canonical.filter((pool) => pool.token0 === usdg).length).toBeGreaterThan(3)
  expect(canonical.filter((pool) => pool.token1 === usdg).length).toBeGreaterThan(3)
})

/** By what the factory of the pool's protocol finds it. */
const poolQuestion = (pool: PoolEntry): [signature: string, args: readonly unknown[]] => {
  const pair = [pool.token0, pool.token1]
  const name = (call: string) => `${call} view returns (address)`
  if (pool.protocol === 'algebra-integral') {
    return pool.roles.includes('custom-pool')
      ? [
          name('customPoolByPair(address, address, address)'),
          [manifest.contracts.algebraCustomPools, ...pair],
        ]
      : [name('poolByPair(address, address)'), pair]
  }
  return pool.protocol === 'slipstream'
    ? [name('getPool(address, address, int24)'), [...pair, pool.tickSpacing]]
    : [name('getPool(address, address, uint24)'), [...pair, pool.fee]]
}

test('each pool exists on the chain under its id in the manifest', async () => {
  for (const pool of manifest.pools) {
    if (pool.version === 'v3') {
      const known = await chain.read<string>(pool.venueAddress, ...poolQuestion(pool))
      expect(known.toLowerCase()).toBe(pool.id)
    } else {
      expect((await readPool(chain, manifest, pool)).price).toBeGreaterThan(0n)
    }
  }
})

test('edge-case pools match their roles', async () => {
  const stateOf = (pool: PoolEntry) => readPool(chain, manifest, pool)
  for (const pool of poolsWith('uninitialised')) expect((await stateOf(pool)).price).toBe(0n)
  for (const pool of poolsWith('at-bound')) {
    const { price, liquidity } = await stateOf(pool)
    expect([sqrtPriceMin, sqrtPriceMax - 1n]).toContain(price)
    expect(liquidity).toBe(0n)
  }
  for (const role of ['emptied', 'never-funded', 'off-price', 'one-sided']) {
    for (const pool of poolsWith(role)) {
      const { price, liquidity } = await stateOf(pool)
      expect(price, role).toBeGreaterThan(sqrtPriceMin)
      expect(liquidity, role).toBe(0n)
    }
  }
  const [launch] = poolsWith('one-sided').filter((pool) => pool.version === 'v3')
  const balance = 'balanceOf(address) view returns (uint256)'
  expect(await chain.read<bigint>(addressOf('TSLA'), balance, [launch?.id])).toBe(0n)
  expect(await chain.read<bigint>(addressOf('FAIRLAUNCH'), balance, [launch?.id])).toBeGreaterThan(
    10n ** 26n,
  )
})

test('malformed tokens return malformed metadata', async () => {
  const symbol = await chain.read<string>(
    addressOf('hostile-symbol'),
    'symbol() view returns (string)',
  )
  expect(symbol).toContain('<script>')
  for (const hidden of ['\u0000', '\u202e', '\u200b']) expect(symbol).toContain(hidden)
  const decimals = 'decimals() view returns (uint8)'
  await expect(chain.read(addressOf('no-decimals'), decimals)).rejects.toThrow('no decimals')
  const data = keccak256('0x73796d626f6c2829').slice(0, 10)
  const raw = await chain.rpc.call<Hex>('eth_call', { to: addressOf('bytes32-symbol'), data })
  expect(raw).toHaveLength(66)
  expect(hexToString(raw, { size: 32 })).toBe('OLD32')
  const fake = await chain.read<string>(addressOf('fake-NVDA'), 'symbol() view returns (string)')
  expect(fake).toBe('NVDA')
  expect(addressOf('fake-NVDA')).not.toBe(addressOf('NVDA'))
})

test('stocks use the beacon and have their multipliers', async () => {
  const { beacon } = manifest.contracts
  const slot = await chain.rpc.call<Hex>(
    'eth_getStorageAt',
    addressOf('NVDA'),
    beaconSlot,
    'latest',
  )
  expect(`0x${slot.slice(-40)}`).toBe(beacon)
  const multiplier = (key: string, name = 'uiMultiplier') =>
    chain.read<bigint>(addressOf(key), `${name}() view returns (uint256)`)
  expect(await multiplier('NVDA')).toBe(10n ** 18n)
  expect(await multiplier('CRWD')).toBe(4n * 10n ** 18n)
  expect(await multiplier('SGOV')).toBe(1_021_500_000_000_000_000n)
  const assets = 'convertToAssets(uint256) view returns (uint256)'
  expect(await chain.read<bigint>(addressOf('WORCL'), assets, [10n ** 18n])).toBe(105_000_000n)
  expect(await multiplier('NFLX', 'multiplier')).toBe(1_500_000_000_000_000_000n)
  const proofs = network.stocks.tokens.map(({ proof, decimals }) => [proof, decimals])
  expect(new Set(proofs.map(String))).toEqual(
    new Set([',18', 'erc8056,8', 'listed,8', 'erc4626,18', 'listed,18']),
  )
  expect(await multiplier('PLTR')).toBe(10n ** 18n)
  expect(await multiplier('PLTR', 'newUIMultiplier')).toBe(2n * 10n ** 18n)
  expect(Number(await multiplier('PLTR', 'effectiveAt'))).toBeGreaterThan(nowSeconds())
  const paused = 'oraclePaused() view returns (bool)'
  expect(await chain.read<boolean>(addressOf('MSTR'), paused)).toBe(true)
})

test('no planned call failed', async () => {
  const { router, foreignVenue } = manifest.contracts
  expect(await chain.logs({ address: router, topic: callFailed })).toEqual([])
  const foreign = await chain.logs({ address: foreignVenue, topic: v3Swap })
  expect(foreign.length).toBeGreaterThan(0)
})

test('past blocks contain trades and feed answers with past timestamps', async () => {
  const swaps = [...(await chain.logs({ topic: v3Swap })), ...(await chain.logs({ topic: v4Swap }))]
  const before = (log: { blockTimestamp: Hex }) => Number(log.blockTimestamp) < nowSeconds() - 120
  expect(swaps.filter(before).length).toBeGreaterThan(200)
  const answers = (await chain.logs({ topic: answerUpdated })).filter(before)
  expect(answers.length).toBeGreaterThan(10)
  expect(Number((await chain.block('0x0')).timestamp)).toBe(manifest.genesisTs)
})

test("a Swap's fee can differ from the key's: by the protocol's share, by a hook", async () => {
  const logs = await chain.logs({ topic: v4Swap })
  const feesOf = (pool: PoolEntry) =>
    new Set(
      logs
        .filter((log) => log.topics[1] === pool.id)
        .map((log) => Number(BigInt(`0x${log.data.slice(-64)}`))),
    )
  const [spy] = poolsWith('protocol-fee').filter((pool) => pool.version === 'v4')
  // p + 3000 - p * 3000 / 1e6, rounded as v4-core does: 250 and 700 at first, then 500 and 300.
  const charged = [...feesOf(spy as PoolEntry)]
  expect(charged.length).toBeGreaterThan(1)
  expect([3250, 3698, 3499, 3300]).toEqual(expect.arrayContaining(charged))
  const slot0 = await chain.read<readonly [bigint, number, number, number]>(
    manifest.contracts.stateView,
    'getSlot0(bytes32) view returns (uint160, int24, uint24, uint24)',
    [spy?.id],
  )
  expect(slot0.slice(2)).toEqual([500 | (300 << 12), 3000])
  const dynamic = poolsWith('dynamic-fee')
  expect(dynamic.every((pool) => pool.fee === 0x800000)).toBe(true)
  expect(dynamic.flatMap((pool) => [...feesOf(pool)]).every((fee) => fee <= 3_000)).toBe(true)
  const hook = manifest.contracts.returnsDeltaHook
  const kept = await Promise.all(
    ['META', 'USDG'].map((key) =>
      chain.read<bigint>(addressOf(key), 'balanceOf(address) view returns (uint256)', [hook]),
    ),
  )
  expect(kept.some((amount) => amount > 0n)).toBe(true)
})

// A busy machine mines later, and missed blocks are skipped.
test('mines at most four blocks a second, with finality behind the head', async () => {
  const firstTs = nowSeconds()
  const first = await chain.head()
  await expect.poll(chain.head).toBeGreaterThan(first + 9)
  const tags = [
    ['latest', false],
    ['finalized', false],
  ] as const
  const [latest, final] = await chain.rpc.batch<RpcBlock>('eth_getBlockByNumber', tags)
  const [last, lastTs] = [Number(latest?.number), Number(latest?.timestamp)]
  const seconds = nowSeconds() - firstTs
  // A timer may fire slightly early and then once more.
  expect(last - first).toBeLessThanOrEqual(5 * seconds + 2)
  expect(lastTs).toBeGreaterThanOrEqual(Math.floor(firstTs))
  expect(lastTs).toBeLessThanOrEqual(nowSeconds())
  const behind = last - Number(final?.number)
  expect(behind).toBeGreaterThanOrEqual(60)
  expect(behind).toBeLessThanOrEqual(66)
})

test('readers wait during a node restart and miss nothing', async () => {
  const before = await chain.head()
  const logs = await chain.logs({ topic: v4Swap })
  let isRenewed = false
  const renewing = fetch(`${manifest.urls.control}/renew`, { method: 'POST' }).finally(() => {
    isRenewed = true
  })
  const heads: number[] = []
  while (!isRenewed) {
    heads.push(await chain.head())
    await sleep(50)
  }
  heads.push(await chain.head())
  expect((await renewing).status).toBe(200)
  expect(heads).toEqual([...heads].sort((a, b) => a - b))
  expect(heads.at(-1)).toBeGreaterThan(before + 80)
  expect((await chain.logs({ topic: v4Swap })).slice(0, logs.length)).toEqual(logs)
})

test("the manifest's positions add up to each pool's liquidity", async () => {
  const post = { method: 'POST', body: JSON.stringify({ on: false }) }
  await fetch(`${manifest.urls.control}/traders`, post)
  const inFlight = async () => {
    const status = await (await fetch(`${manifest.urls.control}/status`)).json()
    return (status as { live: LiveStatus }).live.inFlight
  }
  await expect.poll(inFlight).toBe(0)
  const answer = await fetch(`${manifest.urls.control}/manifest`)
  const latest = (await answer.json()) as Manifest
  for (const pool of latest.pools) {
    const { tick, liquidity } = await readPool(chain, latest, pool)
    const sum = await sumPositions(chain, latest, pool, tick)
    expect(sum, `${pool.token0Key}/${pool.token1Key} ${pool.version}`).toBe(liquidity)
  }
})
