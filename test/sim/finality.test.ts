import { describe, expect, test } from 'vitest'
import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import type { DrawnBlock } from './drawn-chain.ts'
import { stateOf } from './drawn-index.ts'
import {
  catchUp,
  expectUndisturbed,
  start,
  stepSoundly,
  v3Initialize,
  v4ProtocolFeeUpdated,
} from './reorg-world.ts'

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

  // A pool's first burn, of nothing, sets its protocol fee (`createStepPlayers`). Pool 5 is created
  // by it, in the same block; pool 2 exists before.
  test.each([5, 2])('finds that the protocol fee of pool %i is missing', async (pool) => {
    const create: DrawnBlock = { acts: [{ kind: 'swap', pool: 2, percent: 99 }], seconds: 9 }
    const fee: DrawnBlock = { acts: [{ kind: 'burn', pool }], seconds: 60 }
    const world = await start([create, fee, ...tenBlocks.slice(0, 4)])
    const feesKept = async () => {
      const { rows } = await stateOf(world.drawn)
      const kept = rows.flatMap((row) => row.pool.fees ?? [])
      return kept.filter(({ protocolFee }) => protocolFee > 0)
    }
    world.node.faults.hides = ({ topics }) => topics[0] === v4ProtocolFeeUpdated
    await catchUp(world)
    expect(await feesKept()).toEqual([])
    world.node.faults.hides = () => false
    world.chain.finalise(102)
    await catchUp(world)
    expect((await stateOf(world.drawn)).header).toMatchObject({ epoch: 1, repairs: 1 })
    expect(await feesKept()).toEqual([{ lpFee: 3000, protocolFee: 1_000_257, block: 101 }])
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
