import { describe, expect, it } from 'vitest'
import { failure, success } from '../domain/outcome.ts'
import type { CallResult, ChainReader, ContractCall, RpcFault } from '../ports/chain-reader.ts'
import { createChainlinkSource } from './chainlink.ts'

const now = 1_790_189_020
/** Feeds of AAPL and NVDA on Robinhood Chain. */
const aaplFeed = '0x6b22a786baa607d76728168703a39ea9c99f2cd0'
const nvdaFeed = '0x379ec4f7c378f34a1b47e4f3cbebcbac3e8e9f15'
const aapl = {
  address: `0x${'aa'.repeat(20)}`,
  symbol: 'AAPL',
  isStock: true,
  feedPer: 'token' as const,
  feed: aaplFeed,
} as const
const nvda = {
  address: `0x${'dd'.repeat(20)}`,
  symbol: 'NVDA',
  isStock: true,
  feedPer: 'token' as const,
  feed: nvdaFeed,
} as const
const plain = {
  address: `0x${'ee'.repeat(20)}`,
  symbol: 'PLAIN',
  isStock: true,
  feedPer: 'token' as const,
  feed: null,
} as const

const word = (value: bigint | number): string =>
  BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')
type Round = { roundId?: bigint; answer?: bigint; updatedAt?: number; answeredIn?: bigint }
const round = ({ roundId = 7n, answer = 22_538_000_000n, ...rest }: Round = {}): CallResult => {
  const { updatedAt = now - 100, answeredIn = roundId } = rest
  const words = [roundId, answer, updatedAt, updatedAt, answeredIn]
  return { ok: true, data: `0x${words.map(word).join('')}` }
}
const decimals = (value: number): CallResult => ({ ok: true, data: `0x${word(value)}` })
const reverted: CallResult = { ok: false, reason: 'reverted' }

type Feed = { readonly round: CallResult; readonly decimals: CallResult }
const chainOf = (feeds: Readonly<Record<string, Feed>>, fault?: RpcFault) => {
  const asked: ContractCall[][] = []
  const chain: Pick<ChainReader, 'callContracts'> = {
    callContracts: async (calls) => {
      asked.push([...calls])
      if (fault !== undefined) return failure(fault)
      return success(
        calls.map(({ to, data }) => {
          const feed = feeds[to]
          return (data === '0x313ce567' ? feed?.decimals : feed?.round) ?? reverted
        }),
      )
    },
  }
  return { source: createChainlinkSource({ chain }), asked }
}
const one = (over: Partial<Feed>) =>
  chainOf({ [nvdaFeed]: { round: round(), decimals: decimals(8), ...over } }).source

