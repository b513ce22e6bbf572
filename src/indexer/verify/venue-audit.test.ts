import { beforeEach, expect, test } from 'vitest'
import { rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import { factory, manager } from '../../../test/support/domain/sample-pool.ts'
import type { FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { type Market, one } from '../../../test/support/indexer/market.ts'
import { confirmations, passSeconds, startTestIndexer } from '../../../test/support/indexer/run.ts'
import { openStage } from '../../../test/support/indexer/stage.ts'
import { poolsOf } from '../../../test/support/indexer/stored.ts'
import type { Address } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'

const { apple, weth } = tokens
const message = 'Coverage audit found a creation log of a pool that is not indexed'
const passSecondsMax = 6 * 3600 + 700

let store: Store
let chain: FakeChain
let market: Market
beforeEach(() => {
  const stage = openStage(1_800_000_000)
  ;({ store, chain, market } = stage)
  return stage.close
})

const passOf = async () =>
  (await store.snapshot((snapshot) => snapshot.header()))?.coveragePass ?? null

const coverageOf = async (venue: Address) => {
  const row = (await passOf())?.venues.find(({ address }) => address === venue)
  if (row === undefined) return null
  const { pools, expected, checkedBlock } = row
  return { pools, expected, checkedBlock }
}

const openPools = () => {
  market.open('v3', { token0: apple, token1: weth, fee: 500 }, rootPrice(1n)).mint(-60, 60, one)
  market.open('v3', { token0: apple, token1: weth, fee: 3000 }, rootPrice(1n)).mint(-60, 60, one)
  return market.open('v4', { token0: apple, token1: weth }, rootPrice(1n))
}

test('each venue has the pools of its creation logs, v4 as well, up to the cursor', async () => {
  openPools()
  market.mineMany(1 + confirmations)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(20)
  expect(await passOf()).toBeNull()
  await passSeconds(40)
  const checkedBlock = (await store.snapshot((read) => read.header()))?.cursor?.block
  expect(await coverageOf(factory)).toEqual({ pools: 2, expected: 2, checkedBlock })
  expect(await coverageOf(manager)).toEqual({ pools: 1, expected: 1, checkedBlock })
  await run.stop()
})

test('a v4 pool that the first read lost is found by its log, searched and added', async () => {
  const lost = openPools()
  market.mineMany(1 + confirmations)
  chain.hideLogs(({ topics }) => topics[1] === lost.id)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(20)
  chain.hideLogs(() => false)
  await passSeconds(40)
  expect(await coverageOf(manager)).toMatchObject({ pools: 0, expected: 1 })
  expect(await coverageOf(factory)).toMatchObject({ pools: 2, expected: 2 })
  expect(run.journal.count(message)).toBe(0)
  await passSeconds(1300)
  expect(run.journal.of('warn')).toMatchObject([
    { message, fields: { pool: lost.id, venue: manager } },
  ])
  expect(await poolsOf(store)).toHaveLength(3)
  expect(await coverageOf(manager)).toMatchObject({ pools: 1, expected: 1 })
  await run.stop()
})

test('a pass that was interrupted continues, and the next one begins hours later', async () => {
  openPools()
  market.mineMany(1 + confirmations)
  const first = await startTestIndexer({ chain, store })
  await passSeconds(60)
  await first.stop()
  const before = await passOf()
  market.open('v4', { token0: apple, token1: weth, fee: 100 }, rootPrice(1n))
  market.mineMany(1 + confirmations)
  const second = await startTestIndexer({ chain, store })
  await passSeconds(60)
  const after = await passOf()
  expect(after?.scannedTo).toBeGreaterThan(before?.scannedTo ?? 0)
  expect(await coverageOf(manager)).toMatchObject({ pools: 2, expected: 2 })
  market.open('v4', { token0: apple, token1: weth, fee: 200 }, rootPrice(1n))
  market.mineMany(1 + confirmations)
  await passSeconds(1300)
  expect(await passOf()).toEqual(after)
  await passSeconds(passSecondsMax)
  expect(await coverageOf(manager)).toMatchObject({ pools: 3, expected: 3 })
  await second.stop()
})

test('an endpoint without an answer leaves the audit where it was', async () => {
  openPools()
  market.mineMany(1 + confirmations)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(20)
  chain.fail('logs', { kind: 'unreachable', detail: 'down' })
  await passSeconds(40)
  expect(await coverageOf(factory)).toMatchObject({ expected: null, checkedBlock: null })
  chain.heal()
  await passSeconds(700)
  expect(await coverageOf(factory)).toMatchObject({ pools: 2, expected: 2 })
  await run.stop()
})
