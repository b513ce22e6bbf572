import { sampleNetwork } from '../support/indexer/market.ts'
import { drawDepth, drawStep, type Pace } from './draw.ts'
import { evilTokens, hostileLogs } from './hostile.ts'
import { readStored } from './invariants.ts'
import { confirmations, createPipelineWorld, type PipelineWorld } from './pipeline-world.ts'
import { createRandom, type Random } from './random.ts'
import { firstBlock } from './sim-chain.ts'
import { honestManners, type NodeManners } from './sim-node.ts'
import { type Accident, accidents } from './sim-outbound.ts'
import { drawStrains, type Strains } from './strains.ts'
import { misread } from './token-truth.ts'

const catchUpSeconds = 60
/** Longer than the longest wait of a token that was refused throughout a schedule. */
const refusedSeconds = 600

/** Block ranges that are too long, in the words of those who refuse them. */
const rangeTexts = [
  'eth_getLogs is limited to a {n} range',
  'ranges over {n} blocks are not supported',
  'exceed maximum block range: {n}',
  'block range is too wide',
  'Max range: {n}',
  'You can make eth_getLogs requests with up to a {n} block range. Based on your parameters, ' +
    'this block range should work: [0x64, 0x66]',
  'eth_getLogs range over {n} blocks is not supported',
  'query exceeds max block range {n}',
  'query returned more than 10000 results. Try with this block range [0x64, 0x65].',
  'logs matched by query exceeds limit of 10000',
  'Log response size exceeded',
  'log query timed out',
  'HTTP response body exceeded the size limit',
  'Response is too big',
]
/** An error text that no rule recognizes. */
const unknownText = 'the moon is in the wrong house'

/** 0.1 to 12 s: the chain keeps the simulated time. */
const pace: Pace = (random) =>
  random.percent(60) ? random.between(1, 10) / 10 : random.between(1, 12)

const nodesOf = ({ urls }: PipelineWorld) => urls.flatMap(({ nodes }) => nodes)

const foreignOf = ({ random, chain, hostility, strains }: Run) => {
  const hostile =
    hostility && random.percent(25)
      ? hostileLogs(random, {
          token: random.between(0, evilTokens - 1),
          place: chain.blocks().length + 1,
        })
      : []
  return [...hostile, ...strains.crowd()]
}

/** A world and what its schedule may do. */
type Run = PipelineWorld & {
  readonly hostility: boolean
  /** Where one address leaves events out, all others are sound. */
  readonly isLying: boolean
  /** What a node is like on its best days: its limits are no fault that ends. */
  readonly natures: readonly NodeManners[]
  readonly strains: Strains
}

/** One block more; time passes as long as it takes. */
const grow = async (run: Run): Promise<void> => {
  const step = drawStep(run.random, pace)
  await run.time.pass(step.seconds * 1000)
  run.chain.grow({ ...step, foreign: foreignOf(run) })
}

const fork = (run: Run): void => {
  const { chain, random } = run
  const deepest = chain.head() - Math.max(chain.finalBlock() ?? 0, firstBlock)
  const depth = Math.min(drawDepth(random), deepest)
  if (depth < 1) return
  chain.fork(depth)
  for (let more = random.between(0, depth + 2); more > 0; more--) {
    chain.grow({ ...drawStep(random, () => 0.1), foreign: foreignOf(run) })
  }
}

/** A few of the accidents, for a share of an address's requests. */
const mishap = ({ random, urls }: Run): void => {
  const url = random.pick(urls)
  const some = Array.from({ length: random.between(1, 3) }, (): Accident => random.pick(accidents))
  Object.assign(url, { accidents: some, share: random.pick([10, 50, 100]) })
}

const restoreConnections = ({ urls }: Run): void => {
  for (const url of urls) Object.assign(url, { accidents: [], share: 0 })
}

