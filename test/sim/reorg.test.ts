import fc from 'fast-check'
import { toEventSelector } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import { anyStep } from '../support/domain/sample-history.ts'
import { createDrawnChain, type DrawnBlock, firstBlock } from './drawn-chain.ts'
import {
  confirmations,
  createDrawnIndex,
  type DrawnIndex,
  stateOf,
  undisturbed,
  violations,
} from './drawn-index.ts'
import { createDrawnNode } from './drawn-node.ts'

const anyBlock: fc.Arbitrary<DrawnBlock> = fc.record({
  acts: fc.array(
    anyStep.filter((act) => act.kind !== 'mine'),
    { maxLength: 4 },
  ),
  // Many blocks of one second, some across the end of a minute, an hour, a day.
  seconds: fc.oneof(fc.constant(0), fc.nat(40), fc.constant(3000), fc.constant(50_000)),
})

/** A first price has no row of its own: it is lost in an example below, not among the drawn. */
const v3Initialize = toEventSelector('Initialize(uint160,int24)')

const blocks = (min: number, max: number) => fc.array(anyBlock, { minLength: min, maxLength: max })

const opened: DrawnIndex[] = []
afterEach(async () => {
  for (const drawn of opened.splice(0)) await drawn.store.close()
})

const start = async (first: readonly DrawnBlock[], more: { branchLogsMax?: number } = {}) => {
  const chain = createDrawnChain()
  chain.grow(first)
  const node = createDrawnNode(chain)
  const drawn = await createDrawnIndex(chain, node, more)
  opened.push(drawn)
  return { chain, node, drawn }
}

type World = Awaited<ReturnType<typeof start>>

const settledOf = async (drawn: DrawnIndex) =>
  (await stateOf(drawn)).header.finalizedCursor?.block ?? 0

/** One step, after which nothing that was promised may be broken. */
const stepSoundly = async ({ chain, drawn }: World): Promise<void> => {
  const before = await settledOf(drawn)
  await drawn.step()
  expect(await violations(chain, drawn, before)).toEqual([])
}

/** Steps until the index has nothing left to do, and asks for the heads again. */
const rest = async ({ drawn }: World): Promise<void> => {
  while ((await drawn.step()).waitMs === 0) {}
}

/** Steps until the index has what the chain has, and settled what is final. */
const catchUp = async (world: World, stepsMax = 60): Promise<void> => {
  const { chain, drawn } = world
  const isThere = async () => {
    const { header } = await stateOf(drawn)
    const to = chain.head() - confirmations
    const isIndexed = to < firstBlock || header.cursor?.hash === chain.anchor(to)?.hash
    const final = Math.min(chain.finalBlock() ?? 0, header.cursor?.block ?? 0)
    return isIndexed && (header.finalizedCursor?.block ?? 0) >= Math.min(final, to)
  }
  for (let steps = 0; steps < stepsMax && !(await isThere()); steps++) await stepSoundly(world)
  expect(await isThere()).toBe(true)
  await rest(world)
}

/** The store holds what one would that had never seen another branch, and so does the book. */
const expectUndisturbed = async ({ chain, drawn }: World): Promise<void> => {
  const { header, rows, pools } = await stateOf(drawn)
  const to = header.cursor?.block ?? 0
  expect(header.cursor).toEqual(chain.anchor(to))
  expect(rows).toEqual(await undisturbed(chain, to))
  await drawn.index.load()
  const byNumber = (a: (typeof pools)[number], b: (typeof pools)[number]) =>
    a.identity.number - b.identity.number
  expect(pools.toSorted(byNumber)).toEqual([...drawn.index.pools().all()].toSorted(byNumber))
}

const many = { numRuns: 25, endOnFailure: true }

