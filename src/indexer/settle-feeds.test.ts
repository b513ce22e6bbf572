import { beforeEach, expect, it } from 'vitest'
import { rootPrice, tokens } from '../../test/support/domain/sample-market.ts'
import type { FakeChain } from '../../test/support/indexer/fake-chain.ts'
import { type Market, one } from '../../test/support/indexer/market.ts'
import { confirmations, passSeconds, startTestIndexer } from '../../test/support/indexer/run.ts'
import { openStage } from '../../test/support/indexer/stage.ts'
import { openStore, swapsOf } from '../../test/support/indexer/stored.ts'
import type { ChainLog } from '../domain/chain/log.ts'
import { success } from '../domain/outcome.ts'
import { answerUpdatedTopic } from '../domain/stock/onchain-events.ts'
import type { BlockNumber } from '../domain/units.ts'
import type { ChainReader } from '../ports/chain-reader.ts'
import type { Store } from '../ports/store.ts'

/*
 *   ether   2500 ............ 5000 ..........
 *   minute  0        1        2        3
 *   swaps            *                 *
 *
 * An endpoint omits the log of a doubled price until the blocks are finalized.
 */

const { apple, weth } = tokens
const startTs = 1_800_000_000

let store: Store
let chain: FakeChain
let market: Market
beforeEach(() => {
  const stage = openStage(startTs + 600)
  ;({ store, chain, market } = stage)
  return stage.close
})

/** Prices and swaps of three minutes; then blocks of nothing. */
const trade = (): void => {
  market.publishEth(2500)
  market.mine(60)
  const pool = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n, 4n))
  pool.mint(-60_000, 60_000, 100n * one)
  pool.swapTo(rootPrice(26n, 100n))
  market.mine(60)
  market.publishEth(5000)
  market.mine(60)
  pool.swapTo(rootPrice(27n, 100n))
  market.mineMany(1 + confirmations)
}

/** The chain says that everything up to this block is final; at first nothing is. */
const withFinality = ({ reader }: FakeChain) => {
  const finality: { block: BlockNumber | null } = { block: null }
  const heads: ChainReader['getHeads'] = async () => {
    const heads = await reader.getHeads()
    if (!heads.ok || finality.block === null) return heads
    const final = await reader.getBlockRef(finality.block)
    return final.ok ? success({ ...heads.value, finalized: final.value }) : heads
  }
  return { finality, chain: { ...chain, reader: { ...reader, getHeads: heads } } }
}

/** What the store says of ether and of the pool. */
const read = async () => {
  const span = { fromTs: startTs, toTs: startTs + 600 }
  const header = await store.snapshot((snapshot) => snapshot.header())
  const { rows } = await store.snapshot((snapshot) =>
    snapshot.references({ address: weth, width: 60, ...span }),
  )
  const hour = await store.snapshot((snapshot) =>
    snapshot.references({ address: weth, width: 3600, ...span, fromTs: startTs - 3600 }),
  )
  const swaps = await swapsOf(store, 1)
  return {
    repairs: header?.repairs,
    minutes: rows.filter(({ source }) => source === 'chainlink').map(({ usd }) => usd),
    hour: hour.rows.map(({ usd }) => usd),
    swaps: swaps.toReversed().map(({ usdMicro }) => usdMicro),
  }
}

const isAnswer = ({ topics }: ChainLog): boolean => topics[0] === answerUpdatedTopic

it('a price that was missed is completed, and prices the swaps of its time', async () => {
  trade()
  const undisturbed = await startTestIndexer({ chain, store })
  await passSeconds(2)
  const whole = await read()
  expect(whole).toMatchObject({ repairs: 0, minutes: [2500, 5000], hour: [5000] })
  await undisturbed.stop()
  await store.close()

  store = openStore()
  const endpoint = withFinality(chain)
  chain.hideLogs((log) => isAnswer(log) && log.block > 1)
  const run = await startTestIndexer({ ...endpoint, store })
  await passSeconds(2)
  expect(await read()).toMatchObject({ minutes: [2500], hour: [2500] })
  chain.hideLogs(() => false)
  endpoint.finality.block = 3
  await passSeconds(3)
  expect(await read()).toEqual({ ...whole, repairs: 1 })
  const settled = async () =>
    (await store.snapshot((each) => each.header()))?.finalizedCursor?.block
  expect(await settled()).toBe(3)
  // It is compared once: what was completed is not found missing again.
  await passSeconds(30)
  expect(await read()).toEqual({ ...whole, repairs: 1 })
  await run.stop()
})