const oddities: Readonly<Record<string, (random: Random) => Partial<NodeManners>>> = {
  lag: (random) => ({ lag: random.between(0, 5) }),
  range: (random) => ({
    rangeText: random.percent(30) ? unknownText : random.pick(rangeTexts),
    rangeBlocks: random.between(1, 20),
  }),
  results: (random) => ({ logsMax: random.between(1, 12) }),
  state: (random) => ({ stateBlocks: random.between(0, 8) }),
  ignorance: (random) => ({ ignorance: random.pick(['null', 'error']) }),
  finality: (random) => ({ finality: random.pick(['known', 'missing', 'ahead']) }),
  times: (random) => ({ logTimes: random.pick(['right', 'absent', 'zero', 'milliseconds']) }),
  copies: (random) => ({ lie: random.pick(['none', 'twice', 'unordered', 'removed']) }),
}

const change = (run: Run): void => {
  const { random } = run
  const { manners } = random.pick(nodesOf(run))
  Object.assign(manners, random.pick(Object.values(oddities))(random))
}

/** One endpoint leaves events out, while the others return all of them. */
const leaveOut = ({ random, urls, state }: Run): void => {
  state.isBlind = true
  for (const { manners } of urls[0]?.nodes ?? []) {
    manners.lie = random.pick(['none', 'missing', 'pruned'])
  }
}

/** One endpoint, or one of its nodes, turns out to serve another chain; others remain. */
const swapChain = ({ random, urls, isLying }: Run): void => {
  if (urls.length < 2 || isLying) return
  for (const { manners } of urls[0]?.nodes ?? []) {
    manners.chainId = random.pick([sampleNetwork.chainId, 1])
  }
}

const moves = {
  grow,
  fork,
  finalise: ({ chain, random }: Run) => {
    const block = chain.head() - random.between(1, 10)
    if (block >= firstBlock) chain.finalise(block)
  },
  mishap: (run: Run) => (run.isLying ? leaveOut(run) : mishap(run)),
  restore: restoreConnections,
  change: (run: Run) => (run.isLying ? leaveOut(run) : change(run)),
  stick: (run: Run) => {
    const { chain, random, isLying } = run
    if (!isLying) random.pick(nodesOf(run)).manners.stuckAt = chain.headBlock()
  },
  follow: (run: Run) => {
    for (const { manners } of nodesOf(run)) manners.stuckAt = null
  },
  swapChain,
  strike: (run: Run) => {
    let left = run.random.between(1, 12)
    run.state.onRequest = () => {
      left -= 1
      if (left === 0) fork(run)
    }
  },
  clock: ({ state, random }: Run) => {
    state.skewSeconds = random.pick([0, -3600, 3600, 40, -40])
  },
  quotes: ({ quotes, random }: Run) => quotes.setPrices(random.percent(50) ? null : {}),
  rest: ({ time, random }: Run) => time.pass(random.between(1, 8) * 1000),
} as const

const weights: Readonly<Record<keyof typeof moves, number>> = {
  ...{ grow: 40, fork: 12, finalise: 10, mishap: 9, restore: 5, change: 8, stick: 3, follow: 2 },
  ...{ swapChain: 1, strike: 4, clock: 2, quotes: 1, rest: 4 },
}

const heal = (run: Run): void => {
  run.state.onRequest = () => {}
  run.state.skewSeconds = 0
  restoreConnections(run)
  for (const [at, { manners }] of nodesOf(run).entries()) {
    Object.assign(manners, run.natures[at])
  }
}

/** How providers differ for good: in the ranges that they answer, and in what their logs say. */
const drawNature = (random: Random): NodeManners => {
  const { range, results, ignorance, times, copies } = oddities
  const kinds = [range, results, ignorance, times, copies]
  const limits = kinds.filter(() => random.percent(35)).map((draw) => draw?.(random))
  return Object.assign(honestManners(sampleNetwork.chainId), ...limits)
}