describe('a fork at any depth, of any length', () => {
  test('leaves what the new branch alone would have made', async () => {
    const depth = fc.integer({ min: 1, max: 12 })
    await fc.assert(
      fc.asyncProperty(blocks(8, 20), depth, blocks(14, 20), async (first, back, branch) => {
        const world = await start(first)
        await catchUp(world)
        world.chain.fork(back, branch)
        await catchUp(world)
        await expectUndisturbed(world)
        const { header } = await stateOf(world.drawn)
        expect(header.epoch).toBe(back > confirmations ? 1 : 0)
        expect(header.repairs).toBe(0)
      }),
      many,
    )
  })

  //   indexed    100 - .. - 108 - 109 - .. - 118
  //   the chain          '- 109a - .. - 114a - .. - 120a
  //   one step           [  in its part  ]  and the rest is followed
  test('is handled in parts if it is long, and nothing is lost or invented between', async () => {
    const depth = fc.integer({ min: 4, max: 12 })
    let parts = 0
    await fc.assert(
      fc.asyncProperty(blocks(14, 20), depth, blocks(14, 20), async (first, back, branch) => {
        const world = await start(first, { branchLogsMax: 4 })
        world.node.faults.logsMax = 8
        await catchUp(world)
        const { index } = world.drawn
        const before = index.cursor()?.block ?? 0
        world.chain.fork(back, branch)
        await stepSoundly(world)
        const part = index.cursor()
        parts += (part?.block ?? 0) < world.chain.head() - confirmations ? 1 : 0
        // Whatever part it was: it is as if there had never been another branch.
        expect(part).toEqual(world.chain.anchor(part?.block ?? 0))
        await expectUndisturbed(world)
        await catchUp(world)
        await expectUndisturbed(world)
        expect((index.cursor()?.block ?? 0) >= before).toBe(true)
      }),
      many,
    )
    expect(parts).toBeGreaterThan(many.numRuns / 2)
  })

  //   … - 6 - 7 - 8 - 9 - 10       indexed up to the confirmed 8
  //         \ 7a - 8a - 9a - 10a    and nothing comes after
  test('is seen although the chain has not grown', async () => {
    const quiet = (count: number) =>
      Array.from({ length: count }, (): DrawnBlock => ({ acts: [], seconds: 1 }))
    const world = await start(quiet(10))
    await catchUp(world)
    world.chain.fork(4, quiet(4))
    await catchUp(world)
    await expectUndisturbed(world)
  })
})

type Move =
  | { readonly kind: 'grow' | 'steps'; readonly more: readonly DrawnBlock[] }
  | { readonly kind: 'fork'; readonly depth: number; readonly more: readonly DrawnBlock[] }
  | { readonly kind: 'finalise'; readonly behind: number }
  | { readonly kind: 'lag'; readonly blocks: number }
  | { readonly kind: 'hide'; readonly share: number }

const anyMove = fc.oneof(
  fc.record({ kind: fc.constant('grow'), more: blocks(1, 5) }),
  fc.record({ kind: fc.constant('steps'), more: fc.constant([]) }),
  fc.record({
    kind: fc.constant('fork'),
    depth: fc.integer({ min: 1, max: 9 }),
    more: blocks(1, 6),
  }),
  fc.record({ kind: fc.constant('finalise'), behind: fc.integer({ min: 4, max: 12 }) }),
  fc.record({ kind: fc.constant('lag'), blocks: fc.nat(6) }),
  fc.record({ kind: fc.constant('hide'), share: fc.nat(5) }),
) as fc.Arbitrary<Move>

/** Lets something happen to the chain or the node; what is final is never taken back. */
const happen = ({ chain, node }: World, move: Move): void => {
  if (move.kind === 'grow') chain.grow(move.more)
  if (move.kind === 'finalise') {
    const block = chain.head() - move.behind
    if (block >= firstBlock) chain.finalise(block)
  }
  if (move.kind === 'lag') node.faults.lag = move.blocks
  if (move.kind === 'hide') {
    node.faults.hides = ({ block, logIndex, topics }) =>
      topics[0] !== v3Initialize && (block * 7 + logIndex * 3) % 6 < move.share
  }
  if (move.kind === 'fork') {
    const deepest = chain.head() - Math.max(chain.finalBlock() ?? firstBlock, firstBlock)
    const depth = Math.min(move.depth, deepest)
    if (depth > 0) chain.fork(depth, move.more)
  }
}

