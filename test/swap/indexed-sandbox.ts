import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, parseAbi } from 'viem'
import { latestBlock } from '../../sandbox/chain/rpc.ts'
import type { Call } from '../../sandbox/chain/sender.ts'
import { encodeCall, type TradedPool } from '../../sandbox/market/calls.ts'
import { removeSandbox } from '../../sandbox/remove-sandbox.fixture.ts'
import { keyStruct } from '../../sandbox/world/pool.ts'
import { buildTickMap } from '../../src/domain/pool/tick-map.ts'
import { stopSpacingOf } from '../../src/domain/swap/quoted-pool.ts'
import type { SwapPool } from '../../src/domain/swap/simulate-swap.ts'
import { hasCustomAccounting } from '../../src/domain/valuation/pool-reserves.ts'
import type { StoredPool } from '../../src/ports/store-batches.ts'
import { eventually } from '../service/api.ts'
import { indexSandbox } from '../support/indexer/index-sandbox.ts'
import { openMemoryStore, rowsOf, ticksOf } from '../support/indexer/sample-world.ts'
import { openQuietSandbox } from './quiet-sandbox.ts'

/** A pool whose swaps can be simulated, as our index holds it. */
export type IndexedPool = TradedPool & SwapPool & { readonly stored: StoredPool }

const managerAbi = parseAbi([keyStruct, 'function setProtocolFee(Key key, uint24 fee)'])
const algebraAbi = parseAbi([
  'function setFee(uint16 fee)',
  'function setTickSpacing(int24 spacing)',
])
const noAddress: Address = `0x${'0'.repeat(40)}`

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

/** The quiet sandbox, and an index that follows it. */
export const openIndexedSandbox = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stockpools-swap-'))
  const { sandbox, manifest, rpc, quoters, transact, mineConfirmations } =
    await openQuietSandbox(dataDir)
  const store = openMemoryStore()
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
    store,
    networkFile: sandbox.networkFile,
    manifest,
    rpc,
    quoters,
    /** Waits until the newest block is indexed; that block or a later one, and its pools. */
    readPools: async (): Promise<{ block: number; pools: readonly IndexedPool[] }> => {
      const { number } = await latestBlock(rpc)
      await mineConfirmations()
      const block = await cursorAt(Number(number))
      const ticks = Map.groupBy(await ticksOf(store), ({ pool }) => pool)
      const { pools } = await rowsOf(store)
      const usable = pools.flatMap((pool): readonly IndexedPool[] => {
        const { price, liquidity, mapFault } = pool
        if (price === null || mapFault !== null || hasCustomAccounting(pool)) return []
        const map = buildTickMap(ticks.get(pool.number) ?? [])
        if (!map.known) throw new Error(`${pool.id}: ${map.reason}`)
        const tickSpacing = stopSpacingOf(pool)
        const traded = tradedOf(pool)
        return [{ ...traded, stored: pool, price, liquidity, tickMap: map.value, tickSpacing }]
      })
      return { block, pools: usable }
    },
    transact,
    /** Of v4 pools, by the owner of the PoolManager. */
    protocolFeeCall: ({ key }: TradedPool, fee: number): Call =>
      encodeCall(manifest.contracts.poolManager, managerAbi, 'setProtocolFee', [key, fee]),
    /** Fee and tick spacing of a pool of Algebra, by the owner of its factory. */
    algebraCalls: ({ id }: TradedPool, fee: number): readonly Call[] => [
      encodeCall(id, algebraAbi, 'setFee', [fee]),
      encodeCall(id, algebraAbi, 'setTickSpacing', [fee - 1199]),
    ],
    close: async (): Promise<void> => {
      await stop()
      await store.close()
      await removeSandbox(sandbox, dataDir)
    },
  }
}

export type IndexedSandbox = Awaited<ReturnType<typeof openIndexedSandbox>>