const isThere = async ({ chain, store, state, broken, look }: Run): Promise<boolean> => {
  const stored = await readStored(store)
  const { cursor = null, finalizedCursor = null, backfillCursor = null } = stored?.header ?? {}
  const last = chain.anchor(chain.head() - confirmations)
  // Blocks of the bootstrap are not checked: the finalized cursor begins above them.
  const isSettled =
    finalizedCursor?.hash === last?.hash || backfillCursor?.startedAt === last?.block
  if (cursor?.hash !== last?.hash || !isSettled) return false
  if (backfillCursor !== null && backfillCursor.completeAfter.block >= backfillCursor.firstBlock)
    return false
  // Now everything must be known; what is not yet may be under repair.
  state.isBlind = false
  await look()
  state.isBlind = broken.length > 0
  return broken.splice(0).length === 0
}

const catchUp = async (run: Run): Promise<readonly string[]> => {
  const { chain, time, store, broken, journal } = run
  const peak = chain.peak() + confirmations
  while (chain.head() < peak) chain.grow({ acts: [], seconds: 0.1 })
  chain.finalise(chain.head() - confirmations)
  for (let second = 0; second < catchUpSeconds; second++) {
    await time.pass(1000)
    if (broken.length > 0) return broken
    if (await isThere(run)) return []
  }
  const last = journal.of('warn').at(-1)
  const { cursor, finalizedCursor } = (await readStored(store))?.header ?? {}
  const where = `indexed ${cursor?.block}, settled ${finalizedCursor?.block} of ${chain.head()}`
  return [`not caught up in ${catchUpSeconds} s: ${where}; ${JSON.stringify(last)}`]
}

/** A refused token is read again after waits that double; then all is as its contract says. */
const hearContracts = async ({ store, contracts, chain, time }: Run) => {
  for (let waited = 0; waited < refusedSeconds; waited += 5) {
    if ((await misread(store, contracts, chain.headBlock())).length === 0) return []
    await time.pass(5000)
  }
  return misread(store, contracts, chain.headBlock())
}

const play = async (run: Run): Promise<readonly string[]> => {
  const { random, chain, broken, journal } = run
  for (let left = random.between(3, 40); left > 0; left--) {
    chain.grow({ ...drawStep(random, () => 1), foreign: foreignOf(run) })
  }
  if (random.percent(30) && !run.isLying) mishap(run)
  // A bootstrap, too, is read with gaps.
  if (run.isLying && random.percent(50)) leaveOut(run)
  if (random.percent(10)) swapChain(run)
  run.strains.refuse(run.urls)
  const indexer = await run.start()
  try {
    for (let left = random.between(15, 45); left > 0 && broken.length === 0; left--) {
      await moves[random.weighted(weights)](run)
      run.strains.refuse(run.urls)
      await run.time.pass(random.between(1, 15) * 100)
    }
    if (broken.length > 0) return broken
    heal(run)
    const left = [...(await catchUp(run)), ...(await hearContracts(run))]
    const bugs = journal.of('error').filter(({ message }) => message.startsWith('Unexpected error'))
    return [...left, ...bugs.map((line) => JSON.stringify(line))]
  } finally {
    const stopped = indexer.stop()
    await run.time.pass(20_000)
    await stopped
    await run.store.close()
  }
}

/** Plays one schedule of the whole pipeline; answers everything that was found broken. */
export const runPipelineSeed = async (seed: number): Promise<readonly string[]> => {
  const random = createRandom(seed)
  const isLying = random.percent(20)
  const addresses = isLying ? random.between(2, 3) : random.between(1, 3)
  const world = createPipelineWorld({
    random,
    nodesOf: Array.from({ length: addresses }, () => (isLying ? 1 : random.between(1, 2))),
    isDoubled: random.percent(10),
    ...(random.percent(25) ? { bootstrapBlocksMin: 10 } : {}),
  })
  const strains = drawStrains(seed, isLying)
  const natures = world.urls.flatMap(({ nodes }, url) =>
    nodes.map(() => ({ ...drawNature(random), ...strains.natureOf(url) })),
  )
  const run = { ...world, hostility: random.percent(25), isLying, natures, strains }
  heal(run)
  return world.time.governing(() => play(run))
}
