import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import type { EventPosition, PoolEvent } from '../../src/domain/pool/pool-event.ts'
import type { Hash, PoolId } from '../../src/domain/units.ts'
import { createRandom, type Random } from '../../test/sim/random.ts'
import { drawDecoys, drawPools, type PoolPlan } from './draw.ts'
import { answerUpdated, type Emitted } from './encode.ts'
import { hashOf } from './hashes.ts'
import { createPoolLife, type Happening, type PoolLife } from './life.ts'
import { type ChainParams, lastBlockOf, originBlock, tsOf } from './params.ts'
import type { PoolMoment } from './pool.ts'
import { fedTokens } from './world.ts'

/** A log in its place; the block's hash and time are the block's. */
export type PlacedLog = Emitted & {
  readonly block: number
  readonly txHash: Hash
  readonly txIndex: number
  readonly logIndex: number
}

/** An answer of a price feed. */
export type FeedRound = { readonly block: number; readonly answer: bigint; readonly round: number }

export type Moment = PoolMoment & { readonly block: number }

export type SyntheticChain = {
  readonly params: ChainParams
  readonly anchor: (block: number) => BlockRef
  readonly logs: readonly PlacedLog[]
  /** What an index of our pools must hold in the end, in chain order. */
  readonly events: readonly PoolEvent[]
  readonly pools: readonly PoolLife[]
  /** After each of its events, our pools and all others. */
  readonly moments: ReadonlyMap<PoolId, readonly Moment[]>
  /** By aggregator. */
  readonly rounds: ReadonlyMap<string, readonly FeedRound[]>
}

/** Feeds answer every ten minutes of the chain's time. */
const feedEverySeconds = 600
export const feedDecimals = 8
/** Logs of pools that are none of ours, by the hundred of ours. */
const decoyPercent = 6
/** Pools are born over the first part of the chain, a few of them later. */
const birthShare = 0.1
const latePercent = 10

