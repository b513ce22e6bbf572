import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import type { SamplePool } from '../../../test/support/domain/sample-pool.ts'
import { type Balance, deployBalances } from '../../../test/support/indexer/balances.ts'
import type { FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { type Market, one, reverted } from '../../../test/support/indexer/market.ts'
import {
  confirmations,
  passSeconds,
  startTestIndexer,
  type TestIndexer,
} from '../../../test/support/indexer/run.ts'
import { openStage } from '../../../test/support/indexer/stage.ts'
import { poolsOf, sourceOf } from '../../../test/support/indexer/stored.ts'
import { createPoolSet } from '../../domain/pool/pool-set.ts'
import type { StoredTick } from '../../domain/pool/stored-rows.ts'
import { toTrackedPool, withUpdatedAmounts } from '../../domain/pool/tracked-pool.ts'
import type { CallResult, ChainReader, ContractCall } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import { createShortPools } from './short-pools.ts'

const { apple, weth } = tokens
const foundShort = 'Pool holds less than its positions'
const foundWhole = 'Pool holds what its positions add up to again'
/** From one check to the next. */
const checkSeconds = 8
const unanswered: CallResult = { ok: false, reason: 'unanswered' }

let store: Store
let chain: FakeChain
let market: Market
let run: TestIndexer
beforeEach(() => {
  const stage = openStage(1_800_000_000)
  ;({ store, chain, market } = stage)
  return stage.close
})
afterEach(() => run.stop())

/** A pool that holds its principal and, as honest ones do, some fees. */
const open = (version: 'v3' | 'v4' = 'v3', fee = 3000): SamplePool => {
  const pool = market.open(version, { token0: apple, token1: weth, fee }, rootPrice(1n))
  pool.mint(-6000, 6000, 5n * one)
  return pool
}

const start = async () => {
  market.mineMany(1 + confirmations)
  run = await startTestIndexer({ chain, store })
  await passSeconds(1)
}

const hold = (pool: SamplePool, amount0: Balance, amount1: Balance) =>
  deployBalances(chain, pool, [
    [apple, amount0],
    [weth, amount1],
  ])

/** Exactly the principal: not one unit is missing. */
const holdEnough = (pool: SamplePool): void => {
  const { amount0, amount1 } = pool.reserves()
  hold(pool, amount0, amount1)
}

const holdLess = (pool: SamplePool): void => {
  const { amount0, amount1 } = pool.reserves()
  hold(pool, amount0, amount1 - 1n)
}

const short = { mapFault: 'reserve_short', reserves: null, depth: null }
const wholeOf = (pool: SamplePool) => ({ mapFault: null, reserves: pool.reserves() })

describe('a v3 pool', () => {
  it('is short if it holds less of one token than its positions add up to', async () => {
    const pool = open()
    holdEnough(pool)
    await start()
    await passSeconds(checkSeconds)
    expect(await poolsOf(store)).toMatchObject([wholeOf(pool)])
    holdLess(pool)
    await passSeconds(checkSeconds + 1)
    expect(await poolsOf(store)).toMatchObject([short])
    expect(run.journal.count(foundShort)).toBe(1)
    // Its balances become its reserves (methodology §4).
    await passSeconds(60)
    const [balance] = await store.snapshot((snapshot) => snapshot.reserves())
    expect(balance).toMatchObject({ pool: 1, source: 'balance' })
    expect(await sourceOf(store, 'pools')).toMatchObject({ partial: false, lastError: null })
    expect(run.journal.of('error')).toEqual([])
  })

  it('stays short while it trades, and ends that once a check finds enough', async () => {
    const pool = open()
    holdLess(pool)
    await start()
    await passSeconds(checkSeconds)
    for (let trade = 1; trade < 20; trade++) {
      pool.swapTo(rootPrice(100n + BigInt(trade), 100n))
      if (trade % 5 === 0) pool.mint(-600, 600, one)
      holdLess(pool)
      market.mine()
      await passSeconds(1)
      expect(await poolsOf(store)).toMatchObject([short])
    }
    holdEnough(pool)
    market.mineMany(confirmations)
    await passSeconds(checkSeconds + 1)
    expect(await poolsOf(store)).toMatchObject([wholeOf(pool)])
    expect([run.journal.count(foundShort), run.journal.count(foundWhole)]).toEqual([1, 1])
    // The map was followed all the while.
    pool.swapTo(rootPrice(150n, 100n))
    market.mineMany(1 + confirmations)
    await passSeconds(1)
    expect(await poolsOf(store)).toMatchObject([wholeOf(pool)])
  })

  it('is judged by its balances at the block of its state', async () => {
    const pool = open()
    const before = pool.reserves()
    market.mine()
    pool.burn(-6000, 6000, 4n * one)
    const after = pool.reserves()
    const burnt = market.mine().block
    const heldAt = (side: 'amount0' | 'amount1') => (block: number) =>
      (block < burnt ? before : after)[side]
    deployBalances(chain, pool, [
      [apple, heldAt('amount0')],
      [weth, heldAt('amount1')],
    ])
    // The cursor stays below the burn.
    market.mineMany(confirmations - 1)
    run = await startTestIndexer({ chain, store })
    await passSeconds(3 * checkSeconds)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: before }])
    market.mineMany(3)
    await passSeconds(3 * checkSeconds)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: after }])
    expect(run.journal.count(foundShort)).toBe(0)
  })

  it.each<[string, (pool: SamplePool) => void]>([
    ['a token does not say', (pool) => hold(pool, reverted, pool.reserves().amount1)],
    ['a token answers nonsense', (pool) => hold(pool, { ok: true, data: '0x' }, 10n * one)],
    ['the node refuses', (pool) => hold(pool, unanswered, 0n)],
  ])('is judged by nothing while %s', async (_, answer) => {
    const pool = open()
    answer(pool)
    await start()
    await passSeconds(3 * checkSeconds)
    expect(await poolsOf(store)).toMatchObject([wholeOf(pool)])
    expect(run.journal.count(foundShort)).toBe(0)
  })

  it('is judged by no other block of the same number', async () => {
    const pool = open()
    holdEnough(pool)
    await start()
    const cursor = chain.blocks().length - confirmations
    chain.replaceBlock(cursor)
    holdLess(pool)
    // The head is as it was: the index does not look for another branch.
    await passSeconds(3 * checkSeconds)
    expect(await poolsOf(store)).toMatchObject([wholeOf(pool)])
    expect(run.journal.count('Failed to read pool balances')).toBe(3)
  })

  it('stays short while its balances cannot be read', async () => {
    const pool = open()
    holdLess(pool)
    await start()
    await passSeconds(checkSeconds)
    expect(await poolsOf(store)).toMatchObject([short])
    for (const answer of [unanswered, reverted]) {
      hold(pool, pool.reserves().amount0, answer)
      await passSeconds(3 * checkSeconds)
      expect(await poolsOf(store)).toMatchObject([short])
    }
  })

  it('is short of one token whatever the other one says', async () => {
    const pool = open()
    hold(pool, reverted, pool.reserves().amount1 - 1n)
    await start()
    await passSeconds(checkSeconds)
    expect(await poolsOf(store)).toMatchObject([short])
  })

  it('stays short over a restart, and is checked first after it', async () => {
    const others = Array.from({ length: 200 }, (_, index) => open('v4', 100 + index))
    const pool = open()
    holdLess(pool)
    await start()
    await passSeconds(4 * checkSeconds)
    const stored = async () => (await poolsOf(store)).find(({ version }) => version === 'v3')
    expect(await stored()).toMatchObject(short)
    await run.stop()
    run = await startTestIndexer({ chain, store })
    await passSeconds(1)
    expect(await stored()).toMatchObject(short)
    holdEnough(pool)
    // The rotation alone may need three checks.
    await passSeconds(checkSeconds + 1)
    expect(await stored()).toMatchObject(wholeOf(pool))
    expect(others).toHaveLength(200)
  })
})

