import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex } from '../../sandbox/chain/rpc.ts'
import type { Manifest } from '../../sandbox/manifest.ts'
import {
  type Observer,
  observe,
  type PoolEntry,
  readManifest,
} from '../../sandbox/observer.fixture.ts'
import { type OpenedSandbox, openSandbox } from '../../sandbox/open-sandbox.ts'
import { removeSandbox } from '../../sandbox/remove-sandbox.fixture.ts'
import { getProtocol } from '../../src/domain/dex/find-protocol.ts'
import { dynamicFee } from '../../src/domain/dex/uniswap-v4/hook-flags.ts'
import type { ContractFees } from '../../src/domain/pool/pool-state.ts'
import type { Store } from '../../src/ports/store.ts'
import { indexSandbox } from '../support/indexer/index-sandbox.ts'
import { openMemoryStore } from '../support/indexer/sample-world.ts'
import { poolsOf } from '../support/indexer/stored.ts'

/*
 * The fees of Uniswap's own v4 pools on a real EVM: as the PoolManager keeps them, and as they
 * are stored after its events and after reads of its slot0.
 */

const managerAbi = parseAbi([
  'struct Key { address currency0; address currency1; uint24 fee; int24 spacing; address hooks; }',
  'function setProtocolFee(Key key, uint24 fee)',
  'function updateDynamicLPFee(Key key, uint24 fee)',
])

const dataDir = mkdtempSync(join(tmpdir(), 'stockpools-fees-'))
let sandbox: OpenedSandbox
let manifest: Manifest
let chain: Observer
let store: Store
let stop: () => Promise<void>

beforeAll(async () => {
  sandbox = await openSandbox({ dataDir, settings: { traders: false, pastHours: 1 } })
  manifest = readManifest(sandbox.manifest)
  chain = observe(manifest)
  store = openMemoryStore()
  stop = await indexSandbox(sandbox, store)
})

afterAll(async () => {
  await stop?.()
  await store?.close()
  await removeSandbox(sandbox, dataDir)
})

/** Sends a call of the PoolManager from an account and returns its block. */
const manage = async (
  functionName: 'setProtocolFee' | 'updateDynamicLPFee',
  { from, pool, fee }: { readonly from: Hex; readonly pool: PoolEntry; readonly fee: number },
): Promise<number> => {
  const { token0: currency0, token1: currency1, tickSpacing: spacing, hooks } = pool
  const key = { currency0, currency1, fee: pool.fee, spacing, hooks: hooks as Hex }
  const data = encodeFunctionData({ abi: managerAbi, functionName, args: [key, fee] })
  const call = { from, to: manifest.contracts.poolManager, data, gasPrice: '0x0' }
  const hash = await chain.rpc.call<Hex>('eth_sendTransaction', call)
  const mined = async () => {
    const read = { status: '0x', blockNumber: '0x0' }
    return (await chain.rpc.call<typeof read | null>('eth_getTransactionReceipt', hash)) ?? read
  }
  await expect.poll(mined).toMatchObject({ status: '0x1' })
  return Number((await mined()).blockNumber)
}

const feesAt = async ({ id }: PoolEntry): Promise<ContractFees> => {
  const signature = 'getSlot0(bytes32) view returns (uint160, int24, uint24, uint24)'
  const { stateView } = manifest.contracts
  const read = await chain.read<readonly [bigint, number, number, number]>(stateView, signature, [
    id,
  ])
  return { protocolFee: read[2], lpFee: read[3] }
}

const storedFees = async (pool: PoolEntry) =>
  (await poolsOf(store)).find(({ id }) => id === pool.id)?.fees

const poolWith = (role: string): PoolEntry => {
  const found = manifest.pools.find(
    ({ version, roles }) => version === 'v4' && roles.includes(role),
  )
  if (found === undefined) throw new Error(`no v4 pool has the role ${role}`)
  return found
}

test('funded v4 pools have the fees of their contract, v3 pools the fee of their key', async () => {
  const funded = manifest.pools.filter(({ version, positions }) => version === 'v4' && positions[0])
  const missing = async () => {
    const stored = new Map((await poolsOf(store)).map(({ id, fees }) => [id, fees]))
    return funded.filter(({ id }) => stored.get(id) === null).length
  }
  await expect.poll(async () => (await poolsOf(store)).length).toBeGreaterThan(25)
  await expect.poll(missing).toBe(0)
  let compared = 0
  for (const { id, protocol, key, fees } of await poolsOf(store)) {
    // Kept only with a protocol fee, which a part of the swaps' fees is.
    if (getProtocol(protocol).fee === 'key') expect(fees?.lpFee ?? key.fee).toBe(key.fee)
    const entry = funded.find((pool) => pool.id === id)
    if (entry === undefined) continue
    expect(fees).toMatchObject(await feesAt(entry))
    compared += 1
  }
  expect(compared).toBeGreaterThan(10)
  // Set at the deployment and changed in the sandbox's past, differently by direction.
  expect(await storedFees(poolWith('protocol-fee'))).toMatchObject({
    lpFee: 3000,
    protocolFee: 500 | (300 << 12),
  })
})

test('a protocol fee is stored with the block of its event', async () => {
  const pool = poolWith('protocol-fee')
  const fee = 1000 | (1 << 12)
  const block = await manage('setProtocolFee', { from: manifest.accounts.deployer, pool, fee })
  await expect.poll(() => storedFees(pool)).toEqual({ lpFee: 3000, protocolFee: fee, block })
  expect(await feesAt(pool)).toEqual({ lpFee: 3000, protocolFee: fee })
})

test('a dynamic fee that the hook changes without an event is read', async () => {
  const pool = poolWith('dynamic-fee')
  expect(pool.fee).toBe(dynamicFee)
  const from = pool.hooks as Hex
  // The hook sets it when the pool is created.
  expect(await storedFees(pool)).toMatchObject({ lpFee: 500, protocolFee: 0 })
  await chain.rpc.call('anvil_impersonateAccount', from)
  const block = await manage('updateDynamicLPFee', { from, pool, fee: 12_345 })
  await expect
    .poll(() => storedFees(pool), { timeout: 20_000 })
    .toMatchObject({ lpFee: 12_345, protocolFee: 0 })
  expect((await storedFees(pool))?.block).toBeGreaterThanOrEqual(block)
})

test('the fee of a Slipstream pool, which moves without an event, is read', async () => {
  const pool = manifest.pools.find(({ protocol }) => protocol === 'slipstream')
  if (pool === undefined) throw new Error('there is no Slipstream pool')
  const read = async () => (await storedFees(pool))?.lpFee ?? null
  await expect.poll(read, { timeout: 20_000 }).not.toBe(null)
  const before = await read()
  // SlipstreamFactory.getSwapFee: another fee every hundred blocks.
  await chain.rpc.call('anvil_mine', toHex(100), '0x0')
  await expect.poll(read, { timeout: 20_000 }).not.toBe(before)
  expect(await storedFees(pool)).toMatchObject({ protocolFee: 0 })
  expect(((await read()) ?? 0) % 20).toBe(0)
})
