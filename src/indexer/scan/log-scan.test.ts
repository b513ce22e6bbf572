import { describe, expect, test } from 'vitest'
import { sampleHash } from '../../../test/support/domain/sample-chain.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { BlockRange, ChainReader, LogFilter, RpcFault } from '../../ports/chain-reader.ts'
import { createSingleEndpointWarning } from './cross-check.ts'
import { createLogScan, type ScanTarget, stepScans } from './log-scan.ts'

const logAt = (block: number, logIndex: number): ChainLog => ({
  address: '0x01',
  topics: [],
  data: '0x',
  block,
  blockHash: '0x02',
  ts: block,
  txHash: '0x03',
  txIndex: 0,
  logIndex,
})

const singleEndpointWarning =
  'Backfill is not cross-checked: one endpoint supports only small ranges'

const filterOf = (name: string): LogFilter => ({ addresses: [`0x${name}`], topics: [] })

type Answer = Outcome<readonly ChainLog[], RpcFault>
type Request = {
  readonly endpoints: 'two' | 'one'
  readonly range: BlockRange
  readonly filter: LogFilter
}

const blockRefAt = (block: number, branch = 0): BlockRef => ({
  block,
  hash: sampleHash(block, branch),
  ts: block,
})

const toRange = (answer: Answer, { from, to }: BlockRange, branch = 0) =>
  answer.ok
    ? success({
        logs: answer.value,
        parentHash: sampleHash(from - 1, branch),
        last: blockRefAt(to, branch),
        endpointsAgreed: 2,
      })
    : answer

/** A chain that answers each request, to two endpoints or to one, as given. */
const createFakeChain = (answerOf: (request: Request) => Answer) => {
  const requests: Request[] = []
  const answer = (request: Request): Answer => {
    requests.push(request)
    return answerOf(request)
  }
  const chain = {
    readRange: async (range: BlockRange, filter: LogFilter) =>
      toRange(answer({ endpoints: 'one', range, filter }), range),
    readRangeCrossChecked: async (range: BlockRange, filter: LogFilter) =>
      toRange(answer({ endpoints: 'two', range, filter }), range),
  } as unknown as ChainReader
  return { chain, requests }
}

const tooLarge = (suggestedBlocks: number | null = null): Answer => ({
  ok: false,
  fault: { kind: 'range-too-large', suggestedBlocks, detail: '' },
})

const blockCount = ({ from, to }: BlockRange): number => to - from + 1

/** Steps until the scan is complete; the logs of each step, and the block that it reached. */
const scanAll = async (chain: ChainReader, target: Omit<ScanTarget, 'onLogs'>) => {
  const received: { readonly positions: readonly string[]; readonly to: number }[] = []
  const onLogs: ScanTarget['onLogs'] = (logs, to) =>
    received.push({ positions: logs.map(({ block, logIndex }) => `${block}.${logIndex}`), to })
  const scan = createLogScan({ ...target, onLogs }, { chain, onSingleEndpoint: () => {} })
  for (let steps = 0; steps < 100 && !scan.isComplete(); steps++) await scan.step()
  expect(scan.isComplete()).toBe(true)
  return received
}

const range = { from: 1, to: 100 }

