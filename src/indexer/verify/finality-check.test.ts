import { describe, expect, test } from 'vitest'
import { sampleHash } from '../../../test/support/domain/sample-chain.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { BlockRange, ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import { createFinalityChecker } from './finality-check.ts'

const anchorAt = (block: BlockNumber, branch = 0): BlockRef => ({
  block,
  hash: sampleHash(block, branch),
  ts: block,
})

/** An index that holds what the chain has, and kept every so many blocks' hashes. */
const createStage = (given: {
  readonly indexed: number
  readonly settled?: number
  readonly keptEvery?: number
  readonly logsPerBlock?: number
}) => {
  const { indexed, keptEvery = 1, logsPerBlock = 0 } = given
  const node = {
    branchOf: (_block: number, _question: string): number => 0,
    refusalOf: (_range: BlockRange): RpcFault | null => null,
    endpointsAgreed: 1,
  }
  const asked: string[] = []
  let settled: BlockRef | null = given.settled === undefined ? null : anchorAt(given.settled)
  let verified: boolean | null = null

  const chain = {
    getBlockRef: async (block: number) => {
      asked.push(`anchor ${block}`)
      return success(anchorAt(block, node.branchOf(block, 'anchor')))
    },
    readRangeCrossChecked: async (range: BlockRange) => {
      asked.push(`${range.from}-${range.to}`)
      const fault = node.refusalOf(range)
      if (fault !== null) return failure(fault)
      const at = (block: number) => anchorAt(block, node.branchOf(block, 'range'))
      const logs = { length: (range.to - range.from + 1) * logsPerBlock }
      const [parent, last] = [at(range.from - 1), at(range.to)]
      const { endpointsAgreed } = node
      return success({ logs: Array.from(logs), parentHash: parent.hash, last, endpointsAgreed })
    },
  } as unknown as ChainReader

  const store = {
    snapshot: async () => ({
      epoch: 0,
      finalizedCursor: settled,
      backfillCursor: null,
      identity: { originHash: null },
    }),
    readBlockAtOrBelow: async (block: number) =>
      anchorAt(block >= indexed ? indexed : Math.floor(block / keptEvery) * keptEvery),
    readEvents: async () => ({ blocks: [], pools: [], swaps: [], liquidity: [] }),
    advanceFinalized: async (settling: { readonly to: BlockRef; readonly verified: boolean }) => {
      settled = settling.to
      verified = settling.verified
      return 'committed'
    },
  } as unknown as Store

  const settler = createFinalityChecker({
    chain,
    store,
    index: {
      cursor: () => anchorAt(indexed),
      pools: () => ({}) as never,
      eventsOf: () => [],
    } as never,
    branches: { replace: async () => success('committed') },
    logger: createJournal().logger,
    sha256: (text) => `0x${text}`,
    topics: [],
    origin: 1,
    confirmations: 0,
    pointsOf: () => [],
    keptSinceTs: () => 0,
  })
  const settle = (finalized: BlockRef | null) =>
    settler.checkNextRange({
      heads: { latest: anchorAt(indexed), finalized },
      backfillAt: () => ({ phase: 'done', done: 0, total: 0 }),
    })
  return { node, asked, settle, settled: () => settled, verified: () => verified }
}

describe('settling', () => {
  test('reads a range once, and nothing else where its last block is one we hold', async () => {
    const stage = createStage({ indexed: 500, settled: 100 })
    expect(await stage.settle(anchorAt(400))).toEqual({ kind: 'some' })
    expect(stage.asked).toEqual(['101-400'])
    expect(stage.settled()).toEqual(anchorAt(400))
    expect(await stage.settle(anchorAt(400))).toEqual({ kind: 'nothing' })
  })

  test('ends at a block that is held; of the rest it asks where the index stands', async () => {
    const stage = createStage({ indexed: 500, settled: 100, keptEvery: 75 })
    await stage.settle(anchorAt(400))
    expect(stage.asked).toEqual(['101-375'])
    await stage.settle(anchorAt(400))
    expect(stage.asked.slice(1)).toEqual(['376-400', 'anchor 500'])
    expect(stage.settled()).toEqual(anchorAt(400))
  })

  test('of a chain of 100,000 events takes so many requests', async () => {
    const stage = createStage({ indexed: 20_000, logsPerBlock: 5 })
    for (let steps = 0; steps < 100; steps++) await stage.settle(anchorAt(20_000))
    expect(stage.settled()).toEqual(anchorAt(20_000))
    expect(stage.asked).toHaveLength(20)
  })

  test('halves what is refused', async () => {
    const stage = createStage({ indexed: 500, settled: 100 })
    const detail = 'too many'
    stage.node.refusalOf = ({ from, to }) =>
      to - from >= 200 ? { kind: 'range-too-large', suggestedBlocks: null, detail } : null
    expect(await stage.settle(anchorAt(500))).toEqual({ kind: 'some' })
    expect(await stage.settle(anchorAt(500))).toEqual({ kind: 'some' })
    expect(stage.asked).toEqual(['101-500', '101-300'])
  })

  test.each([
    [1, false],
    [2, true],
  ])('says whether more than one told: %i', async (endpointsAgreed, verified) => {
    const stage = createStage({ indexed: 500, settled: 100 })
    stage.node.endpointsAgreed = endpointsAgreed
    await stage.settle(anchorAt(500))
    expect(stage.verified()).toBe(verified)
  })

  test.each([
    ['nothing is final', null],
    ['all that is final is settled', anchorAt(100)],
  ])('does nothing where %s', async (_, finalized) => {
    const stage = createStage({ indexed: 500, settled: 100 })
    expect(await stage.settle(finalized)).toEqual({ kind: 'nothing' })
    expect(stage.asked).toEqual([])
  })
})

describe('what does not fit together is not settled', () => {
  test('our block at the end is another than the chain’s', async () => {
    const stage = createStage({ indexed: 500, settled: 100 })
    stage.node.branchOf = (block) => (block > 200 ? 1 : 0)
    expect(await stage.settle(anchorAt(400, 1))).toEqual({ kind: 'left' })
    expect(stage.settled()).toEqual(anchorAt(100))
  })

  test('none of the range is held, and the index stands on another branch', async () => {
    const stage = createStage({ indexed: 500, settled: 100, keptEvery: 100 })
    stage.node.branchOf = (block) => (block > 120 ? 1 : 0)
    expect(await stage.settle(anchorAt(150, 1))).toEqual({ kind: 'left' })
    expect(stage.settled()).toEqual(anchorAt(100))
  })

  test('the range does not continue the settled block, which stands: a node erred', async () => {
    const stage = createStage({ indexed: 500, settled: 100 })
    stage.node.branchOf = (_, question) => (question === 'range' ? 1 : 0)
    const detail = 'what was told of the final block 400 belongs to another branch'
    const fault = { kind: 'behind', detail }
    expect(await stage.settle(anchorAt(400))).toEqual({ kind: 'fault', fault })
    expect(stage.asked).toEqual(['101-400', 'anchor 100'])
  })

  test('the settled block is no longer the chain’s', async () => {
    const stage = createStage({ indexed: 500, settled: 100 })
    stage.node.branchOf = () => 1
    expect(await stage.settle(anchorAt(400, 1))).toMatchObject({
      fault: { kind: 'finality-violated' },
    })
  })

  test('the range ends with another block than the one that was called final', async () => {
    const stage = createStage({ indexed: 500, settled: 100 })
    expect(await stage.settle(anchorAt(400, 1))).toMatchObject({ fault: { kind: 'behind' } })
  })
})
