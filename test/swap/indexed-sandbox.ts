import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Address, encodeDeployData, type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import { readArtifact } from '../../sandbox/build/uniswap.ts'
import { createRpc, latestBlock, type Rpc, toHex } from '../../sandbox/chain/rpc.ts'
import { type Call, deploy, mineAt, send } from '../../sandbox/chain/sender.ts'
import { encodeCall, type TradedPool } from '../../sandbox/market/calls.ts'
import { openSandbox } from '../../sandbox/open-sandbox.ts'
import { removeSandbox } from '../../sandbox/remove-sandbox.fixture.ts'
import { keyStruct } from '../../sandbox/world/pool.ts'
import { buildTickMap } from '../../src/domain/pool/tick-map.ts'
import type { SwapPool } from '../../src/domain/swap/simulate-swap.ts'
import { hasCustomAccounting } from '../../src/domain/valuation/pool-reserves.ts'
import type { StoredPool } from '../../src/ports/store-batches.ts'
import { eventually } from '../service/api.ts'
import { readManifest } from '../service/numbers/chain.ts'
import { indexSandbox } from '../support/indexer/index-sandbox.ts'
import { openMemoryStore, rowsOf, ticksOf } from '../support/indexer/sample-world.ts'

/** A pool whose swaps can be simulated, as our index holds it. */
export type IndexedPool = TradedPool & SwapPool & { readonly stored: StoredPool }

export type Receipt = {
  readonly status: Hex
  readonly blockNumber: Hex
  readonly logs: readonly {
    readonly address: Address
    readonly topics: [Hex, ...Hex[]]
    readonly data: Hex
  }[]
}

const managerAbi = parseAbi([keyStruct, 'function setProtocolFee(Key key, uint24 fee)'])
const noAddress: Address = `0x${'0'.repeat(40)}`
/** More than the confirmations of the sandbox's network file. */
const blocksUntilIndexed = 24

const paths = {
  v3: '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  v4: '@uniswap/v4-periphery/foundry-out/V4Quoter.sol/V4Quoter.json',
}

/** Mines sent transactions, none of which may revert. */
const mineAll = async (rpc: Rpc, hashes: readonly Hex[]): Promise<readonly Receipt[]> => {
  const { timestamp } = await latestBlock(rpc)
  await mineAt(rpc, Math.max(Number(timestamp) + 1, Math.floor(Date.now() / 1000)))
  const receipts: Receipt[] = []
  for (const hash of hashes) {
    const receipt = await rpc.call<Receipt>('eth_getTransactionReceipt', hash)
    expect(receipt.status).toBe('0x1')
    receipts.push(receipt)
  }
  return receipts
}

const tradedOf = ({ id, version, key }: StoredPool): TradedPool => ({
  id,
  spec: { version },
  key: {
    currency0: key.token0,
    currency1: key.token1,
    fee: key.fee,
    tickSpacing: key.tickSpacing,
    hooks: key.hooks ?? noAddress,
  },
})

/** Nothing trades, and a block comes once a minute or when a test mines it. */
const settings = { pastHours: 0.5, traders: false, blockTimeSeconds: 60 }

/** A sandbox with Uniswap's quoters on its chain, and an index that follows it. */
export const openIndexedSandbox = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stockpools-swap-'))
  const sandbox = await openSandbox({ dataDir, settings })
  const manifest = readManifest(dirname(sandbox.manifest))
  const { accounts, contracts, urls } = manifest
  const rpc = createRpc(urls.rpc)
  const store = openMemoryStore()

  const deployQuoter = async (path: string, args: readonly Address[]): Promise<Address> => {
    const { abi, bytecode } = readArtifact(path)
    const hash = await deploy(rpc, accounts.deployer, encodeDeployData({ abi, bytecode, args }))
    await mineAll(rpc, [hash])
    const receipt = await rpc.call<{ contractAddress: Address }>('eth_getTransactionReceipt', hash)
    return receipt.contractAddress
  }
  const quoters = {
    v3: await deployQuoter(paths.v3, [contracts.factory, contracts.wrappedNative]),
    v4: await deployQuoter(paths.v4, [contracts.poolManager]),
  }
  const stop = await indexSandbox(sandbox, store)

  /** The cursor once it is at a block. */
  const cursorAt = async (block: number): Promise<number> => {
    const header = await eventually(
      () => store.snapshot((snapshot) => snapshot.header()),
      (read) => (read?.cursor?.block ?? -1) >= block && read?.progress.phase === 'done',
      { waitMs: 50 },
    )
    return header?.cursor?.block ?? -1
  }

  return {
    manifest,
    rpc,
    quoters,
    /** Waits until the newest block is indexed; that block or a later one, and its pools. */
    readPools: async (): Promise<{ block: number; pools: readonly IndexedPool[] }> => {
      const { number } = await latestBlock(rpc)
      await rpc.call('anvil_mine', toHex(blocksUntilIndexed), '0x0')
      const block = await cursorAt(Number(number))
      const ticks = Map.groupBy(await ticksOf(store), ({ pool }) => pool)
      const { pools } = await rowsOf(store)
      const usable = pools.flatMap((pool): readonly IndexedPool[] => {
        const { price, liquidity, mapFault } = pool
        if (price === null || mapFault !== null || hasCustomAccounting(pool)) return []
        const map = buildTickMap(ticks.get(pool.number) ?? [])
        if (!map.known) throw new Error(`${pool.id}: ${map.reason}`)
        const { tickSpacing } = pool.key
        const traded = tradedOf(pool)
        return [{ ...traded, stored: pool, price, liquidity, tickMap: map.value, tickSpacing }]
      })
      return { block, pools: usable }
    },
    /** Each call in a transaction of its own. */
    transact: async (calls: readonly Call[]): Promise<readonly Receipt[]> => {
      const hashes: Hex[] = []
      for (const call of calls) hashes.push(await send(rpc, accounts.deployer, call))
      return mineAll(rpc, hashes)
    },
    /** Of v4 pools, by the owner of the PoolManager. */
    protocolFeeCall: ({ key }: TradedPool, fee: number): Call =>
      encodeCall(contracts.poolManager, managerAbi, 'setProtocolFee', [key, fee]),
    close: async (): Promise<void> => {
      await stop()
      await store.close()
      await removeSandbox(sandbox, dataDir)
    },
  }
}

export type IndexedSandbox = Awaited<ReturnType<typeof openIndexedSandbox>>