describe('a scan', () => {
  //  filter a   │1.0      7.2│
  //  filter b   │    3.1  7.2│    7.2 matches both: a pool of two stocks
  //  received   │1.0 3.1  7.2│
  test('merges the logs of several filters in chain order, each once', async () => {
    const { chain } = createFakeChain(({ filter }) =>
      success(
        filter.addresses?.[0] === '0xa' ? [logAt(1, 0), logAt(7, 2)] : [logAt(3, 1), logAt(7, 2)],
      ),
    )
    const filters = [filterOf('a'), filterOf('b')]
    const received = await scanAll(chain, { filters, range, times: false })
    expect(received).toEqual([{ positions: ['1.0', '3.1', '7.2'], to: 100 }])
  })

  test('continues with smaller ranges for all filters after one is rejected', async () => {
    const { chain, requests } = createFakeChain(({ range, filter }) =>
      filter.addresses?.[0] === '0xb' && blockCount(range) > 30 ? tooLarge() : success([]),
    )
    const filters = [filterOf('a'), filterOf('b')]
    const received = await scanAll(chain, { filters, range, times: false })
    expect(received.at(-1)?.to).toBe(100)
    const answered = requests.filter(({ range }) => blockCount(range) <= 30)
    for (const { range } of answered) {
      expect(answered.filter((each) => each.range.from === range.from)).toHaveLength(2)
    }
  })

  test('stays where it was after a fault of any filter', async () => {
    let isDown = true
    const down: Answer = { ok: false, fault: { kind: 'timeout', detail: '' } }
    const { chain } = createFakeChain(({ filter }) =>
      isDown && filter.addresses?.[0] === '0xd' ? down : success([logAt(5, 0)]),
    )
    const received: number[] = []
    const filters = ['a', 'b', 'c', 'd'].map(filterOf)
    const scan = createLogScan(
      { filters, range, times: false, onLogs: (_, to) => received.push(to) },
      { chain, onSingleEndpoint: () => {} },
    )
    expect(await stepScans([scan])).toMatchObject({ kind: 'timeout' })
    expect({ received, done: scan.blocksDone() }).toEqual({ received: [], done: 0 })
    isDown = false
    expect(await stepScans([scan])).toBe(null)
    expect({ received, done: scan.blocksDone() }).toEqual({ received: [100], done: 100 })
  })

  test('returns the fault of a single block that is rejected', async () => {
    const { chain } = createFakeChain(() => tooLarge())
    const one = { from: 5, to: 5 }
    const scan = createLogScan(
      { filters: [filterOf('a')], range: one, times: false, onLogs: () => {} },
      { chain, onSingleEndpoint: () => {} },
    )
    expect(await scan.step()).toMatchObject({ kind: 'range-too-large' })
    expect(scan.isComplete()).toBe(false)
  })

  test('sends no request for an empty range', async () => {
    const { chain, requests } = createFakeChain(() => success([]))
    const none = { from: 6, to: 5 }
    expect(await scanAll(chain, { filters: [filterOf('a')], range: none, times: true })).toEqual([])
    expect(requests).toEqual([])
  })
})

//  the chain   ├─── 50 blocks ────┤── 50 blocks ───┤ branchBlock
//  one node    ├──────── a ───────┤── 50 blocks ───┘   on another branch, with a log of its own
describe('a scan of one branch', () => {
  const branchBlock = blockRefAt(100)
  const filters = [filterOf('a'), filterOf('b')]

  /** Two nodes behind one URL: `nodeOf` chooses the one that answers. */
  const createNodes = (nodeOf: (request: number) => 0 | 1) => {
    let requests = 0
    const read = async (range: BlockRange) => {
      if (blockCount(range) > 50) return tooLarge(50)
      const branch = nodeOf(requests++)
      return toRange(success(branch === 1 ? [logAt(40, 0)] : []), range, branch)
    }
    return { readRange: read, readRangeCrossChecked: read } as unknown as ChainReader
  }

  const scanBranch = async (chain: ChainReader, end: BlockRef) => {
    const received: ChainLog[] = []
    const onLogs = (logs: readonly ChainLog[]) => void received.push(...logs)
    const target = { filters, range, branchBlock: end, times: false, onLogs }
    const scan = createLogScan(target, { chain, onSingleEndpoint: () => {} })
    const faults: string[] = []
    for (let steps = 0; steps < 20 && !scan.isComplete(); steps++) {
      const fault = await scan.step()
      if (fault !== null) faults.push(`${fault.kind}: ${fault.detail}`)
    }
    return { received, faults, isComplete: scan.isComplete() }
  }

  const mismatch = 'behind: block 50 reported by the endpoint is on another branch'
  const moved = /^behind: block 100 /
  test.each([
    ['answers both filters', [1, 1, 0], [mismatch]],
    ['answers the first filter', [1, 0, 0], [mismatch]],
    ['answers the second filter', [0, 1, 0], [mismatch]],
    ['answers the branch check', [0, 0, 1], [moved]],
    ['answers every request', [1, 1, 1], [moved]],
    ['answers for the end', [0, 0, 0, 1, 0, 0, 0, 0, 0], [/block 100 reported by the endpoint/]],
    ['does not answer', [], []],
  ] as const)('ignores logs of a node on another branch that %s', async (_, turns, faults) => {
    // The first two ranges are rejected as too large, which takes no turn.
    const chain = createNodes((request) => turns[request] ?? 0)
    const expected = { received: [], faults: faults.map((fault) => expect.stringMatching(fault)) }
    expect(await scanBranch(chain, branchBlock)).toEqual({ ...expected, isComplete: true })
  })

  test('does not check the branch of blocks that are a day older than the end', async () => {
    const chain = createNodes((request) => (request < 2 ? 1 : 0))
    const end = { ...branchBlock, ts: 86_400 + 51 }
    const { received, faults } = await scanBranch(chain, end)
    expect({ received: received.length, faults }).toEqual({ received: 1, faults: [] })
  })
})