/** By Zipf's law: the second pool has half of what the first has. */
const createPopularity = (count: number, random: Random) => {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1)
    sums[rank] = sum
  }
  return (): number => {
    const wanted = random.next() * sum
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** For each block how often something happens in it. */
const drawCounts = (total: number, blocks: number, random: Random): Uint16Array => {
  const counts = new Uint16Array(blocks)
  for (let one = 0; one < total; one++) {
    const block = random.between(0, blocks - 1)
    counts[block] = (counts[block] ?? 0) + 1
  }
  return counts
}

const drawBirths = (plans: readonly PoolPlan[], blocks: number, random: Random) => {
  const births = new Map<number, PoolPlan[]>()
  const early = Math.max(1, Math.floor(blocks * birthShare))
  for (const [rank, plan] of plans.entries()) {
    const isLate = rank > 3 && random.percent(latePercent)
    const block = rank < 4 ? 0 : random.between(0, (isLate ? blocks : early) - 1)
    births.set(block, [...(births.get(block) ?? []), plan])
  }
  return births
}

/** Takes down what happens, block by block. */
const createScribe = (params: ChainParams) => {
  const { seed, fork } = params
  const logs: PlacedLog[] = []
  const events: PoolEvent[] = []
  const moments = new Map<PoolId, Moment[]>()
  const hashed = (kind: string, block: number, number: number): Hash => {
    const isForked = fork !== null && block >= fork.at
    return hashOf(kind, isForked ? fork.seed : seed, number)
  }
  const anchor = (block: number): BlockRef => ({
    block,
    hash: hashed('block', block, block),
    ts: tsOf(params, block),
  })
  let at: BlockRef = anchor(originBlock)
  let txIndex = 0
  let logIndex = 0

  const place = (emitted: Emitted): EventPosition => {
    const txHash = hashed('transaction', at.block, at.block * 4096 + txIndex)
    logs.push({ ...emitted, block: at.block, txHash, txIndex, logIndex })
    logIndex += 1
    return { block: at.block, blockHash: at.hash, ts: at.ts, txHash, logIndex: logIndex - 1 }
  }

  return {
    logs,
    events,
    moments,
    anchor,
    open: (block: number): BlockRef => {
      at = anchor(block)
      txIndex = 0
      logIndex = 0
      return at
    },
    note: (emitted: Emitted): void => {
      place(emitted)
      txIndex += 1
    },
    /** What happened to a pool in one transaction. */
    tell: ({ plan, moment }: PoolLife, happenings: readonly Happening[]): void => {
      for (const { log, event } of happenings) {
        const position = place(log)
        if (plan.isOurs) events.push({ poolId: plan.id, at: position, ...event })
      }
      txIndex += 1
      // The decoys of v4 bear the ids of ours, and no StateView speaks of them.
      if (!plan.isOurs) return
      const own = moments.get(plan.id) ?? []
      own.push({ block: at.block, ...moment() })
      moments.set(plan.id, own)
    },
  }
}

const createFeedDesk = (params: ChainParams) => {
  const rounds = new Map<string, FeedRound[]>()
  const everyBlocks = Math.max(1, Math.round(feedEverySeconds / params.blockSeconds))
  return {
    rounds,
    /** What is published in this block. */
    publish: (block: number, random: Random): readonly Emitted[] => {
      const due = fedTokens.filter(
        (_, number) => block === originBlock || (block + number * 7) % everyBlocks === 0,
      )
      return due.map(({ feed, usd, symbol }) => {
        const aggregator = feed?.aggregator ?? '0x'
        const wobble = symbol === 'USDG' ? 0 : random.between(-200, 200) / 10_000
        const answer = BigInt(Math.round(usd * (1 + wobble) * 10 ** feedDecimals))
        const own = rounds.get(aggregator) ?? []
        own.push({ block, answer, round: own.length + 1 })
        rounds.set(aggregator, own)
        return answerUpdated(aggregator, answer, own.length, tsOf(params, block))
      })
    },
  }
}

/** Draws the chain, up to a block or all of it. */
export const createSyntheticChain = (
  params: ChainParams,
  to: number = lastBlockOf(params),
): SyntheticChain => {
  const { seed, pools: poolsCount, blocks, events: eventsCount, fork } = params
  if (eventsCount < poolsCount) throw new RangeError('each pool has at least one event')
  const drawing = createRandom(seed)
  const plans = drawPools(poolsCount, drawing)
  const births = drawBirths(plans, blocks, drawing)
  const counts = drawCounts(eventsCount - poolsCount, blocks, drawing)
  const decoyCounts = drawCounts(Math.floor((eventsCount * decoyPercent) / 100), blocks, drawing)
  let random = createRandom(seed + 1)
  // One chance for all: what is drawn after a fork is drawn anew.
  const chance: Random = {
    next: () => random.next(),
    between: (min, max) => random.between(min, max),
    percent: (share) => random.percent(share),
    pick: (items) => random.pick(items),
    weighted: (weights) => random.weighted(weights),
  }
  const popular = createPopularity(plans.length, chance)
  const scribe = createScribe(params)
  const desk = createFeedDesk(params)
  const lives = new Map<PoolId, PoolLife>()
  const decoys = drawDecoys(plans, drawing).map((plan) => createPoolLife(plan, chance))

  const lifeAt = (rank: number): PoolLife | undefined => lives.get(plans[rank]?.id ?? '0x')
  const anyLife = (): PoolLife => {
    // Of a pool that is not born yet the events go to one that is.
    const chosen = lifeAt(popular()) ?? lifeAt(popular()) ?? lifeAt(popular() % 4)
    if (chosen === undefined) throw new Error('the first pools are born with the first block')
    return chosen
  }

  for (let block = originBlock; block <= to; block++) {
    if (block === fork?.at) random = createRandom(fork.seed)
    const number = block - originBlock
    const anchor = scribe.open(block)
    for (const answer of desk.publish(block, chance)) scribe.note(answer)
    for (const plan of births.get(number) ?? []) {
      const life = createPoolLife(plan, chance)
      lives.set(plan.id, life)
      scribe.tell(life, life.birth())
    }
    if (number === 0) for (const decoy of decoys) scribe.tell(decoy, decoy.birth())
    for (let one = counts[number] ?? 0; one > 0; one--) {
      const life = anyLife()
      scribe.tell(life, [life.act(anchor)])
    }
    for (let one = decoyCounts[number] ?? 0; one > 0; one--) {
      const decoy = chance.pick(decoys)
      scribe.tell(decoy, [decoy.act(anchor)])
    }
  }
  const { anchor, logs, events, moments } = scribe
  return { params, anchor, logs, events, moments, rounds: desk.rounds, pools: [...lives.values()] }
}