describe("Chainlink's feeds", () => {
  it('the answer is the price of a token, exact to the last digit', async () => {
    const { source } = chainOf({ [nvdaFeed]: { round: round(), decimals: decimals(8) } })
    expect(await source.read([nvda], now)).toEqual({
      ok: true,
      value: {
        quotes: [
          {
            address: nvda.address,
            source: 'chainlink',
            per: 'token',
            bid: null,
            ask: null,
            last: 225.38,
            publishedTs: now - 100,
            fetchedTs: now,
            halted: false,
            haltTs: null,
            lapse: null,
          },
        ],
        refused: [],
        expected: 1,
      },
    })
  })

  it('of a feed that leaves out the multiplier it is the price of a share', async () => {
    const { source } = chainOf({ [nvdaFeed]: { round: round(), decimals: decimals(8) } })
    const share = { ...nvda, feedPer: 'share' as const }
    expect(await source.read([share], now)).toMatchObject({
      value: { quotes: [{ source: 'chainlink', per: 'share', last: 225.38 }] },
    })
  })

  it('only tokens with a feed are expected, and a feed of two tokens is asked once', async () => {
    const feed = { round: round(), decimals: decimals(8) }
    const { source, asked } = chainOf({ [nvdaFeed]: feed })
    const twin = { ...aapl, feed: nvda.feed }
    const read = await source.read([plain, nvda, twin], now)
    expect(read).toMatchObject({
      value: { quotes: [{ address: nvda.address }, { address: twin.address }], expected: 2 },
    })
    expect(asked[0]).toHaveLength(2)
  })

  it('a scale is asked for once; one that could not be read is asked for again', async () => {
    const feeds: Record<string, Feed> = {
      [aaplFeed]: { round: round(), decimals: reverted },
      [nvdaFeed]: { round: round(), decimals: decimals(18) },
    }
    const { source, asked } = chainOf(feeds)
    expect(await source.read([aapl, nvda], now)).toMatchObject({
      value: {
        quotes: [{ last: 2.2538e-8 }],
        refused: [{ symbol: 'AAPL', reason: 'decimals-unknown' }],
      },
    })
    feeds[aaplFeed] = { round: round(), decimals: decimals(8) }
    expect(await source.read([aapl, nvda], now)).toMatchObject({ value: { refused: [] } })
    expect(asked.map((calls) => calls.length)).toEqual([4, 3])
  })

  it('nothing is asked where nothing has a feed', async () => {
    const { source, asked } = chainOf({})
    expect(await source.read([plain], now)).toEqual({
      ok: true,
      value: { quotes: [], refused: [], expected: 0 },
    })
    expect(asked).toEqual([])
  })

  it.each<[string, Partial<Feed>, string]>([
    ['reverts', { round: reverted }, 'feed-reverted'],
    [
      'is not called by the node',
      { round: { ok: false, reason: 'unanswered' } },
      'feed-unanswered',
    ],
    ['has no code', { round: { ok: true, data: '0x' } }, 'answer-malformed'],
    ['answers one word', { round: decimals(8) }, 'answer-malformed'],
    ['answers zero', { round: round({ answer: 0n }) }, 'answer-not-positive'],
    ['answers below zero', { round: round({ answer: -1n }) }, 'answer-not-positive'],
    ['has no round yet', { round: round({ updatedAt: 0 }) }, 'round-incomplete'],
    ['carries over an old round', { round: round({ answeredIn: 6n }) }, 'round-incomplete'],
    ['speaks of the future', { round: round({ updatedAt: now + 31 }) }, 'clock-ahead'],
    ['counts in milliseconds', { round: round({ updatedAt: now * 1000 }) }, 'time-in-milliseconds'],
    ['has a time beyond all', { round: round({ updatedAt: 2 ** 200 }) }, 'time-malformed'],
    ['has 37 decimals', { decimals: decimals(37) }, 'decimals-unknown'],
    ['has absurd decimals', { decimals: decimals(0x67e53c31) }, 'decimals-unknown'],
  ])('a feed that %s is refused', async (_, over, reason) => {
    expect(await one(over).read([nvda], now)).toMatchObject({
      value: { quotes: [], refused: [{ symbol: 'NVDA', reason }], expected: 1 },
    })
  })

  it('returns an old answer with its age', async () => {
    const weekend = round({ updatedAt: now - 66 * 3600 })
    expect(await one({ round: weekend }).read([nvda], now)).toMatchObject({
      value: { quotes: [{ publishedTs: now - 66 * 3600 }] },
    })
  })

  it.each([
    ['rate-limited', { kind: 'rate-limited', retryAfterSeconds: 1, detail: 'h' }],
    ['malformed', { kind: 'malformed', detail: 'h' }],
    ['unreachable', { kind: 'timeout', detail: 'h' }],
    ['unreachable', { kind: 'wrong-chain', detail: 'h' }],
  ] as const)('%s when the chain is not there', async (kind, fault) => {
    const { source } = chainOf({}, fault)
    expect(await source.read([nvda], now)).toEqual({ ok: false, fault: { kind, detail: 'h' } })
  })
})
