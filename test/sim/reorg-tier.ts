import { isDeepStrictEqual } from 'node:util'
import type { ChainReader } from '../../src/ports/chain-reader.ts'
import type { Store } from '../../src/ports/store.ts'
import { recordPrices, storedAfter } from '../support/domain/sample-history.ts'
import { createSampleIndex } from '../support/domain/sample-market.ts'
import { drawDepth, drawStep } from './draw.ts'
import { confirmations, createIndex, stateOf, withUnreadFees } from './drawn-index.ts'
import { createDrawnNode, type DrawnNode } from './drawn-node.ts'
import { createWatch, writingTwice } from './invariants.ts'
import { createRandom, type Random } from './random.ts'
import {
  blockAt,
  createSimChain,
  firstBlock,
  firstTs,
  lineOf,
  type SimBlock,
  type SimChain,
} from './sim-chain.ts'

/** A fork as deep as this wants a chain as long. */
const deepBlocks = 205
const catchUpMs = 60_000

type Behaviour = {
  lag: number
  stuckAt: SimBlock | null
  knowsFinal: boolean
  /** Says of no block that it is final, whatever else happens. */
  isMute: boolean
}

const sound: Behaviour = { lag: 0, stuckAt: null, knowsFinal: true, isMute: false }

/** One of the nodes behind the address: it lags, or sits on a branch that the chain has left. */
const createMember = (chain: SimChain) => {
  const behaviour = { ...sound }
  /** No node stays on a branch that what is final has ruled out. */
  const isRuledOut = (at: SimBlock): boolean => {
    const final = chain.anchor(Math.min(chain.finalBlock() ?? firstBlock, at.anchor.block))
    return final !== undefined && blockAt(at, final.block)?.anchor.hash !== final.hash
  }
  const head = (): SimBlock => {
    const { stuckAt } = behaviour
    if (stuckAt !== null && !isRuledOut(stuckAt)) return stuckAt
    const at = Math.max(firstBlock, chain.head() - behaviour.lag)
    return blockAt(chain.headBlock(), at) ?? chain.headBlock()
  }
  const view = chain.viewOf(head)
  const node = createDrawnNode({
    ...view,
    finalBlock: () => (behaviour.knowsFinal && !behaviour.isMute ? view.finalBlock() : null),
  })
  return { node, behaviour }
}

/** Each question is answered by whichever node the address leads to. */
const createAddress = (pick: () => DrawnNode, before: () => void): ChainReader => {
  const reader = () => {
    before()
    return pick().reader
  }
  return {
    chainId: () => reader().chainId(),
    getHeads: () => reader().getHeads(),
    getBlockRef: (block) => reader().getBlockRef(block),
    readRange: (range, filter) => reader().readRange(range, filter),
    readRangeCrossChecked: (range, filter) => reader().readRangeCrossChecked(range, filter),
    callContracts: (...question) => reader().callContracts(...question),
    getStorageAt: (...question) => reader().getStorageAt(...question),
  }
}

/** Something that happens at a moment of its own choice: the n-th question or write from now. */
const createAdversary = () => {
  let left = Number.POSITIVE_INFINITY
  let strike = () => {}
  return {
    arm: (moments: number, act: () => void) => {
      left = moments
      strike = act
    },
    disarm: () => {
      left = Number.POSITIVE_INFINITY
    },
    moment: () => {
      left -= 1
      if (left !== 0) return
      left = Number.POSITIVE_INFINITY
      strike()
    },
  }
}

type Adversary = ReturnType<typeof createAdversary>

/** The adversary has a moment before and after everything that is written. */
const observed = (store: Store, { moment }: Adversary): Store => {
  const around = async <T>(write: () => Promise<T>): Promise<T> => {
    moment()
    const outcome = await write()
    moment()
    return outcome
  }
  return {
    ...store,
    commitRange: (batch) => around(() => store.commitRange(batch)),
    replaceBranch: (branch) => around(() => store.replaceBranch(branch)),
    advanceFinalized: (check) => around(() => store.advanceFinalized(check)),
  }
}

type OpenStore = () => Promise<Store>

