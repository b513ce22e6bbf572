import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { anyAct } from '../../src/domain/ingest/sample-history.fixture.ts'
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
    anyAct.filter((act) => act.kind !== 'mine'),
    { maxLength: 4 },
  ),
  // Many blocks of one second, some across the end of a minute, an hour, a day.
  seconds: fc.oneof(fc.constant(0), fc.nat(40), fc.constant(3000), fc.constant(50_000)),
})

const blocks = (min: number, max: number) => fc.array(anyBlock, { minLength: min, maxLength: max })

const opened: DrawnIndex[] = []
afterEach(async () => {
  for (const drawn of opened.splice(0)) await drawn.store.close()
})

const start = async (first: readonly DrawnBlock[]) => {
  const chain = createDrawnChain()
  chain.grow(first)
  const node = createDrawnNode(chain)
  const drawn = await createDrawnIndex(chain, node)
  opened.push(drawn)
  return { chain, node, drawn }
}

type World = Awaited<ReturnType<typeof start>>

const settledOf = async (drawn: DrawnIndex) => (await stateOf(drawn)).header.settled?.block ?? 0

/** One step, after which nothing that was promised may be broken. */
const stepSoundly = async ({ chain, drawn }: World): Promise<void> => {
  const before = await settledOf(drawn)
  await drawn.step()
  expect(await violations(chain, drawn, before)).toEqual([])
}

/** Steps until the index has what the chain has, and settled what is final. */
const catchUp = async (world: World, stepsMax = 60): Promise<void> => {
  const { chain, drawn } = world
  const isThere = async () => {
    const { header } = await stateOf(drawn)
    const to = chain.head() - confirmations
    const isIndexed = to < firstBlock || header.indexed?.hash === chain.anchor(to)?.hash
    const final = Math.min(chain.finalBlock() ?? 0, header.indexed?.block ?? 0)
    return isIndexed && (header.settled?.block ?? 0) >= Math.min(final, to)
  }
  for (let steps = 0; steps < stepsMax && !(await isThere()); steps++) await stepSoundly(world)
  expect(await isThere()).toBe(true)
}

/** The store holds what one would that had never seen another branch, and so does the book. */
const expectUndisturbed = async ({ chain, drawn }: World): Promise<void> => {
  const { header, rows, pools } = await stateOf(drawn)
  const to = header.indexed?.block ?? 0
  expect(header.indexed).toEqual(chain.anchor(to))
  expect(rows).toEqual(await undisturbed(chain, to))
  await drawn.index.load()
  const byNumber = (a: (typeof pools)[number], b: (typeof pools)[number]) =>
    a.identity.number - b.identity.number
  expect(pools.toSorted(byNumber)).toEqual([...drawn.index.pools().all()].toSorted(byNumber))
}

const many = { numRuns: 40, endOnFailure: true }

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
    node.faults.hides = ({ block, logIndex }) =>
      move.share > 0 && (block * 7 + logIndex * 3) % 6 < move.share
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
        // The node has the truth of what is final when it is asked a second time by two.
        world.node.faults.witnesses = 1
        for (const move of drawnMoves) {
          happen(world, move)
          const honest = world.node.faults.hides
          // What is lost in following is found by settling: that reads from another node.
          world.node.faults.before = (question) => {
            world.node.faults.hides = question === 'witnessedLogs' ? () => false : honest
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
  }, 120_000)

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
            if (asked === moment) chain.fork(depth, branch)
          }
          chain.finalise(firstBlock + 1)
          await catchUp(world)
          chain.grow(branch)
          chain.fork(3, branch)
          await catchUp(world)
          chain.finalise(chain.head() - confirmations)
          await catchUp(world)
          await expectUndisturbed(world)
        },
      ),
      many,
    )
  }, 60_000)
})
