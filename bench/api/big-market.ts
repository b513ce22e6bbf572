import { systemClock } from '../../src/cli/clock.ts'
import { policyDefault } from '../../src/domain/status/freshness.ts'
import type { ChangeEvent } from '../../src/market/changes.ts'
import { createMarket } from '../../src/market/create-market.ts'
import { addressOf, keyOf, stateOf, tokens } from '../../test/support/domain/sample-inputs.ts'
import { beaconStandard } from '../../test/support/domain/sample-standard.ts'
import { createMemoryStore } from '../../test/support/market/memory-store.ts'
import {
  allTokens,
  anchorAt,
  candleOf,
  poolOf,
  quotesAt,
  stocks,
  swapOf,
  trusted,
} from '../../test/support/market/sample-market.ts'

const logger = { debug: () => {}, info: () => {}, warn: console.error, error: console.error }

/** Most pools of a real chain pair a stock with a meme and are rarely traded. */
const bigPoolOf = (number: number, ts: number) => {
  const isMeme = number % 20 !== 1
  const other = isMeme ? addressOf(0xc000000 + number) : tokens.usdg
  const reserves = { amount0: BigInt(number) * 10n ** 17n, amount1: BigInt(number) * 10n ** 8n }
  const lastSwap = number % 7 === 0 ? { lastSwapBlock: 900, lastSwapTs: ts - 600 } : {}
  return poolOf(number, { key: keyOf({ token1: other }), reserves, ...lastSwap })
}

const tokenNamed = (number: number) => ({
  ...(allTokens[5] as (typeof allTokens)[number]),
  address: addressOf(0xc000000 + number),
  symbol: { known: true, value: `MEME${number.toString(36)}` } as const,
  name: { known: true, value: `Meme number ${number}` } as const,
})

/** Pools with ticks, which are asked for quotes. */
const quotedPoolsMax = 100
const positionsEach = 10

export const listQuotedPools = (pools: number) =>
  Array.from({ length: Math.min(pools, quotedPoolsMax) }, (_, at) => poolOf(at + 1))

/** Ranges around the price, each within the next, that add up to the pool's liquidity. */
const ticksOf = (pool: number) => {
  const { price, liquidity: gross } = stateOf()
  const { tickSpacing } = keyOf()
  const liquidity = gross / BigInt(positionsEach)
  const below = Math.floor((price?.tick ?? 0) / tickSpacing)
  return Array.from({ length: positionsEach }, (_, at) => [
    { pool, tick: (below - at) * tickSpacing, net: liquidity, gross: liquidity },
    { pool, tick: (below + 1 + at) * tickSpacing, net: -liquidity, gross: liquidity },
  ]).flat()
}

/** As many candles and swaps as a pool's detail shows. */
const detailOf = (ts: number) => ({
  candles: Array.from({ length: 288 }, (_, at) =>
    candleOf(ts - (ts % 300) - at * 300, { width: 300 as 60 }),
  ),
  swaps: Array.from({ length: 100 }, (_, at) => swapOf(990 - at, { ts: ts - at * 60 })),
})

/** A market of `pools` pools whose chain advances: blocks and quotes. */
export const createBigMarket = async (pools: number) => {
  const store = createMemoryStore()
  const startTs = systemClock.now()
  let block = 1000
  const headerAt = (ts: number) => ({
    cursor: anchorAt(block, ts - 1),
    head: anchorAt(block + 20, ts),
    enrichedTs: ts,
    writerStartedTs: startTs,
  })
  const numbers = Array.from({ length: pools }, (_, at) => at + 1)
  store.write({
    header: headerAt(startTs),
    pools: numbers.map((number) => bigPoolOf(number, startTs)),
    ticks: listQuotedPools(pools).flatMap(({ number }) => ticksOf(number)),
    tokens: [...allTokens, ...numbers.map(tokenNamed)],
    stocks,
    quotes: quotesAt(startTs),
    ...detailOf(startTs),
  })
  const market = createMarket({
    store,
    clock: systemClock,
    logger,
    policy: policyDefault,
    trusted,
    reviewedHooks: new Map(),
    standardOf: beaconStandard(null),
    venues: new Map(),
    methodologyVersion: '1.0.0',
    network: { name: 'bench', chainId: 4663 },
    isScreenerEnabled: false,
  })
  const listeners = new Set<(events: readonly ChangeEvent[]) => void>()
  await market.refresh()
  market.start()
  const data = { afterBlock: null, ts: startTs }
  return {
    market: {
      ...market,
      subscribe: (listener: (events: readonly ChangeEvent[]) => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    /** Advances the chain by half a second. */
    advanceChain: () => {
      const ts = systemClock.now()
      block += 5
      store.write({ header: headerAt(ts), quotes: quotesAt(ts) })
    },
    emitEvents: (count: number) => {
      const events: ChangeEvent[] = Array.from({ length: count }, () => ({
        topic: 'rollback',
        data,
        about: null,
      }))
      for (const listener of listeners) listener(events)
    },
  }
}
