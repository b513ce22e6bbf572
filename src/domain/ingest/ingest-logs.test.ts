import { describe, expect, it } from 'vitest'
import { createSampleChain, type SampleChain } from '../../../test/support/domain/sample-chain.ts'
import {
  createSampleIndex,
  poolOf,
  rootPrice,
  tokens,
} from '../../../test/support/domain/sample-market.ts'
import type { SamplePool } from '../../../test/support/domain/sample-pool.ts'
import type { Address, PoolId } from '../units.ts'
import { ingestLogs } from './ingest-logs.ts'

const ether = 10n ** 18n
const { usdg, apple, weth, tesla, meme, otherMeme, native } = tokens
const pair = { token0: apple, token1: weth }

const idsOf = (pools: readonly { readonly id: PoolId }[]) => pools.map((pool) => pool.id)

const withPool = (version: 'v3' | 'v4' = 'v3') => {
  const chain = createSampleChain()
  const pool = poolOf(chain.emit, version, pair)
  pool.create(rootPrice(1n))
  pool.mint(-600, 600, ether)
  chain.mine()
  return { chain, pool, index: createSampleIndex() }
}

/** The same topics from a contract that is not configured. */
const emitForeignTwin = (chain: SampleChain, pool: SamplePool, address: Address): void => {
  const twin = poolOf((log) => chain.emit({ ...log, address }), 'v3', pair)
  twin.create(rootPrice(1n))
  twin.mint(-600, 600, ether)
  twin.swapTo(rootPrice(2n))
  expect(twin.id).toBe(pool.id)
}

describe('which pools are followed', () => {
  it.each([
    ['a stock and a trusted token', apple, weth, true],
    ['a stock and dollars', usdg, apple, true],
    ['a stock and native ETH', native, apple, true],
    ['two stocks', apple, tesla, true],
    ['a stock and a meme', apple, meme, true],
    ['two trusted tokens, for their price', usdg, weth, true],
    ['a meme and a trusted token', weth, meme, false],
    ['two memes', meme, otherMeme, false],
  ])('%s', (_, token0, token1, isFollowed) => {
    for (const version of ['v3', 'v4'] as const) {
      const chain = createSampleChain()
      const pool = poolOf(chain.emit, version, { token0, token1 })
      pool.create(rootPrice(1n))
      pool.mint(-600, 600, ether)
      pool.swapTo(rootPrice(101n, 100n))
      chain.mine()
      const index = createSampleIndex()
      const ingested = index.ingest(chain.logs())
      expect(idsOf(ingested.pools)).toEqual(isFollowed ? [pool.id] : [])
      expect([...index.book.all()]).toHaveLength(isFollowed ? 1 : 0)
      expect(ingested.swaps).toHaveLength(isFollowed ? 1 : 0)
      expect(ingested.blocks).toHaveLength(isFollowed ? 1 : 0)
      expect(ingested.rejected).toEqual([])
    }
  })

  it('not one whose stock the chain has disproven', () => {
    const { chain, index } = withPool()
    index.stocks.delete(apple)
    expect(index.ingest(chain.logs()).pools).toEqual([])
    expect(index.book.size()).toBe(0)
  })

  it('each once, under a number that counts up', () => {
    const { chain, pool, index } = withPool()
    const second = poolOf(chain.emit, 'v4', pair)
    second.create(rootPrice(1n))
    pool.create(rootPrice(3n))
    chain.mine()
    const { pools } = index.ingest(chain.logs())
    expect(pools.map((each) => [each.number, each.id])).toEqual([
      [1, pool.id],
      [2, second.id],
    ])
    expect(pools[0]).toMatchObject({ createdBlock: 100, createdTs: 1_800_000_001 })
  })

  it('no foreign contract that emits the very same topics', () => {
    const { chain, pool, index } = withPool()
    const before = index.ingest(chain.logs())
    emitForeignTwin(chain, pool, `0x${'d'.repeat(40)}`)
    chain.mine()
    const after = index.ingest(chain.blocks().at(-1)?.logs ?? [])
    expect(after).toMatchObject({ swaps: [], liquidity: [], touched: [], blocks: [], rejected: [] })
    expect(index.book.byId(pool.id)).toEqual(before.touched[0])
  })
})