//  one     ├────────────── any ────────────────┤
//  other   ├── 10 ──┼── 10 ──┼── 10 ──┼── 10 ──┤   both, unless that takes thousands of requests
describe('a scan with two endpoints, one of which supports ten blocks per range', () => {
  const tenBlocks = ({ endpoints, range }: Request) =>
    endpoints === 'two' && blockCount(range) > 10 ? tooLarge(10) : success([])

  test('cross-checks a short chain', async () => {
    const { chain, requests } = createFakeChain(tenBlocks)
    await scanAll(chain, { filters: [filterOf('a')], range, times: true })
    expect(requests.filter(({ endpoints }) => endpoints === 'one')).toEqual([])
    const answered = requests.filter(({ range }) => blockCount(range) <= 10)
    expect(answered.reduce((sum, { range }) => sum + blockCount(range), 0)).toBe(100)
    // Larger ranges are tried again, ever more rarely.
    expect(requests.length).toBeLessThan(10 + 5)
  })

  test('reads a very long chain from one endpoint, with a warning', async () => {
    const { chain, requests } = createFakeChain(tenBlocks)
    const journal = createJournal()
    const filters = [filterOf('a'), filterOf('b')]
    const long = { from: 1, to: 20_001 }
    const deps = { chain, onSingleEndpoint: createSingleEndpointWarning(journal.logger) }
    const scan = createLogScan({ filters, range: long, times: true, onLogs: () => {} }, deps)
    expect(await scan.step()).toBe(null)
    expect(scan.isComplete()).toBe(true)
    expect(requests.map(({ endpoints, range }) => `${endpoints} ${blockCount(range)}`)).toEqual([
      'two 20001',
      'two 20001',
      'one 20001',
      'one 20001',
    ])
    expect(journal.count(singleEndpointWarning)).toBe(1)
  })

  test('reduces the ranges of that endpoint when it rejects them, too', async () => {
    const { chain, requests } = createFakeChain(({ endpoints, range }) =>
      blockCount(range) > (endpoints === 'two' ? 10 : 9000) ? tooLarge() : success([]),
    )
    const long = { from: 1, to: 30_000 }
    await scanAll(chain, { filters: [filterOf('a')], range: long, times: true })
    const answered = requests.filter(
      ({ endpoints, range }) => endpoints === 'one' && blockCount(range) <= 9000,
    )
    expect(answered.reduce((sum, { range }) => sum + blockCount(range), 0)).toBe(30_000)
    expect(requests.length).toBeLessThan(30)
  })
})