const createWorld = async (random: Random, openStore: OpenStore | undefined) => {
  const chain = createSimChain()
  const broken: string[] = []
  const adversary = createAdversary()
  const quiet = random.percent(2) ? deepBlocks : 0
  for (let block = 0; block < quiet; block++) chain.grow({ acts: [], seconds: 1 })
  for (let block = random.between(4, 10); block > 0; block--) chain.grow(drawStep(random))
  const members = Array.from({ length: random.between(1, 4) }, () => createMember(chain))
  const isDoubled = random.percent(10)
  const drawn = await createIndex({
    reader: createAddress(() => random.pick(members).node, adversary.moment),
    origin: firstBlock,
    originHash: chain.anchor(firstBlock)?.hash ?? null,
    ...(openStore === undefined ? {} : { openStore }),
    through: (store) => {
      const seen = observed(store, adversary)
      return isDoubled ? writingTwice(seen, (what) => broken.push(what)) : seen
    },
  })
  let hidden = false
  const watch = createWatch({ chain, store: drawn.store, isBlind: () => hidden })
  return {
    ...{ random, chain, members, drawn, watch, adversary, broken },
    isHiding: () => hidden,
    hide: () => {
      hidden = true
    },
  }
}

type World = Awaited<ReturnType<typeof createWorld>>

/** Never below what is final. */
const fork = ({ chain, random }: World): void => {
  const deepest = chain.head() - Math.max(chain.finalBlock() ?? firstBlock, firstBlock)
  const depth = Math.min(drawDepth(random), deepest)
  if (depth < 1) return
  chain.fork(depth)
  // Perhaps lower than before: the head goes back.
  const more = random.between(0, Math.min(depth, 10) + 2)
  for (let block = 0; block < more; block++) chain.grow(drawStep(random))
}

const moves = {
  grow: ({ chain, random }: World) => {
    for (let left = random.between(1, 4); left > 0; left--) chain.grow(drawStep(random))
  },
  fork,
  finalise: ({ chain, random }: World) => {
    const block = chain.head() - random.between(0, 8)
    if (block >= firstBlock) chain.finalise(block)
  },
  strike: (world: World) => {
    world.adversary.arm(world.random.between(1, 14), () => fork(world))
  },
  lag: ({ members, random }: World) => {
    random.pick(members).behaviour.lag = random.between(0, 4)
  },
  stick: ({ chain, members, random }: World) => {
    random.pick(members).behaviour.stuckAt = chain.headBlock()
  },
  follow: ({ members }: World) => {
    for (const { behaviour } of members) behaviour.stuckAt = null
  },
  forget: ({ members, random }: World) => {
    random.pick(members).behaviour.knowsFinal = random.percent(50)
  },
  /** In the second read, no node returns anything of the blocks that the index holds. */
  amnesia: ({ chain, drawn, members, isHiding }: World) => {
    // What no node has returned even once cannot be missed.
    if (isHiding()) return
    const held = chain.blockOf(drawn.index.cursor()?.hash ?? '0x')
    const forgotten = new Set(held && lineOf(held).map(({ anchor }) => anchor.hash))
    for (const { node } of members) {
      node.faults.before = (question) => {
        const isAsked = question === 'readRangeCrossChecked'
        node.faults.hides = ({ blockHash }) => isAsked && forgotten.has(blockHash)
      }
    }
  },
  restart: ({ drawn }: World) => drawn.index.load(),
  rest: () => {},
} as const

const weights: Readonly<Record<keyof typeof moves, number>> = {
  grow: 38,
  fork: 15,
  finalise: 14,
  strike: 8,
  lag: 6,
  stick: 5,
  follow: 4,
  forget: 2,
  amnesia: 2,
  restart: 2,
  rest: 6,
}

/** One step of the index, after which nothing may be broken. */
const step = async ({ drawn, watch, broken }: World) => {
  const { waitMs } = await drawn.step()
  return { waitMs: waitMs ?? 0, violations: [...broken, ...(await watch.violations())] }
}

