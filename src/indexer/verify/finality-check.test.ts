import { afterEach, describe, expect, test, vi } from 'vitest'
import { sampleHash } from '../../../test/support/domain/sample-chain.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { BlockRange, ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import { createFinalityChecker } from './finality-check.ts'

const blockRefAt = (block: BlockNumber, branch = 0): BlockRef => ({
  block,
  hash: sampleHash(block, branch),
  ts: block,
})

const readMsMax = 1000

/** An index that agrees with the chain and stores the hash of every `storedEvery`th block. */
const createHarness = (given: {
  readonly indexed: number
  readonly checkedTo?: number
  readonly storedEvery?: number
  readonly logsPerBlock?: number
}) => {
  const { indexed, storedEvery = 1, logsPerBlock = 0 } = given
  const node = {
    branchOf: (_block: number, _method: string): number => 0,
    faultOf: (_range: BlockRange): RpcFault | null => null,
    /** Responses to ranges wait for this. */
    hold: (): Promise<void> => Promise.resolve(),
    endpointsAgreed: 1,
  }
  const requests: string[] = []
  let finalizedCursor: BlockRef | null =
    given.checkedTo === undefined ? null : blockRefAt(given.checkedTo)
  let verified: boolean | null = null
  const index = { at: indexed, epoch: 0 }

  const chain = {
    getBlockRef: async (block: number) => {
      requests.push(`getBlockRef ${block}`)
      return success(blockRefAt(block, node.branchOf(block, 'getBlockRef')))
    },
    readRangeCrossChecked: async (range: BlockRange) => {
      requests.push(`${range.from}-${range.to}`)
      await node.hold()
      const fault = node.faultOf(range)
      if (fault !== null) return failure(fault)
      const at = (block: number) => blockRefAt(block, node.branchOf(block, 'range'))
      const logs = { length: (range.to - range.from + 1) * logsPerBlock }
      const [parent, last] = [at(range.from - 1), at(range.to)]
      const { endpointsAgreed } = node
      return success({ logs: Array.from(logs), parentHash: parent.hash, last, endpointsAgreed })
    },
  } as unknown as ChainReader

  const store = {
    snapshot: async () => ({
      epoch: index.epoch,
      finalizedCursor,
      backfillCursor: null,
      identity: { originHash: null },
    }),
    readBlockAtOrBelow: async (block: number) =>
      blockRefAt(block >= indexed ? indexed : Math.floor(block / storedEvery) * storedEvery),
    readEvents: async () => ({ blocks: [], pools: [], swaps: [], liquidity: [] }),
    advanceFinalized: async (update: { readonly to: BlockRef; readonly crossChecked: boolean }) => {
      finalizedCursor = update.to
      verified = update.crossChecked
      return 'committed'
    },
  } as unknown as Store

  const checker = createFinalityChecker({
    chain,
    store,
    index: {
      cursor: () => blockRefAt(index.at),
      pools: () => ({}) as never,
      decodeEvents: () => [],
    } as never,
    branches: { replace: async () => success('committed') },
    logger: createJournal().logger,
    sha256: (text) => `0x${text}`,
    topics: [],
    origin: 1,
    confirmations: 0,
    readMsMax,
    decodePrices: () => [],
    swapsKeptSinceTs: () => 0,
  })
  const check = (finalized: BlockRef | null) =>
    checker.checkNextRange({
      heads: { latest: blockRefAt(indexed), finalized },
      progressAt: () => ({ phase: 'done', done: 0, total: 0 }),
    })
  return {
    node,
    index,
    requests,
    check,
    finalizedCursor: () => finalizedCursor,
    verified: () => verified,
  }
}

describe('a finality check', () => {
  test('reads the range once and makes no other request if its last block is stored', async () => {
    const harness = createHarness({ indexed: 500, checkedTo: 100 })
    expect(await harness.check(blockRefAt(400))).toEqual({ kind: 'advanced' })
    expect(harness.requests).toEqual(['101-400'])
    expect(harness.finalizedCursor()).toEqual(blockRefAt(400))
    expect(await harness.check(blockRefAt(400))).toEqual({ kind: 'idle' })
  })

  test('ends at a stored block, and reads the cursor block above the last one', async () => {
    const harness = createHarness({ indexed: 500, checkedTo: 100, storedEvery: 75 })
    await harness.check(blockRefAt(400))
    expect(harness.requests).toEqual(['101-375'])
    await harness.check(blockRefAt(400))
    expect(harness.requests.slice(1)).toEqual(['376-400', 'getBlockRef 500'])
    expect(harness.finalizedCursor()).toEqual(blockRefAt(400))
  })

  test('takes 20 requests for a chain of 100,000 events', async () => {
    const harness = createHarness({ indexed: 20_000, logsPerBlock: 5 })
    for (let steps = 0; steps < 100; steps++) await harness.check(blockRefAt(20_000))
    expect(harness.finalizedCursor()).toEqual(blockRefAt(20_000))
    expect(harness.requests).toHaveLength(20)
  })

  test('halves a range that the endpoint rejects as too large', async () => {
    const harness = createHarness({ indexed: 500, checkedTo: 100 })
    const detail = 'too many'
    harness.node.faultOf = ({ from, to }) =>
      to - from >= 200 ? { kind: 'range-too-large', suggestedBlocks: null, detail } : null
    expect(await harness.check(blockRefAt(500))).toEqual({ kind: 'advanced' })
    expect(await harness.check(blockRefAt(500))).toEqual({ kind: 'advanced' })
    expect(harness.requests).toEqual(['101-500', '101-300'])
  })

  test.each([
    [1, false],
    [2, true],
  ])('records whether endpoints agreed: %i', async (endpointsAgreed, verified) => {
    const harness = createHarness({ indexed: 500, checkedTo: 100 })
    harness.node.endpointsAgreed = endpointsAgreed
    await harness.check(blockRefAt(500))
    expect(harness.verified()).toBe(verified)
  })

  test.each([
    ['no block is finalized', null],
    ['all finalized blocks are checked', blockRefAt(100)],
  ])('is idle while %s', async (_, finalized) => {
    const harness = createHarness({ indexed: 500, checkedTo: 100 })
    expect(await harness.check(finalized)).toEqual({ kind: 'idle' })
    expect(harness.requests).toEqual([])
  })
})

