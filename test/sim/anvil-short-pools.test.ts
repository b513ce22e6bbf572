import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSources } from '../../sandbox/build/compile.ts'
import type { Manifest } from '../../sandbox/manifest.ts'
import { type Observer, observe, readManifest } from '../../sandbox/observer.fixture.ts'
import { type OpenedSandbox, openSandbox } from '../../sandbox/open-sandbox.ts'
import { removeSandbox } from '../../sandbox/remove-sandbox.fixture.ts'
import type { RawAmounts } from '../../src/domain/pool/pool-state.ts'
import type { Store } from '../../src/ports/store.ts'
import type { StoredPool } from '../../src/ports/store-batches.ts'
import { indexSandbox } from '../support/indexer/index-sandbox.ts'
import { openMemoryStore } from '../support/indexer/sample-world.ts'
import { poolsOf } from '../support/indexer/stored.ts'

/*
 * Uniswap's own v3 pools on a real EVM, and a stock whose issuer replaces its code by one that can
 * burn what others hold, and shrink all balances at once.
 */

const stockAbi = parseAbi([
  'function burn(address from, uint256 value)',
  'function mint(address to, uint256 value)',
  'function shrink(uint256 bps)',
])

const burning = `
    uint256 private lostBps;
    function balanceOf(address owner) external view returns (uint256) {
        return (held[owner] * (10_000 - lostBps)) / 10_000;
    }
    function burn(address from, uint256 value) external {
        totalSupply -= value;
        held[from] -= value;
        emit Transfer(from, address(0), value);
    }
    function shrink(uint256 bps) external { lostBps = bps; }
}`

/** The stock token with the same storage, and those functions of its issuer. */
const compileBurningStock = (): Hex => {
  const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string }
  const stock = readSources()['StockToken.sol'] ?? ''
  const content = stock
    .replaceAll('public balanceOf;', 'private held;')
    .replaceAll('balanceOf[', 'held[')
    .replace(/\}\s*$/, burning)
  const settings = {
    evmVersion: 'cancun',
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  }
  const input = { language: 'Solidity', sources: { 's.sol': { content } }, settings }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  return `0x${output.contracts['s.sol'].StockToken.evm.deployedBytecode.object}`
}

const dataDir = mkdtempSync(join(tmpdir(), 'stockpools-short-'))
let sandbox: OpenedSandbox
let manifest: Manifest
let chain: Observer
let store: Store
let stop: () => Promise<void>

const nvda = (): Address => manifest.tokens.find(({ key }) => key === 'NVDA')?.address as Address

const issue = async (functionName: 'burn' | 'mint' | 'shrink', args: readonly unknown[]) => {
  const data = encodeFunctionData({ abi: stockAbi, functionName, args } as never)
  const call = { from: manifest.accounts.deployer, to: nvda(), data, gasPrice: '0x0' }
  const hash = await chain.rpc.call<Hex>('eth_sendTransaction', call)
  await expect
    .poll(() => chain.rpc.call<{ status: Hex } | null>('eth_getTransactionReceipt', hash))
    .toMatchObject({ status: '0x1' })
}

beforeAll(async () => {
  sandbox = await openSandbox({ dataDir, settings: { traders: false, pastHours: 1 } })
  manifest = readManifest(sandbox.manifest)
  chain = observe(manifest)
  store = openMemoryStore()
  const implementation = await chain.read<Address>(
    manifest.contracts.beacon,
    'implementation() view returns (address)',
  )
  await chain.rpc.call('anvil_setCode', implementation, compileBurningStock())
  stop = await indexSandbox(sandbox, store)
})

afterAll(async () => {
  await stop?.()
  await store?.close()
  await removeSandbox(sandbox, dataDir)
})

const isOfNvda = ({ key }: StoredPool): boolean => [key.token0, key.token1].includes(nvda())

const heldBy = async ({ id, key }: StoredPool): Promise<RawAmounts> => {
  const signature = 'balanceOf(address owner) view returns (uint256)'
  const read = (token: Address) => chain.read<bigint>(token, signature, [id])
  return { amount0: await read(key.token0), amount1: await read(key.token1) }
}

const isBelow = (held: RawAmounts, owed: RawAmounts): boolean =>
  held.amount0 < owed.amount0 || held.amount1 < owed.amount1

/** The v3 pools as they are stored now. */
const storedPools = async (): Promise<readonly StoredPool[]> => {
  const pools = await poolsOf(store)
  return pools.filter(({ version }) => version === 'v3').toSorted((a, b) => a.number - b.number)
}

const shortIds = async (): Promise<readonly string[]> =>
  (await storedPools()).filter(({ mapFault }) => mapFault === 'reserve_short').map(({ id }) => id)

/** The sandbox has no traders: these stay what the pools owe. */
let owing: readonly StoredPool[] = []
const owedBy = ({ reserves }: StoredPool): RawAmounts => {
  if (reserves === null) throw new Error('a pool has no reserves')
  return reserves
}

test('honest pools hold what their positions add up to, and fees', async () => {
  const known = async () => (await storedPools()).filter(({ reserves }) => reserves !== null)
  await expect.poll(async () => (await known()).length).toBeGreaterThan(25)
  owing = await storedPools()
  let richer = 0
  for (const pool of owing) {
    const [held, owed] = [await heldBy(pool), owedBy(pool)]
    expect(isBelow(held, owed)).toBe(false)
    if (isBelow(owed, held)) richer += 1
  }
  expect(richer).toBeGreaterThan(10)
  expect(await shortIds()).toEqual([])
})

test('a pool is short when the issuer burns what it holds, until it is paid back', async () => {
  const [pool] = owing.filter(isOfNvda)
  if (pool === undefined) throw new Error('no v3 pool of NVDA')
  const rowOf = async () => (await storedPools()).find(({ id }) => id === pool.id)
  const { amount0, amount1 } = await heldBy(pool)
  const half = (pool.key.token0 === nvda() ? amount0 : amount1) / 2n
  await issue('burn', [pool.id, half])
  await expect.poll(shortIds).toEqual([pool.id])
  expect(await rowOf()).toMatchObject({ reserves: null, depth: null, liquidity: pool.liquidity })
  await issue('mint', [pool.id, half])
  await expect.poll(shortIds).toEqual([])
  expect(await rowOf()).toMatchObject({ reserves: pool.reserves, depth: pool.depth })
})

test('a token that shrinks makes exactly those of its pools short that owe more', async () => {
  await issue('shrink', [2_000n])
  const expected: string[] = []
  for (const pool of owing) {
    if (isBelow(await heldBy(pool), owedBy(pool))) expected.push(pool.id)
  }
  expect(expected.length).toBeGreaterThan(3)
  await expect.poll(shortIds).toEqual(expected)
  await issue('shrink', [0n])
  await expect.poll(shortIds).toEqual([])
  const whole = owing.map(({ reserves }) => ({ mapFault: null, reserves }))
  expect(await storedPools()).toMatchObject(whole)
})
