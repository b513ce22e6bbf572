import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyStep } from '../support/domain/sample-history.ts'
import { type DrawnBlock, firstBlock } from './drawn-chain.ts'
import { confirmations, stateOf } from './drawn-index.ts'
import {
  catchUp,
  expectUndisturbed,
  start,
  stepSoundly,
  v3Initialize,
  type World,
} from './reorg-world.ts'

const anyBlock: fc.Arbitrary<DrawnBlock> = fc.record({
  acts: fc.array(
    anyStep.filter((act) => act.kind !== 'mine'),
    { maxLength: 4 },
  ),
  // Many blocks of one second, some across the end of a minute, an hour, a day.
  seconds: fc.oneof(fc.constant(0), fc.nat(40), fc.constant(3000), fc.constant(50_000)),
})

const blocks = (min: number, max: number) => fc.array(anyBlock, { minLength: min, maxLength: max })

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