describe('whatever happens to the chain and its node', () => {
  test('nothing settled is ever untrue, and once all is well nothing is missing', async () => {
    const moves = fc.array(anyMove, { minLength: 4, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(blocks(6, 12), moves, async (first, drawnMoves) => {
        const world = await start(first)
        for (const move of drawnMoves) {
          happen(world, move)
          const honest = world.node.faults.hides
          // The finality check finds what realtime sync lost: it reads from another node.
          world.node.faults.before = (question) => {
            world.node.faults.hides = question === 'readRangeCrossChecked' ? () => false : honest
          }
          await stepSoundly(world)
          world.node.faults.before = () => {}
          world.node.faults.hides = honest
        }
        world.node.faults.hides = () => false
        world.node.faults.lag = 0
        world.chain.grow(Array.from({ length: 16 }, () => ({ acts: [], seconds: 1 })))
        world.chain.finalise(world.chain.head() - confirmations)
        await catchUp(world, 100)
        await expectUndisturbed(world)
      }),
      many,
    )
  })

  test('a fork at any moment of a step', async () => {
    await fc.assert(
      fc.asyncProperty(
        blocks(8, 14),
        blocks(6, 10),
        fc.nat(25),
        fc.integer({ min: 1, max: 6 }),
        async (first, branch, moment, depth) => {
          const world = await start(first)
          const { chain, node } = world
          let asked = 0
          node.faults.before = () => {
            asked += 1
            if (asked === moment) happen(world, { kind: 'fork', depth, more: branch })
          }
          chain.finalise(firstBlock + 1)
          await catchUp(world)
          chain.grow(branch)
          happen(world, { kind: 'fork', depth: 3, more: branch })
          await catchUp(world)
          chain.finalise(chain.head() - confirmations)
          await catchUp(world)
          await expectUndisturbed(world)
        },
      ),
      many,
    )
  })
})

/** A block of so many trades in the pools by turns, so many seconds after the one before. */
const trades = (count: number, seconds: number): DrawnBlock => ({
  acts: Array.from({ length: count }, (_, at) => ({
    kind: at % 2 === 0 ? 'mint' : 'swap',
    ...{ pool: Math.floor(at / 2) % 4, from: -20, steps: 40, liquidity: 10n ** 18n },
    percent: 90 + at,
  })),
  seconds,
})

const tenBlocks = Array.from({ length: 10 }, (_, at) => trades(3 + at, 7 * at))

describe('the finality check', () => {
  // A pool whose creation is lost loses its later events with it: 17 logs are hidden, 21 missing.
  test.each([
    ['one swap', (log: ChainLog) => log.block === 105 && log.logIndex === 6, 1],
    ['the last log', (log: ChainLog) => log.block === 107 && log.logIndex === 9, 1],
    ['every log of two blocks', (log: ChainLog) => log.block === 104 || log.block === 106, 21],
  ])('finds that %s is missing, repairs it and counts', async (_, hides, repairs) => {
    const world = await start(tenBlocks)
    world.node.faults.hides = hides
    await catchUp(world)
    world.node.faults.hides = () => false
    world.chain.finalise(107)
    await catchUp(world)
    const { header } = await stateOf(world.drawn)
    expect(header).toMatchObject({ epoch: 1, repairs, finalizedCursor: world.chain.anchor(107) })
    await expectUndisturbed(world)
  })

  test('finds that a first price is missing although no trade used it', async () => {
    const [mint, swap] = trades(2, 3000).acts as [DrawnBlock['acts'][0], DrawnBlock['acts'][0]]
    const quiet = [mint, swap].map((act) => ({ acts: [act], seconds: 3000 }))
    const world = await start([...quiet, ...tenBlocks.slice(0, 4)])
    world.node.faults.hides = (log) => log.topics[0] === v3Initialize
    await catchUp(world)
    world.node.faults.hides = () => false
    world.chain.finalise(102)
    await catchUp(world)
    expect((await stateOf(world.drawn)).header).toMatchObject({ epoch: 1, repairs: 1 })
    await expectUndisturbed(world)
  })

  test.each([1, 2])('reports that %i endpoints agreed', async (endpointsAgreed) => {
    const world = await start(tenBlocks)
    world.node.faults.endpointsAgreed = endpointsAgreed
    world.chain.finalise(105)
    await catchUp(world)
    expect((await stateOf(world.drawn)).header.crossChecked).toBe(endpointsAgreed > 1)
  })

  test('a node that has forgotten what we hold deletes nothing', async () => {
    const world = await start(tenBlocks)
    await catchUp(world)
    const before = await stateOf(world.drawn)
    world.chain.finalise(105)
    world.node.faults.hides = () => true
    for (let steps = 0; steps < 5; steps++) await stepSoundly(world)
    const after = await stateOf(world.drawn)
    expect(after.rows).toEqual(before.rows)
    expect(after.header).toMatchObject({ finalizedCursor: null, epoch: 0, repairs: 0 })
    expect(world.drawn.reported.at(-1)).toMatch(/^behind: endpoint omitted events of block 100/)
    world.node.faults.hides = () => false
    await catchUp(world)
    expect((await stateOf(world.drawn)).header.finalizedCursor?.block).toBe(105)
  })

  test('continues where it was after a restart, and gives the same result twice', async () => {
    const world = await start(tenBlocks)
    world.chain.finalise(103)
    await catchUp(world)
    await world.drawn.index.load()
    world.chain.finalise(106)
    await catchUp(world)
    const { header } = await stateOf(world.drawn)
    expect(header.finalizedCursor?.block).toBe(106)
    const to = header.finalizedCursor as BlockRef
    const again = { expectedCursor: 103, to, crossChecked: false }
    expect(await world.drawn.store.advanceFinalized(again)).toBe('committed')
    expect((await stateOf(world.drawn)).header).toEqual(header)
  })
})

describe('what is final', () => {
  //   followed   100 ..... 104 ... 109       no event in 101 to 109
  //   the chain    '- 101a ... 104a ... 109a ... 112a
  //   final                 ^
  test('is not settled on a branch that the chain has left, though no event shows it', async () => {
    const quiet = (count: number, seconds: number) =>
      Array.from({ length: count }, (): DrawnBlock => ({ acts: [], seconds }))
    const world = await start([trades(6, 1), ...quiet(11, 1)])
    await catchUp(world)
    world.chain.fork(11, quiet(9, 1000))
    world.chain.finalise(104)
    for (let steps = 0; steps < 3; steps++) await stepSoundly(world)
    world.chain.grow(quiet(4, 1))
    await catchUp(world)
    const { header } = await stateOf(world.drawn)
    expect(header.finalizedCursor).toEqual(world.chain.anchor(104))
    expect(header).toMatchObject({ epoch: 1, repairs: 0 })
    await expectUndisturbed(world)
  })

  test('is repaired in parts where much follows it', async () => {
    const world = await start(tenBlocks, { branchLogsMax: 20 })
    world.node.faults.logsMax = 25
    world.node.faults.hides = (log) => log.block === 102 && log.logIndex === 3
    await catchUp(world)
    world.node.faults.hides = () => false
    world.chain.finalise(107)
    await catchUp(world)
    const { header } = await stateOf(world.drawn)
    expect(header).toMatchObject({ epoch: 1, repairs: 1, finalizedCursor: world.chain.anchor(107) })
    await expectUndisturbed(world)
  })
})

describe('a chain that breaks its promises', () => {
  test('a fork below the settled block stops the index, and nothing is touched', async () => {
    const world = await start(tenBlocks)
    world.chain.finalise(106)
    await catchUp(world)
    const before = await stateOf(world.drawn)
    world.chain.fork(6, tenBlocks)
    for (let steps = 0; steps < 4; steps++) {
      expect(await world.drawn.step()).toEqual({ waitMs: 10_000 })
    }
    const { header, ...rest } = await stateOf(world.drawn)
    expect({ ...rest, header: { ...header, head: null, revision: 0 } }).toEqual({
      ...before,
      header: { ...before.header, head: null, revision: 0 },
    })
    // It reports how far the chain continues without it.
    expect(header.head?.block).toBe(world.chain.head())
    expect(world.drawn.reported.at(-1)).toMatch(/^finality-violated: settled block 106 has hash 0x/)
    expect(world.drawn.lines.at(-1)).toMatch(/^error Indexing stopped: finality violated/)
  })

  test('a head that moves back removes nothing', async () => {
    const world = await start(tenBlocks)
    await catchUp(world)
    const before = await stateOf(world.drawn)
    world.node.faults.lag = 5
    for (let steps = 0; steps < 3; steps++) await stepSoundly(world)
    const after = await stateOf(world.drawn)
    expect(after.rows).toEqual(before.rows)
    expect(after.header.cursor).toEqual(before.header.cursor)
  })

  test('a new branch without logs from a lagging node is requested again', async () => {
    const world = await start(tenBlocks)
    await catchUp(world)
    const before = await stateOf(world.drawn)
    world.chain.fork(5, tenBlocks)
    world.node.faults.hides = () => true
    for (let steps = 0; steps < 2; steps++) await stepSoundly(world)
    expect((await stateOf(world.drawn)).rows).toEqual(before.rows)
    world.node.faults.hides = () => false
    await catchUp(world)
    await expectUndisturbed(world)
  })

  test('a new branch without any event is accepted after three equal answers', async () => {
    const world = await start(tenBlocks)
    await catchUp(world)
    world.chain.fork(
      5,
      Array.from({ length: 8 }, () => trades(0, 1)),
    )
    await catchUp(world)
    await expectUndisturbed(world)
  })
})
