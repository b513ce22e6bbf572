import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import type { EventPosition, PoolEvent } from '../../src/domain/pool/pool-event.ts'
import type { Hash, PoolId } from '../../src/domain/units.ts'
import { createRandom, type Random } from '../../test/sim/random.ts'
import { tokensWithFeed } from './contracts-and-tokens.ts'
import { answerUpdated, type EmittedLog } from './encode.ts'
import { syntheticHash } from './hashes.ts'
import { blockTimestamp, type ChainParams, lastChainBlock, originBlock } from './params.ts'
import type { PoolSnapshot } from './pool.ts'
import { drawDecoyPlans, drawPoolPlans, type PoolPlan } from './pool-plans.ts'
import { createSimulatedPool, type SimulatedEvent, type SimulatedPool } from './pool-simulator.ts'

/** A log with its position; hash and timestamp come from the block. */
export type PlacedLog = EmittedLog & {
  readonly block: number
  readonly txHash: Hash
  readonly txIndex: number
  readonly logIndex: number
}

/** A round of a price feed. */
export type FeedRound = { readonly block: number; readonly answer: bigint; readonly round: number }

export type BlockSnapshot = PoolSnapshot & { readonly block: number }

export type SyntheticChain = {
  readonly params: ChainParams
  readonly blockRefAt: (block: number) => BlockRef
  readonly logs: readonly PlacedLog[]
  /** The events that a complete index contains, in chain order. */
  readonly events: readonly PoolEvent[]
  readonly pools: readonly SimulatedPool[]
  /** State of each indexed pool after each of its events. */
  readonly snapshots: ReadonlyMap<PoolId, readonly BlockSnapshot[]>
  /** Feed rounds by aggregator. */
  readonly rounds: ReadonlyMap<string, readonly FeedRound[]>
}

/** Feeds publish every ten minutes of chain time. */
const feedEverySeconds = 600
export const feedDecimals = 8
/** Logs of pools outside the index, in percent of the indexed events. */
const decoyPercent = 6
/** Share of the blocks in which pools are created; a few are created later. */
const creationShare = 0.1
const latePercent = 10

/** Zipf's law: the second pool has half as many events as the first. */
const createPopularity = (count: number, random: Random) => {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1)
    sums[rank] = sum
  }
  return (): number => {
    const target = random.next() * sum
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) < target) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Number of events per block. */
const drawCounts = (total: number, blocks: number, random: Random): Uint16Array => {
  const counts = new Uint16Array(blocks)
  for (let event = 0; event < total; event++) {
    const block = random.between(0, blocks - 1)
    counts[block] = (counts[block] ?? 0) + 1
  }
  return counts
}

const drawCreations = (plans: readonly PoolPlan[], blocks: number, random: Random) => {
  const creations = new Map<number, PoolPlan[]>()
  const early = Math.max(1, Math.floor(blocks * creationShare))
  for (const [rank, plan] of plans.entries()) {
    const isLate = rank > 3 && random.percent(latePercent)
    const block = rank < 4 ? 0 : random.between(0, (isLate ? blocks : early) - 1)
    creations.set(block, [...(creations.get(block) ?? []), plan])
  }
  return creations
}

/** Records logs, events and pool states, block by block. */
const createRecorder = (params: ChainParams) => {
  const { seed, fork } = params
  const logs: PlacedLog[] = []
  const events: PoolEvent[] = []
  const snapshots = new Map<PoolId, BlockSnapshot[]>()
  const hashOnBranch = (kind: string, block: number, number: number): Hash => {
    const isForked = fork !== null && block >= fork.at
    return syntheticHash(kind, isForked ? fork.seed : seed, number)
  }
  const blockRefAt = (block: number): BlockRef => ({
    block,
    hash: hashOnBranch('block', block, block),
    ts: blockTimestamp(params, block),
  })
  let at: BlockRef = blockRefAt(originBlock)
  let txIndex = 0
  let logIndex = 0

  const place = (emitted: EmittedLog): EventPosition => {
    const txHash = hashOnBranch('transaction', at.block, at.block * 4096 + txIndex)
    const place = { block: at.block, txHash, txIndex, logIndex }
    logs.push({ ...emitted, ...place })
    logIndex += 1
    return { ...place, blockHash: at.hash, ts: at.ts }
  }

  return {
    logs,
    events,
    snapshots,
    blockRefAt,
    startBlock: (block: number): BlockRef => {
      at = blockRefAt(block)
      txIndex = 0
      logIndex = 0
      return at
    },
    recordLog: (emitted: EmittedLog): void => {
      place(emitted)
      txIndex += 1
    },
    /** Records the events of one pool as one transaction. */
    recordEvents: (
      { plan, snapshot }: SimulatedPool,
      simulated: readonly SimulatedEvent[],
    ): void => {
      for (const { log, event } of simulated) {
        const position = place(log)
        if (plan.isIndexed) events.push({ poolId: plan.id, at: position, ...event })
      }
      txIndex += 1
      // v4 decoys have the ids of indexed pools, and StateView does not know them.
      if (!plan.isIndexed) return
      const previous = snapshots.get(plan.id) ?? []
      previous.push({ block: at.block, ...snapshot() })
      snapshots.set(plan.id, previous)
    },
  }
}