it('a rebuild keeps the fault, and does not repeat itself for it', async () => {
  const pool = open()
  holdLess(pool)
  await start()
  await passSeconds(checkSeconds)
  expect(await poolsOf(store)).toMatchObject([short])
  // A swap that the node omits: the state differs from the contract, the map is right.
  pool.swapTo(rootPrice(2n))
  holdLess(pool)
  const { block } = market.mine()
  chain.hideLogs((log) => log.block === block)
  market.mineMany(confirmations)
  await passSeconds(1)
  chain.hideLogs(() => false)
  await passSeconds(5 * checkSeconds)
  expect(run.journal.count('Rebuilt pool from its logs')).toBe(1)
  expect(await poolsOf(store)).toMatchObject([{ ...short, price: pool.price() }])
  // It was short all the while, and not found to be so a second time.
  expect(run.journal.count(foundShort)).toBe(1)
  holdEnough(pool)
  await passSeconds(checkSeconds + 1)
  expect(await poolsOf(store)).toMatchObject([wholeOf(pool)])
})

it('a short pool with a gap is rebuilt, and then checked first', async () => {
  const pool = open()
  for (let fee = 100; fee < 300; fee++) open('v4', fee)
  holdLess(pool)
  await start()
  const stored = async () => (await poolsOf(store)).find(({ version }) => version === 'v3')
  await passSeconds(checkSeconds)
  expect(await stored()).toMatchObject(short)
  pool.mint(-600, 600, one)
  const { block } = market.mine()
  chain.hideLogs((log) => log.block === block)
  pool.swapTo(rootPrice(101n, 100n))
  holdLess(pool)
  market.mineMany(1 + confirmations)
  await passSeconds(1)
  expect(await stored()).toMatchObject({ mapFault: 'index_gap', reserves: null })
  chain.hideLogs(() => false)
  await passSeconds(6)
  expect(run.journal.count('Rebuilt pool from its logs')).toBeGreaterThan(0)
  // The rotation alone may need three checks.
  await passSeconds(checkSeconds)
  expect(await stored()).toMatchObject(short)
})