describe('what a range of logs leaves', () => {
  it.each(['v3', 'v4'] as const)('swaps of %s signed as the pool sees them', (version) => {
    const { chain, pool, index } = withPool(version)
    // The price rises: a trader pays token1 for token0.
    const received = pool.swapTo(rootPrice(101n, 100n))
    chain.mine()
    const { swaps } = index.ingest(chain.logs())
    expect(received.amount0 < 0n && received.amount1 > 0n).toBe(true)
    expect(swaps).toMatchObject([
      {
        pool: 1,
        block: 101,
        logIndex: 0,
        ts: 1_800_000_002,
        ...received,
        sqrtPriceX96: rootPrice(101n, 100n),
        liquidity: ether,
        tick: 199,
        fee: version === 'v4' ? 3000 : null,
        sender: `0x${'9'.repeat(40)}`,
        recipient: version === 'v3' ? `0x${'9'.repeat(40)}` : null,
      },
    ])
  })

  it('the ticks that moved as they are at its end, empty ones with a gross of 0', () => {
    const { chain, pool, index } = withPool()
    pool.mint(0, 600, 2n * ether)
    pool.burn(-600, 600, ether)
    chain.mine()
    const { ticks, liquidity } = index.ingest(chain.logs())
    expect(ticks).toEqual([
      { pool: 1, tick: -600, net: 0n, gross: 0n },
      { pool: 1, tick: 600, net: -2n * ether, gross: 2n * ether },
      { pool: 1, tick: 0, net: 2n * ether, gross: 2n * ether },
    ])
    expect(liquidity.map((each) => [each.tickLower, each.liquidityDelta])).toEqual([
      [-600, ether],
      [0, 2n * ether],
      [-600, -ether],
    ])
  })

  it('the blocks that it took something from', () => {
    const { chain, pool, index } = withPool()
    chain.mine()
    pool.swapTo(rootPrice(101n, 100n))
    pool.swapTo(rootPrice(100n, 101n))
    chain.mine()
    const { blocks } = index.ingest(chain.logs())
    expect(blocks).toEqual([chain.blocks()[0]?.blockRef, chain.blocks()[2]?.blockRef])
  })

  it('how many logs cannot be true, by reason, and the first of each', () => {
    const { chain, index } = withPool('v4')
    const [created] = chain.logs()
    if (created === undefined) throw new Error('no log')
    const torn = Array.from({ length: 150 }, (_, logIndex) => {
      return { ...created, data: '0x' as const, logIndex }
    })
    const forgedId = `0x${'7'.repeat(64)}` as const
    const forged = { ...created, topics: created.topics.with(1, forgedId) }
    const { rejected: refused, pools } = index.ingest([...torn, forged, created])
    expect(refused).toEqual([
      {
        reason: 'Initialize: not the shape of this event',
        example: `block ${created.block}, log 0 of ${created.address}`,
        count: 150,
      },
      {
        reason: 'the id of a v4 pool does not follow from its key',
        example: `pool ${forgedId} of ${created.address}`,
        count: 1,
      },
    ])
    expect(pools).toHaveLength(1)
  })

  it('prices swaps by references observed before them, not after', () => {
    const { chain, pool, index } = withPool()
    for (const root of [101n, 102n, 103n]) pool.swapTo(rootPrice(root, 100n))
    chain.mine()
    const logs = chain.logs()
    const observedLog = logs[logs.length - 2]
    const observe = (log: (typeof logs)[number]) => {
      if (log === observedLog) index.references.add(weth, { ts: log.ts, usd: 2500 })
    }
    const { swaps } = ingestLogs(logs, { ...index.deps, observe })
    const prices = swaps.map((swap) => (swap.usdMicro === null ? null : swap.estimated))
    // The pool's own price needs a reference of WETH, too.
    expect(prices).toEqual([null, false, false])
  })

  it('a protocol fee without a candle or a block, and none of a pool that is not followed', () => {
    const { chain, pool, index } = withPool('v4')
    const stranger = poolOf(chain.emit, 'v4', { token0: meme, token1: otherMeme })
    const before = index.ingest(chain.logs())
    const known = chain.logs().length
    stranger.setProtocolFee(7)
    pool.setProtocolFee(500 | (300 << 12))
    const { block } = chain.mine()
    const { touched, ...rest } = index.ingest(chain.logs().slice(known))
    const [funded] = before.touched
    const fees = { lpFee: 3000, protocolFee: 500 | (300 << 12), block }
    expect(touched).toEqual([{ ...funded, state: { ...funded?.state, fees } }])
    const { blocks, candles, rejected, swaps } = rest
    expect([blocks, candles, rejected, swaps]).toEqual([[], [], [], []])
  })

  it('returns nothing for no logs', () => {
    expect(createSampleIndex().ingest([])).toEqual({
      blocks: [],
      pools: [],
      touched: [],
      ticks: [],
      swaps: [],
      liquidity: [],
      candles: [],
      rejected: [],
    })
  })
})
