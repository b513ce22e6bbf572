import { beforeEach, describe, expect, it } from 'vitest'
import { rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import type { FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { type Market, one } from '../../../test/support/indexer/market.ts'
import { createFakeQuotes } from '../../../test/support/indexer/quotes.ts'
import { confirmations, passSeconds, startTestIndexer } from '../../../test/support/indexer/run.ts'
import { openStage } from '../../../test/support/indexer/stage.ts'
import { poolsOf } from '../../../test/support/indexer/stored.ts'
import type { Store } from '../../ports/store.ts'

const { apple, weth, meme } = tokens
const startTs = 1_800_000_000

let store: Store
let chain: FakeChain
let market: Market
beforeEach(() => {
  const stage = openStage(startTs)
  ;({ store, chain, market } = stage)
  return stage.close
})

const openApple = () => {
  const pool = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n, 4n))
  pool.mint(-60_000, 60_000, 100n * one)
  market.mine()
  return pool
}

describe('hot pools', () => {
  const quoteSources = () => [createFakeQuotes('chainlink', { [weth]: 2500, [apple]: 156 }).source]

  /** Follows a trading pool for a while and returns when it was last hot. */
  const lastHotOf = async (trade: () => void, seconds = 40): Promise<number | null | undefined> => {
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store, quoteSources: quoteSources() })
    await passSeconds(1)
    trade()
    for (let second = 0; second < seconds; second++) {
      market.mine()
      await passSeconds(1)
    }
    await run.stop()
    return (await poolsOf(store))[0]?.lastHotTs
  }

  it('are those that trade a lot', async () => {
    const pool = openApple()
    const hot = await lastHotOf(() => pool.swapTo(rootPrice(26n, 100n)))
    expect(hot).toBeGreaterThan(startTs + 20)
  })

  it('are not those without trades, however deep', async () => {
    openApple()
    expect(await lastHotOf(() => {})).toBe(null)
  })

  it('are those that trade a little and are deep', async () => {
    const pool = openApple()
    const tiny = rootPrice(1n, 4n) + rootPrice(1n, 10_000_000n)
    expect(await lastHotOf(() => pool.swapTo(tiny))).toBeGreaterThan(startTs)
  })

  it('are not those that trade a little and are shallow', async () => {
    const pool = market.open('v4', { token0: apple, token1: meme }, rootPrice(1n))
    pool.mint(-60, 60, one)
    market.mine()
    expect(await lastHotOf(() => pool.swapTo(rootPrice(1001n, 1000n)))).toBe(null)
  })

  it('are not those whose hook keeps the tokens, however deep their map', async () => {
    const hooks = '0x0000000000000000000000000000000000000004'
    const pool = market.open('v4', { token0: apple, token1: weth, hooks }, rootPrice(1n, 4n))
    pool.mint(-60_000, 60_000, 100n * one)
    market.mine()
    const tiny = rootPrice(1n, 4n) + rootPrice(1n, 10_000_000n)
    expect(await lastHotOf(() => pool.swapTo(tiny))).toBe(null)
  })
})