const createFeedPublisher = (params: ChainParams) => {
  const rounds = new Map<string, FeedRound[]>()
  const intervalBlocks = Math.max(1, Math.round(feedEverySeconds / params.blockSeconds))
  return {
    rounds,
    /** The feed logs of a block. */
    publish: (block: number, random: Random): readonly EmittedLog[] => {
      const dueTokens = tokensWithFeed.filter(
        (_, number) => block === originBlock || (block + number * 7) % intervalBlocks === 0,
      )
      return dueTokens.map(({ feed, usd, symbol }) => {
        const aggregator = feed?.aggregator ?? '0x'
        const wobble = symbol === 'USDG' ? 0 : random.between(-200, 200) / 10_000
        const answer = BigInt(Math.round(usd * (1 + wobble) * 10 ** feedDecimals))
        const previous = rounds.get(aggregator) ?? []
        previous.push({ block, answer, round: previous.length + 1 })
        rounds.set(aggregator, previous)
        return answerUpdated(aggregator, answer, previous.length, blockTimestamp(params, block))
      })
    },
  }
}

/** Generates the chain up to a block. */
export const createSyntheticChain = (
  params: ChainParams,
  to: number = lastChainBlock(params),
): SyntheticChain => {
  const { seed, pools: poolsCount, blocks, events: eventsCount, fork } = params
  if (eventsCount < poolsCount) throw new RangeError('fewer events than pools: each pool needs one')
  const planRandom = createRandom(seed)
  const plans = drawPoolPlans(poolsCount, planRandom)
  const creations = drawCreations(plans, blocks, planRandom)
  const counts = drawCounts(eventsCount - poolsCount, blocks, planRandom)
  const decoyCounts = drawCounts(Math.floor((eventsCount * decoyPercent) / 100), blocks, planRandom)
  let random = createRandom(seed + 1)
  // All parts share one generator, which is reseeded at the fork.
  const sharedRandom: Random = {
    next: () => random.next(),
    between: (min, max) => random.between(min, max),
    percent: (share) => random.percent(share),
    pick: (items) => random.pick(items),
    weighted: (weights) => random.weighted(weights),
  }
  const drawRank = createPopularity(plans.length, sharedRandom)
  const recorder = createRecorder(params)
  const feeds = createFeedPublisher(params)
  const simulated = new Map<PoolId, SimulatedPool>()
  const decoys = drawDecoyPlans(plans, planRandom).map((plan) =>
    createSimulatedPool(plan, sharedRandom),
  )

  const simulatedPoolAt = (rank: number): SimulatedPool | undefined =>
    simulated.get(plans[rank]?.id ?? '0x')
  const drawExistingPool = (): SimulatedPool => {
    // Events of a pool that does not exist yet go to one that does.
    const chosen =
      simulatedPoolAt(drawRank()) ?? simulatedPoolAt(drawRank()) ?? simulatedPoolAt(drawRank() % 4)
    if (chosen === undefined) throw new Error('the first pools must exist from the first block')
    return chosen
  }

  for (let block = originBlock; block <= to; block++) {
    if (block === fork?.at) random = createRandom(fork.seed)
    const number = block - originBlock
    const at = recorder.startBlock(block)
    for (const answer of feeds.publish(block, sharedRandom)) recorder.recordLog(answer)
    for (const plan of creations.get(number) ?? []) {
      const pool = createSimulatedPool(plan, sharedRandom)
      simulated.set(plan.id, pool)
      recorder.recordEvents(pool, pool.create())
    }
    if (number === 0) for (const decoy of decoys) recorder.recordEvents(decoy, decoy.create())
    for (let remaining = counts[number] ?? 0; remaining > 0; remaining--) {
      const pool = drawExistingPool()
      recorder.recordEvents(pool, [pool.nextEvent(at)])
    }
    for (let remaining = decoyCounts[number] ?? 0; remaining > 0; remaining--) {
      const decoy = sharedRandom.pick(decoys)
      recorder.recordEvents(decoy, [decoy.nextEvent(at)])
    }
  }
  const { blockRefAt, logs, events, snapshots } = recorder
  return {
    params,
    blockRefAt,
    logs,
    events,
    snapshots,
    rounds: feeds.rounds,
    pools: [...simulated.values()],
  }
}