/** No fault any more; and the chain, which may have gone back, has outgrown what it was. */
const calm = ({ chain, members, adversary }: World): void => {
  adversary.disarm()
  for (const { behaviour } of members) {
    Object.assign(behaviour, sound)
  }
  const peak = chain.peak() + confirmations
  while (chain.head() < peak) chain.grow({ acts: [], seconds: 1 })
  chain.finalise(chain.head() - confirmations)
}

const isThere = async ({ chain, drawn }: World): Promise<boolean> => {
  const header = await drawn.store.snapshot((snapshot) => snapshot.header())
  const last = chain.anchor(chain.head() - confirmations)
  return header?.cursor?.hash === last?.hash && header?.finalizedCursor?.hash === last?.hash
}

const byPlace = (a: { block: number; logIndex: number }, b: typeof a) =>
  a.block - b.block || a.logIndex - b.logIndex

/** All rows are those that the chain's events fold into, in a store that saw nothing else. */
const isFold = async ({ chain, drawn }: World): Promise<boolean> => {
  const { header, rows } = await stateOf(drawn)
  const index = createSampleIndex()
  recordPrices(index, firstTs)
  const to = header.cursor?.block ?? 0
  const fold = storedAfter([index.ingest(chain.logs(firstBlock, to))])
  const expected = fold.pools.map((identity) => {
    const own = <T extends { readonly pool: number }>(all: Iterable<T>): readonly T[] =>
      [...all].filter(({ pool }) => pool === identity.number)
    return {
      pool: { ...identity, ...fold.states.get(identity.number), lastHotTs: null },
      changes: own(fold.liquidity).toSorted(byPlace),
      swaps: own(fold.swaps).toSorted(byPlace).toReversed(),
      candles: own(fold.candles.values()).toSorted((a, b) => a.width - b.width || a.ts - b.ts),
      ticks: own(fold.ticks.values()).toSorted((a, b) => a.tick - b.tick),
    }
  })
  const stored = rows.map((row) => ({ ...row, changes: row.changes.toSorted(byPlace) }))
  return isDeepStrictEqual(stored, withUnreadFees(expected, rows))
}

const catchUp = async (world: World): Promise<readonly string[]> => {
  for (let passedMs = 0; passedMs <= catchUpMs; ) {
    if (await isThere(world)) return (await isFold(world)) ? [] : ['the rows are not the fold']
    const { waitMs, violations } = await step(world)
    if (violations.length > 0) return violations
    // A step without a wait also costs time, so that no index loops forever.
    passedMs += Math.max(waitMs, 50)
  }
  return [`not caught up after ${catchUpMs / 1000} s: ${world.drawn.reported.at(-1)}`]
}

/**
 * The nodes leave events out. Either the finality check finds what realtime sync lost, because it
 * reads from another node; or no check runs, and the new branches themselves have gaps.
 */
const hideSome = (world: World): void => {
  const { random, members } = world
  const share = random.between(1, 5)
  const isHidden: DrawnNode['faults']['hides'] = ({ block, logIndex }) =>
    (block * 7 + logIndex * 3) % 6 < share
  const isChecking = random.percent(50)
  for (const { node, behaviour } of members) {
    behaviour.isMute = !isChecking
    node.faults.before = (question) => {
      const isCrossCheck = isChecking && question === 'readRangeCrossChecked'
      node.faults.hides = isCrossCheck ? () => false : isHidden
    }
  }
  world.hide()
}

const reveal = ({ members }: World): void => {
  for (const { node } of members) {
    node.faults.before = () => {}
    node.faults.hides = () => false
  }
}

const turns = async (world: World): Promise<readonly string[]> => {
  const { random } = world
  if (random.percent(12)) hideSome(world)
  for (let left = random.between(6, 12); left > 0; left--) {
    await moves[random.weighted(weights)](world)
    const { violations } = await step(world)
    if (violations.length > 0) return violations
  }
  calm(world)
  reveal(world)
  return catchUp(world)
}

/** Plays one schedule of reorganisations; answers everything that was found broken. */
/** In memory, or in the empty store that is opened for it. */
export const runReorgSeed = async (
  seed: number,
  openStore?: OpenStore,
): Promise<readonly string[]> => {
  const world = await createWorld(createRandom(seed), openStore)
  try {
    return await turns(world)
  } finally {
    await world.drawn.store.close()
  }
}