describe('the finalized cursor does not advance', () => {
  test('if the stored block at the end of the range was replaced', async () => {
    const harness = createHarness({ indexed: 500, checkedTo: 100 })
    harness.node.branchOf = (block) => (block > 200 ? 1 : 0)
    expect(await harness.check(blockRefAt(400, 1))).toEqual({ kind: 'reorged' })
    expect(harness.finalizedCursor()).toEqual(blockRefAt(100))
  })

  test('if the range has no stored block and the cursor was replaced', async () => {
    const harness = createHarness({ indexed: 500, checkedTo: 100, storedEvery: 100 })
    harness.node.branchOf = (block) => (block > 120 ? 1 : 0)
    expect(await harness.check(blockRefAt(150, 1))).toEqual({ kind: 'reorged' })
    expect(harness.finalizedCursor()).toEqual(blockRefAt(100))
  })

  test('if the range does not link to the finalized cursor, which is canonical', async () => {
    const harness = createHarness({ indexed: 500, checkedTo: 100 })
    harness.node.branchOf = (_, method) => (method === 'range' ? 1 : 0)
    const detail = 'finalized block 400 reported by the endpoint is on another branch'
    const fault = { kind: 'behind', detail }
    expect(await harness.check(blockRefAt(400))).toEqual({ kind: 'fault', fault })
    expect(harness.requests).toEqual(['101-400', 'getBlockRef 100'])
  })

  test('if the block of the finalized cursor was replaced', async () => {
    const harness = createHarness({ indexed: 500, checkedTo: 100 })
    harness.node.branchOf = () => 1
    expect(await harness.check(blockRefAt(400, 1))).toMatchObject({
      fault: { kind: 'finality-violated' },
    })
  })

  test('if the range ends in another block than the finalized one', async () => {
    const harness = createHarness({ indexed: 500, checkedTo: 100 })
    expect(await harness.check(blockRefAt(400, 1))).toMatchObject({ fault: { kind: 'behind' } })
  })
})

describe('a read that takes long', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A check whose endpoints have not answered when its time is over. */
  const startSlowCheck = async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const harness = createHarness({ indexed: 500, checkedTo: 100 })
    const answers: (() => void)[] = []
    harness.node.hold = () => new Promise((resolve) => answers.push(resolve))
    const first = harness.check(blockRefAt(400))
    await vi.advanceTimersByTimeAsync(readMsMax)
    expect(await first).toEqual({ kind: 'reading' })
    return { ...harness, answers }
  }

  test('lets the index advance, and its range is compared by a later call', async () => {
    const { index, requests, answers, check, finalizedCursor } = await startSlowCheck()
    index.at = 520
    const second = check(blockRefAt(420))
    await vi.advanceTimersByTimeAsync(readMsMax)
    expect(await second).toEqual({ kind: 'reading' })
    answers[0]?.()
    expect(await check(blockRefAt(430))).toEqual({ kind: 'advanced' })
    expect(requests).toEqual(['101-400'])
    expect(finalizedCursor()).toEqual(blockRefAt(400))
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is compared with the finalized block that it was begun for', async () => {
    const { node, answers, check, finalizedCursor } = await startSlowCheck()
    node.branchOf = (block) => (block === 400 ? 1 : 0)
    answers[0]?.()
    expect(await check(blockRefAt(430))).toMatchObject({ fault: { kind: 'behind' } })
    expect(finalizedCursor()).toEqual(blockRefAt(100))
  })

  test('is void once the branch was replaced', async () => {
    const { node, index, requests, answers, check } = await startSlowCheck()
    index.epoch = 1
    node.hold = () => Promise.resolve()
    answers[0]?.()
    expect(await check(blockRefAt(410))).toEqual({ kind: 'advanced' })
    expect(requests).toEqual(['101-400', '101-410'])
  })
})
