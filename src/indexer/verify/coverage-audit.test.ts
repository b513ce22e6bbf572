import { beforeEach, expect, test } from 'vitest'
import { rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import { factory } from '../../../test/support/domain/sample-pool.ts'
import type { FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { encode, type Market, one } from '../../../test/support/indexer/market.ts'
import { confirmations, passSeconds, startTestIndexer } from '../../../test/support/indexer/run.ts'
import { openStage } from '../../../test/support/indexer/stage.ts'
import { poolsOf, sourceOf } from '../../../test/support/indexer/stored.ts'
import type { Address } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'

const { apple, weth } = tokens
const message = 'Coverage audit found a pool that is not indexed, its stock is searched again'

let store: Store
let chain: FakeChain
let market: Market
beforeEach(() => {
  const stage = openStage(1_800_000_000)
  ;({ store, chain, market } = stage)
  return stage.close
})

/** The factory has a pool of AAPL and WETH at the one fee that it has enabled. */
const deployFactory = (pool: Address, fee = 3000) => {
  const word = (value: string) => value.padStart(64, '0')
  const asked = `0x1698ee82${word(apple.slice(2))}${word(weth.slice(2))}${word(fee.toString(16))}`
  const spacingAsked = `0x22afcccb${word(fee.toString(16))}`
  const questions: string[] = []
  chain.deploy(factory, (data) => {
    questions.push(data)
    if (data.startsWith('0x22afcccb')) {
      return { ok: true, data: encode('uint256', data === spacingAsked ? 60n : 0n) }
    }
    return { ok: true, data: encode('address', data === asked ? pool : `0x${'0'.repeat(40)}`) }
  })
  return { questions }
}

const coverageOf = async () => (await store.snapshot((snapshot) => snapshot.header()))?.coverage

test('a pool that its factory has and the index lacks is reported after two audits', async () => {
  const lost: Address = `0x${'77'.repeat(20)}`
  market.open('v3', { token0: apple, token1: weth }, rootPrice(1n)).mint(-6000, 6000, one)
  market.mineMany(1 + confirmations)
  deployFactory(lost)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(60)
  expect(run.journal.count(message)).toBe(0)
  expect(await coverageOf()).toBeNull()
  await passSeconds(620)
  expect(run.journal.of('warn')).toMatchObject([{ message, fields: { pool: lost, stock: apple } }])
  expect(await sourceOf(store, 'pools')).toMatchObject({
    partial: true,
    lastError: `1 of 1 pools of v3 factories are not indexed: ${lost}`,
  })
  expect(await coverageOf()).toMatchObject({ checked: 1, missing: 1 })
  await run.stop()
})

test('a pool that the first read lost is searched again, and added with its history', async () => {
  const kept = market.open('v3', { token0: apple, token1: weth, fee: 500 }, rootPrice(1n))
  kept.mint(-6000, 6000, one)
  const pool = market.open('v3', { token0: apple, token1: weth, fee: 3000 }, rootPrice(1n))
  pool.mint(-6000, 6000, one)
  market.mineMany(1 + confirmations)
  deployFactory(pool.id)
  chain.hideLogs(({ address, data }) => address === pool.id || data.endsWith(pool.id.slice(2)))
  const run = await startTestIndexer({ chain, store })
  await passSeconds(10)
  expect(await poolsOf(store)).toHaveLength(1)
  chain.hideLogs(() => false)
  await passSeconds(1900)
  expect(run.journal.count(message)).toBe(1)
  const pools = await poolsOf(store)
  expect(pools).toHaveLength(2)
  expect(pools.find(({ id }) => id === pool.id)).toMatchObject({ price: pool.price() })
  expect(await coverageOf()).toMatchObject({ checked: 1, missing: 0 })
  expect(await sourceOf(store, 'pools')).toMatchObject({ partial: false, lastError: null })
  await run.stop()
})

test.each([200, 3000, 20_000])('an indexed pool of fee %i is not missing', async (fee) => {
  const pool = market.open('v3', { token0: apple, token1: weth, fee }, rootPrice(1n))
  pool.mint(-6000, 6000, one)
  market.mineMany(1 + confirmations)
  const { questions } = deployFactory(pool.id, fee)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(60)
  expect(await coverageOf()).toEqual({
    checkedTs: expect.toSatisfy((ts) => ts > 1_800_000_030 && ts <= 1_800_000_060),
    checked: 1,
    missing: 0,
  })
  // Nothing is asked for the fees that the factory has not enabled.
  const feesAsked = questions.filter((data) => data.startsWith('0x1698ee82'))
  expect(new Set(feesAsked.map((data) => Number(`0x${data.slice(-64)}`)))).toEqual(new Set([fee]))
  await passSeconds(1300)
  expect(run.journal.count(message)).toBe(0)
  expect(await sourceOf(store, 'pools')).toMatchObject({ partial: false, lastError: null })
  await run.stop()
})

test('a factory without a list of fees is asked for all of them', async () => {
  const pool = market.open('v3', { token0: apple, token1: weth, fee: 500 }, rootPrice(1n))
  pool.mint(-6000, 6000, one)
  market.mineMany(1 + confirmations)
  chain.deploy(factory, (data) =>
    data.startsWith('0x1698ee82')
      ? { ok: true, data: encode('address', pool.id) }
      : { ok: false, reason: 'reverted' },
  )
  const run = await startTestIndexer({ chain, store })
  await passSeconds(60)
  expect(await coverageOf()).toMatchObject({ checked: 1, missing: 0 })
  await run.stop()
})

test('an audit with a refused call is repeated, and only a complete one is stored', async () => {
  const pool = market.open('v3', { token0: apple, token1: weth, fee: 500 }, rootPrice(1n))
  pool.mint(-6000, 6000, one)
  market.mineMany(1 + confirmations)
  chain.deploy(factory, () => ({ ok: false, reason: 'unanswered' }))
  const run = await startTestIndexer({ chain, store })
  await passSeconds(60)
  expect(await coverageOf()).toBeNull()
  deployFactory(pool.id, 500)
  await passSeconds(620)
  expect(await coverageOf()).toMatchObject({ checked: 1, missing: 0 })
  await run.stop()
})

test('a factory that answers nothing counts as no checked pool', async () => {
  market.open('v3', { token0: apple, token1: weth }, rootPrice(1n)).mint(-6000, 6000, one)
  market.mineMany(1 + confirmations)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(60)
  expect(await coverageOf()).toMatchObject({ checked: 0, missing: 0 })
  await run.stop()
})
