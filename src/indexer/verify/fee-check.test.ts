import { beforeEach, describe, expect, it } from 'vitest'
import { rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import type { SamplePool } from '../../../test/support/domain/sample-pool.ts'
import type { FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { type Market, one, reverted, stateView } from '../../../test/support/indexer/market.ts'
import {
  confirmations,
  passSeconds,
  startTestIndexer,
  type TestIndexer,
} from '../../../test/support/indexer/run.ts'
import { openStage } from '../../../test/support/indexer/stage.ts'
import { poolsOf } from '../../../test/support/indexer/stored.ts'
import { dynamicFee } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import type { PoolState } from '../../domain/pool/pool-state.ts'
import type { Store } from '../../ports/store.ts'

const { apple, weth, usdg } = tokens
const differ = 'Pool fees differ from their contract'
/** From one check to the next. */
const checkSeconds = 8
/** 0.05 % for swaps of token0, 0.03 % for the others. */
const protocolFee = 500 | (300 << 12)

let store: Store
let chain: FakeChain
let market: Market
let run: TestIndexer | null = null
beforeEach(() => {
  const stage = openStage(1_800_000_000)
  ;({ store, chain, market } = stage)
  return async () => {
    await run?.stop()
    run = null
    await stage.close()
  }
})

const open = (version: 'v3' | 'v4', fee = 3000): SamplePool => {
  const pool = market.open(version, { token0: apple, token1: weth, fee }, rootPrice(1n))
  pool.mint(-6000, 6000, one)
  return pool
}

/** With every block indexed, and before the first check. */
const start = async (): Promise<TestIndexer> => {
  market.mineMany(1 + confirmations)
  run = await startTestIndexer({ chain, store })
  await passSeconds(1)
  return run
}

const feesOf = async (pool: SamplePool): Promise<PoolState['fees'] | undefined> =>
  (await poolsOf(store)).find(({ id }) => id === pool.id)?.fees

/** Mines the block under way and lets realtime sync index it. */
const indexBlock = async (): Promise<number> => {
  const { block } = market.mine()
  market.mineMany(confirmations)
  await passSeconds(1)
  return block
}

describe('the fees of a pool', () => {
  it('are those of its creation until a protocol fee is set, and v3 has none', async () => {
    const [v3, v4] = [open('v3'), open('v4')]
    const { journal } = await start()
    expect(await feesOf(v3)).toBe(null)
    expect(await feesOf(v4)).toEqual({ lpFee: 3000, protocolFee: 0, block: 1 })
    v4.setProtocolFee(protocolFee)
    const block = await indexBlock()
    expect(await feesOf(v4)).toEqual({ lpFee: 3000, protocolFee, block })
    await passSeconds(3 * checkSeconds)
    expect(await feesOf(v4)).toEqual({ lpFee: 3000, protocolFee, block })
    expect(journal.of('error')).toEqual([])
  })

  it('show the event of a pool only, and no venue that is not configured', async () => {
    const pool = open('v4')
    const other = market.open('v4', { token0: usdg, token1: apple }, rootPrice(1n))
    await start()
    other.setProtocolFee(protocolFee)
    const stranger = `0x${'5'.repeat(40)}` as const
    const foreign = chain.emit
    const block = await indexBlock()
    const [log] = chain.blocks().find(({ blockRef }) => blockRef.block === block)?.logs ?? []
    const topics = [log?.topics[0], pool.id]
    foreign({ ...log, address: stranger, topics } as Parameters<typeof foreign>[0])
    await indexBlock()
    expect(await feesOf(pool)).toMatchObject({ protocolFee: 0 })
    expect(await feesOf(other)).toMatchObject({ protocolFee, block })
  })

  it('are read where they are dynamic, again and again', async () => {
    const pool = open('v4', dynamicFee)
    pool.setDynamicFee(500)
    const { journal } = await start()
    expect(await feesOf(pool)).toEqual({ lpFee: 500, protocolFee: 0, block: 1 })
    pool.setDynamicFee(750)
    pool.setProtocolFee(protocolFee)
    const block = await indexBlock()
    expect(await feesOf(pool)).toMatchObject({ protocolFee, block })
    await passSeconds(checkSeconds + 1)
    expect(await feesOf(pool)).toMatchObject({ lpFee: 750, protocolFee })
    expect(journal.of('error')).toEqual([])
  })

  it('that an older store does not have are read once there is liquidity', async () => {
    const [pool, changed] = [open('v4'), open('v4', 500)]
    changed.setProtocolFee(protocolFee)
    await start()
    await run?.stop()
    const rows = await poolsOf(store)
    for (const { number, ...state } of rows) {
      const ticks = []
      for await (const tick of store.readTicks()) if (tick.pool === number) ticks.push(tick)
      await store.replaceTickMap(number, { ...state, fees: null }, ticks)
    }
    expect(await feesOf(pool)).toBe(null)
    const { revision } = (await store.snapshot((snapshot) => snapshot.header())) ?? {}
    run = await startTestIndexer({ chain, store })
    await passSeconds(2)
    expect(await feesOf(pool)).toEqual({ lpFee: 3000, protocolFee: 0, block: 1 })
    const head = chain.blocks().length
    expect(await feesOf(changed)).toEqual({ lpFee: 500, protocolFee, block: head - confirmations })
    const seen = await store.snapshot((snapshot) => snapshot.poolsChangedAfter(revision ?? 0))
    expect(seen.map(({ id }) => id).toSorted()).toEqual([pool.id, changed.id].toSorted())
    expect(run.journal.of('error')).toEqual([])
  })

  it('are corrected, with an error, when an event was missed', async () => {
    const pool = open('v4')
    const { journal } = await start()
    pool.setProtocolFee(protocolFee)
    chain.hideLogs(({ data }) => Number.parseInt(data, 16) === protocolFee)
    await indexBlock()
    expect(await feesOf(pool)).toMatchObject({ protocolFee: 0 })
    expect(journal.count(differ)).toBe(0)
    await passSeconds(checkSeconds + 1)
    expect(await feesOf(pool)).toMatchObject({ lpFee: 3000, protocolFee })
    expect(journal.count(differ)).toBe(1)
  })

  //   ... - 5 - 6 (protocol fee)     indexed
  //           \ 6a                   a branch without the event
  it('are those of the new branch after theirs was replaced, or unknown until read', async () => {
    const [fixed, dynamic] = [open('v4'), open('v4', dynamicFee)]
    await start()
    fixed.setProtocolFee(protocolFee)
    dynamic.setDynamicFee(750)
    const block = await indexBlock()
    expect(await feesOf(fixed)).toMatchObject({ protocolFee, block })
    await passSeconds(checkSeconds)
    expect(await feesOf(dynamic)).toMatchObject({ lpFee: 750, block })
    chain.hideLogs((log) => log.block === block)
    const last = chain.blocks().length
    for (let replaced = block; replaced <= last; replaced++) chain.replaceBlock(replaced)
    await passSeconds(2)
    expect(run?.journal.count('Detected reorg deeper than the confirmations')).toBe(1)
    // Its own logs show the one; no log shows the other.
    expect(await feesOf(fixed)).toEqual({ lpFee: 3000, protocolFee: 0, block: 1 })
    expect(await feesOf(dynamic)).toBe(null)
    // The contracts of this chain still have the fee of the old branch.
    await passSeconds(checkSeconds)
    expect(await feesOf(fixed)).toMatchObject({ lpFee: 3000, protocolFee })
    expect(await feesOf(dynamic)).toMatchObject({ lpFee: 750, protocolFee: 0 })
  })

  it('are read ahead of the rotation by at most half of the calls', async () => {
    const fixed = Array.from({ length: 230 }, (_, at) => open('v4', 100 + at))
    const dynamic = Array.from({ length: 30 }, (_, at) =>
      market.open(
        'v4',
        { token0: apple, token1: weth, fee: dynamicFee, tickSpacing: 1 + at },
        rootPrice(1n),
      ),
    )
    for (const pool of dynamic) pool.mint(-6000, 6000, one)
    market.mineMany(1 + confirmations)
    const asked = new Map<string, number>()
    chain.deploy(stateView, (data) => {
      const id = `0x${data.slice(10)}`
      asked.set(id, (asked.get(id) ?? 0) + 1)
      return reverted
    })
    run = await startTestIndexer({ chain, store })
    const askedOf = (pools: readonly SamplePool[]) =>
      pools.reduce((sum, { id }) => sum + (asked.get(id) ?? 0) / 2, 0)
    await passSeconds(1)
    expect(askedOf(dynamic)).toBe(25)
    expect(askedOf(fixed)).toBe(75)
    await passSeconds(checkSeconds)
    for (const { id } of dynamic) expect(asked.get(id)).toBeGreaterThan(1)
    expect(askedOf(fixed)).toBe(150)
  })
})
