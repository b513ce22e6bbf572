import { beforeEach, describe, expect, it } from 'vitest'
import { tokens } from '../../test/support/domain/sample-market.ts'
import { logOf } from '../../test/support/domain/sample-pool.ts'
import { createFakeChain, type FakeChain } from '../../test/support/indexer/fake-chain.ts'
import { createJournal } from '../../test/support/indexer/journal.ts'
import { contractOf, encode, returned } from '../../test/support/indexer/market.ts'
import type { Address } from '../domain/units.ts'
import type { QuoteRequest } from '../ports/sources.ts'
import { bucketPoints, createChainlinkFeeds } from './chainlink-history.ts'

const { weth, native, apple } = tokens
const ethProxy: Address = `0x${'e0'.repeat(20)}`
const appleProxy: Address = `0x${'a0'.repeat(20)}`
const ethAggregator: Address = `0x${'e1'.repeat(20)}`
const appleAggregator: Address = `0x${'a1'.repeat(20)}`

const wantedOf = (address: Address, feed: Address | null): QuoteRequest => ({
  address,
  symbol: 'X',
  isStock: false,
  feedPer: 'token' as const,
  feed,
})

let chain: FakeChain
let wanted: QuoteRequest[]
beforeEach(() => {
  chain = createFakeChain()
  chain.mine()
  wanted = [wantedOf(weth, ethProxy), wantedOf(native, ethProxy), wantedOf(apple, null)]
  deploy(ethProxy, ethAggregator)
})

const deploy = (proxy: Address, aggregator: Address, decimals = 8): void => {
  chain.deploy(
    proxy,
    contractOf({
      'aggregator()': () => returned(encode('address', aggregator)),
      'decimals()': () => returned(encode('uint8', decimals)),
    }),
  )
}

const create = () =>
  createChainlinkFeeds({
    chain: chain.reader,
    logger: createJournal().logger,
    quoteRequests: () => wanted,
  })

const answerUpdated =
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)'

/** The log of an answer, in a block of 1800000100. */
const answer = (aggregator: Address, current: bigint, updatedTs = 1_800_000_090) => {
  const args = { current, roundId: 1n, updatedAt: BigInt(updatedTs) }
  chain.emit(logOf(aggregator, answerUpdated, args))
  const { block } = chain.mine(1_800_000_100 - chain.ts())
  const log = chain.blocks()[block - 1]?.logs[0]
  if (log === undefined) throw new Error('no log')
  return log
}

describe('an answer on the chain', () => {
  it('prices every token that its feed is for, at the time of its publisher', async () => {
    const feeds = create()
    expect(await feeds.refresh()).toBe(true)
    const point = { ts: 1_800_000_090, usd: 2500.5, source: 'chainlink' }
    expect(feeds.decodePrices(answer(ethAggregator, 250_050_000_000n))).toEqual([
      { address: weth, ...point },
      { address: native, ...point },
    ])
  })

  it.each([
    ['is of its block at the latest', 1n, 1_900_000_000, [1_800_000_100, 1_800_000_100]],
    ['of zero says nothing', 0n, 1_800_000_090, []],
    ['below zero says nothing', -1n, 1_800_000_090, []],
  ])('%s', async (_, current, updatedTs, times) => {
    const feeds = create()
    await feeds.refresh()
    const points = feeds.decodePrices(answer(ethAggregator, current, updatedTs))
    expect(points.map((point) => point.ts)).toEqual(times)
  })

  it('counts only from the aggregator, in the form that it has', async () => {
    const feeds = create()
    await feeds.refresh()
    expect(feeds.decodePrices(answer(ethProxy, 1n))).toEqual([])
    expect(feeds.decodePrices(answer(appleAggregator, 1n))).toEqual([])
    const log = answer(ethAggregator, 1n)
    expect(feeds.decodePrices({ ...log, data: '0x' })).toEqual([])
    expect(feeds.decodePrices({ ...log, topics: log.topics.slice(0, 1) })).toEqual([])
    expect(feeds.decodePrices({ ...log, topics: [] })).toEqual([])
  })

  it('is scaled by the decimals of its feed', async () => {
    deploy(ethProxy, ethAggregator, 18)
    const feeds = create()
    await feeds.refresh()
    expect(feeds.decodePrices(answer(ethAggregator, 3n * 10n ** 18n))[0]).toMatchObject({ usd: 3 })
  })
})