it('a v4 pool has no balances to be asked about', async () => {
  const pool = open('v4')
  hold(pool, 0n, 0n)
  await start()
  await passSeconds(3 * checkSeconds)
  expect(await poolsOf(store)).toMatchObject([wholeOf(pool)])
  expect(run.journal.count(foundShort)).toBe(0)
})

it('a hundred short pools leave half of the calls to the others', async () => {
  for (let fee = 100; fee < 200; fee++) open('v3', fee)
  deployBalances(chain, { id: '0x' }, [
    [apple, 0n],
    [weth, 0n],
  ])
  await start()
  await passSeconds(5 * checkSeconds)
  expect((await poolsOf(store)).every(({ mapFault }) => mapFault === 'reserve_short')).toBe(true)
  await run.stop()
  const asked: (readonly ContractCall[])[] = []
  const { callContracts } = chain.reader
  const reader: ChainReader = {
    ...chain.reader,
    callContracts: (calls, ...more) => {
      asked.push(calls)
      return callContracts(calls, ...more)
    },
  }
  run = await startTestIndexer({ chain: { ...chain, reader }, store })
  await passSeconds(1)
  asked.length = 0
  await passSeconds(4 * checkSeconds)
  const states = asked.filter((calls) => calls.some(({ data }) => data === '0x3850c7bd'))
  const balances = asked.filter((calls) => calls.every(({ data }) => data.startsWith('0x70a08231')))
  expect(states.map((calls) => calls.length)).toEqual([100, 100, 100, 100])
  // Larger reads are those of reserves.
  expect(balances.filter((calls) => calls.length === 100)).toHaveLength(4)
  // Twenty-five of them ahead of the rotation, which continues behind them.
  expect(new Set(states.flat().map(({ to }) => to)).size).toBe(100)
})

describe('after a replaced branch', () => {
  //   ... - 3 - 4     indexed: the pool is short
  //           \ 4a    the chain by now
  it.each<[string, (pool: SamplePool) => void]>([
    ['by its rows', (pool) => pool.swapTo(rootPrice(101n, 100n))],
    ['by its logs', () => {}],
  ])('a pool that is restored %s is as short as before, and checked again', async (_, trade) => {
    const pool = open()
    trade(pool)
    market.mine()
    pool.mint(-600, 600, one)
    const { block } = market.mine()
    holdLess(pool)
    market.mineMany(confirmations)
    run = await startTestIndexer({ chain, store })
    await passSeconds(2)
    expect(await poolsOf(store)).toMatchObject([short])
    for (let replaced = block; replaced <= chain.blocks().length; replaced++) {
      chain.replaceBlock(replaced)
    }
    market.mine()
    await passSeconds(2)
    expect(run.journal.count('Detected reorg deeper than the confirmations')).toBe(1)
    expect(await poolsOf(store)).toMatchObject([short])
    holdEnough(pool)
    await passSeconds(checkSeconds)
    expect(await poolsOf(store)).toMatchObject([wholeOf(pool)])
  })

  it('what a check found on the old one is not written, but checked again', async () => {
    const pool = open()
    holdLess(pool)
    await start()
    await run.stop()
    const row = (await poolsOf(store))[0]
    if (row === undefined) throw new Error('no pool')
    const ticks: StoredTick[] = []
    for await (const tick of store.readTicks()) ticks.push(tick)
    const whole = withUpdatedAmounts(toTrackedPool({ ...row, mapFault: null }, ticks))
    const [old, replaced] = [createPoolSet(), createPoolSet()]
    for (const set of [old, replaced]) set.put(whole)
    let current = old
    const { logger } = createJournal()
    const shortPools = createShortPools({
      ...{ chain: chain.reader, store, logger },
      index: { pools: () => current },
    })
    const at = chain.blocks()[0]?.blockRef
    if (at === undefined) throw new Error('no block')
    await shortPools.check({ pools: [whole], poolSet: old, at })
    current = replaced
    await shortPools.writeFindings()
    expect(replaced.byNumber(row.number)).toEqual(whole)
    expect(shortPools.nextRechecks(9)).toEqual([whole])
    await shortPools.check({ pools: [whole], poolSet: replaced, at })
    await shortPools.writeFindings()
    expect(replaced.byNumber(row.number)?.state).toMatchObject(short)
    expect(old.byNumber(row.number)).toEqual(whole)
  })
})
