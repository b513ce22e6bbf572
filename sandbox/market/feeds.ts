import { parseAbi } from 'viem'
import type { Call } from '../chain/sender.ts'
import type { Feed, World } from '../world/world.ts'
import { encodeCall } from './calls.ts'
import type { Prices } from './prices.ts'

export type FeedPolicy = {
  /** Relative price change that triggers an answer. */
  readonly deviation: number
  /** Longest time between two answers. */
  readonly heartbeatSeconds: number
  /** Shortest time between two answers. */
  readonly intervalSecondsMin: number
}

export const pastPolicy: FeedPolicy = {
  deviation: 0.002,
  heartbeatSeconds: 3_600,
  intervalSecondsMin: 300,
}

export const livePolicy: FeedPolicy = {
  deviation: 0.005,
  heartbeatSeconds: 180,
  intervalSecondsMin: 0,
}

const aggregatorAbi = parseAbi(['function submit(int256 answer)'])

const answerScale = 1e8

/** Calls that submit the answers that are due. A paused oracle keeps its last answer. */
export function dueFeedAnswers(
  world: World,
  prices: Prices,
  now: number,
  policy: FeedPolicy,
): Call[] {
  return world.feeds
    .filter((feed) => feed.lastTs === 0 || !world.oraclePaused[feed.tokenKey])
    .filter((feed) => isDue(feed, prices.usd(feed.tokenKey), now, policy))
    .map((feed) => answer(feed, prices.usd(feed.tokenKey), now))
}

function isDue(feed: Feed, usd: number, now: number, policy: FeedPolicy): boolean {
  const age = now - feed.lastTs
  if (age < policy.intervalSecondsMin) return false
  const moved = Math.abs(usd / feed.lastUsd - 1)
  return !(moved < policy.deviation) || age >= policy.heartbeatSeconds
}

/** Feeds report the price of a token, multiplier included. */
function answer(feed: Feed, usd: number, now: number): Call {
  feed.lastUsd = usd
  feed.lastTs = now
  const scaled = BigInt(Math.round(usd * answerScale))
  return encodeCall(feed.aggregator, aggregatorAbi, 'submit', [scaled])
}