describe('the aggregators', () => {
  it('are asked again when the chain could not be asked', async () => {
    const feeds = create()
    chain.fail('callContracts', { kind: 'timeout', detail: 'late' }, 1)
    expect(await feeds.refresh()).toBe(false)
    expect(await feeds.refresh()).toBe(true)
    expect(feeds.decodePrices(answer(ethAggregator, 1n))).toHaveLength(2)
  })

  // The backfill of prices reads the known ones, and only once.
  it('are asked again when the node refused one call, but not for ever', async () => {
    chain.deploy(ethProxy, () => ({ ok: false, reason: 'unanswered' }))
    const feeds = create()
    for (let time = 0; time < 5; time++) expect(await feeds.refresh()).toBe(false)
    expect(await feeds.refresh()).toBe(true)
    deploy(ethProxy, ethAggregator, 8)
    expect(await feeds.refresh()).toBe(true)
    expect(feeds.decodePrices(answer(ethAggregator, 1n))).toHaveLength(2)
  })

  it('of a share price no token of the past, whose multiplier is not known', async () => {
    deploy(appleProxy, appleAggregator)
    wanted = [{ ...wantedOf(apple, appleProxy), feedPer: 'share' }]
    const feeds = create()
    expect(await feeds.refresh()).toBe(true)
    expect(feeds.aggregators()).toEqual([])
    expect(feeds.decodePrices(answer(appleAggregator, 1n))).toEqual([])
  })

  it('may be replaced; what the old one said still counts', async () => {
    const feeds = create()
    await feeds.refresh()
    const next: Address = `0x${'e2'.repeat(20)}`
    deploy(ethProxy, next)
    await feeds.refresh()
    expect(feeds.decodePrices(answer(next, 1n))).toHaveLength(2)
    expect(feeds.decodePrices(answer(ethAggregator, 1n))).toHaveLength(2)
  })

  it('are found for tokens that are listed later, of a known feed too', async () => {
    const feeds = create()
    await feeds.refresh()
    deploy(appleProxy, appleAggregator)
    wanted = [wantedOf(weth, ethProxy), wantedOf(apple, appleProxy), wantedOf(native, ethProxy)]
    await feeds.refresh()
    expect(feeds.decodePrices(answer(appleAggregator, 1n))).toMatchObject([{ address: apple }])
    wanted = [...wanted, wantedOf(tokens.tesla, appleProxy)]
    await feeds.refresh()
    expect(feeds.decodePrices(answer(appleAggregator, 1n))).toHaveLength(2)
  })

  it('of two proxies may be the same', async () => {
    deploy(appleProxy, ethAggregator)
    wanted = [wantedOf(weth, ethProxy), wantedOf(native, appleProxy)]
    const feeds = create()
    await feeds.refresh()
    expect(feeds.decodePrices(answer(ethAggregator, 1n))).toHaveLength(2)
  })

  it('that are none are passed over', async () => {
    chain.deploy(ethProxy, () => ({ ok: false, reason: 'reverted' }))
    deploy(appleProxy, appleAggregator)
    wanted = [...wanted, wantedOf(apple, appleProxy)]
    const feeds = create()
    expect(await feeds.refresh()).toBe(true)
    expect(feeds.decodePrices(answer(appleAggregator, 1n))).toMatchObject([{ address: apple }])
  })

  it('of no feed at all are not asked for', async () => {
    wanted = [wantedOf(apple, null)]
    expect(await create().refresh()).toBe(true)
    expect(chain.count('callContracts')).toBe(0)
  })
})

it('a price is the close of its minute, hour and day', () => {
  const point = { address: weth, ts: 1_800_000_090, usd: 1, source: 'chainlink' } as const
  expect(bucketPoints(point).map(({ width, ts }) => [width, ts])).toEqual([
    [60, 1_800_000_060],
    [3600, 1_800_000_000],
    [86_400, 1_799_971_200],
  ])
})
