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

const filterOf = (name: string): LogFilter => ({ addresses: [`0x${name}`], topics: [] })

type Answer = Outcome<readonly ChainLog[], RpcFault>
type Asked = { readonly by: 'two' | 'one'; readonly range: BlockRange; readonly filter: LogFilter }

const anchorAt = (block: number, branch = 0): BlockRef => ({
  block,
  hash: sampleHash(block, branch),
  ts: block,
})

const readOf = (told: Answer, { from, to }: BlockRange, branch = 0) =>
  told.ok
    ? success({
        logs: told.value,
        parentHash: sampleHash(from - 1, branch),
        last: anchorAt(to, branch),
        endpointsAgreed: 2,
      })
    : told

/** A chain whose answers to each question, asked of two nodes or of one, are given. */
const chainOf = (answerOf: (asked: Asked) => Answer) => {
  const asked: Asked[] = []
  const ask = (one: Asked): Answer => {
    asked.push(one)
    return answerOf(one)
  }
  const chain = {
    readRange: async (range: BlockRange, filter: LogFilter) =>
      readOf(ask({ by: 'one', range, filter }), range),
    readRangeCrossChecked: async (range: BlockRange, filter: LogFilter) =>
      readOf(ask({ by: 'two', range, filter }), range),
  } as unknown as ChainReader
  return { chain, asked }
}

const tooLarge = (suggestedBlocks: number | null = null): Answer => ({
  ok: false,
  fault: { kind: 'range-too-large', suggestedBlocks, detail: '' },
})

const lengthOf = ({ from, to }: BlockRange): number => to - from + 1

/** Steps until it is over; what was taken, and up to where each time. */
const sweepAll = async (chain: ChainReader, target: Omit<ScanTarget, 'take'>) => {
  const taken: { readonly places: readonly string[]; readonly to: number }[] = []
  const take: ScanTarget['take'] = (logs, to) =>
    taken.push({ places: logs.map(({ block, logIndex }) => `${block}.${logIndex}`), to })
  const sweep = createLogScan({ ...target, take }, { chain, onAlone: () => {} })
  for (let steps = 0; steps < 100 && !sweep.isOver(); steps++) await sweep.step()
  expect(sweep.isOver()).toBe(true)
  return taken
}

const range = { from: 1, to: 100 }

describe('a sweep', () => {
  //  filter a   │1.0      7.2│
  //  filter b   │    3.1  7.2│    7.2 is told by both: a pool between two stocks
  //  taken      │1.0 3.1  7.2│
  test('tells what several filters find in chain order, and nothing twice', async () => {
    const { chain } = chainOf(({ filter }) =>
      success(
        filter.addresses?.[0] === '0xa' ? [logAt(1, 0), logAt(7, 2)] : [logAt(3, 1), logAt(7, 2)],
      ),
    )
    const filters = [filterOf('a'), filterOf('b')]
    const taken = await sweepAll(chain, { filters, range, times: false })
    expect(taken).toEqual([{ places: ['1.0', '3.1', '7.2'], to: 100 }])
  })

  test('goes on in smaller ranges for all filters once one of them is refused', async () => {
    const { chain, asked } = chainOf(({ range, filter }) =>
      filter.addresses?.[0] === '0xb' && lengthOf(range) > 30 ? tooLarge() : success([]),
    )
    const filters = [filterOf('a'), filterOf('b')]
    const taken = await sweepAll(chain, { filters, range, times: false })
    expect(taken.at(-1)?.to).toBe(100)
    const answered = asked.filter(({ range }) => lengthOf(range) <= 30)
    for (const { range } of answered) {
      expect(answered.filter((each) => each.range.from === range.from)).toHaveLength(2)
    }
  })

  test('is where it was after a fault, of whichever filter', async () => {
    let isDown = true
    const down: Answer = { ok: false, fault: { kind: 'timeout', detail: '' } }
    const { chain } = chainOf(({ filter }) =>
      isDown && filter.addresses?.[0] === '0xd' ? down : success([logAt(5, 0)]),
    )
    const taken: number[] = []
    const filters = ['a', 'b', 'c', 'd'].map(filterOf)
    const sweep = createLogScan(
      { filters, range, times: false, take: (_, to) => taken.push(to) },
      { chain, onAlone: () => {} },
    )
    expect(await stepScans([sweep])).toMatchObject({ kind: 'timeout' })
    expect({ taken, done: sweep.blocksDone() }).toEqual({ taken: [], done: 0 })
    isDown = false
    expect(await stepScans([sweep])).toBe(null)
    expect({ taken, done: sweep.blocksDone() }).toEqual({ taken: [100], done: 100 })
  })

  test('of one block that is refused says so', async () => {
    const { chain } = chainOf(() => tooLarge())
    const one = { from: 5, to: 5 }
    const sweep = createLogScan(
      { filters: [filterOf('a')], range: one, times: false, take: () => {} },
      { chain, onAlone: () => {} },
    )
    expect(await sweep.step()).toMatchObject({ kind: 'range-too-large' })
    expect(sweep.isOver()).toBe(false)
  })

  test('over no blocks asks nobody', async () => {
    const { chain, asked } = chainOf(() => success([]))
    const none = { from: 6, to: 5 }
    expect(await sweepAll(chain, { filters: [filterOf('a')], range: none, times: true })).toEqual(
      [],
    )
    expect(asked).toEqual([])
  })
})

//  the chain   ├─── 50 at once ───┤── 50 at once ──┤ on
//  a node      ├──────── a ───────┤── 50 at once ──┘   has left it, and tells of a pool that is not
describe('on a branch', () => {
  const on = anchorAt(100)
  const filters = [filterOf('a'), filterOf('b')]

  /** Two nodes behind one address: `nodeOf` says whose turn it is. */
  const nodes = (nodeOf: (asked: number) => 0 | 1) => {
    let asked = 0
    const read = async (range: BlockRange) => {
      if (lengthOf(range) > 50) return tooLarge(50)
      const branch = nodeOf(asked++)
      return readOf(success(branch === 1 ? [logAt(40, 0)] : []), range, branch)
    }
    return { readRange: read, readRangeCrossChecked: read } as unknown as ChainReader
  }

  const tellsOf = async (chain: ChainReader, to: BlockRef) => {
    const taken: ChainLog[] = []
    const take = (logs: readonly ChainLog[]) => void taken.push(...logs)
    const target = { filters, range, on: to, times: false, take }
    const sweep = createLogScan(target, { chain, onAlone: () => {} })
    const faults: string[] = []
    for (let steps = 0; steps < 20 && !sweep.isOver(); steps++) {
      const fault = await sweep.step()
      if (fault !== null) faults.push(`${fault.kind}: ${fault.detail}`)
    }
    return { taken, faults, isOver: sweep.isOver() }
  }

  const rival = 'behind: what was told up to block 50 belongs to another branch'
  const unsure = 'behind: block 100 is another by now'
  test.each([
    ['which is asked by both filters', [1, 1, 0], [rival]],
    ['which is asked by the first filter', [1, 0, 0], [rival]],
    ['which is asked by the second filter', [0, 1, 0], [rival]],
    ['which is asked whether all is of that branch', [0, 0, 1], [unsure]],
    ['which is asked every time', [1, 1, 1], [unsure]],
    ['which is asked about the end', [0, 0, 0, 1, 0, 0, 0, 0, 0], [/up to block 100 belongs/]],
    ['which is not asked', [], []],
  ] as const)('nothing of a node is taken that has left it: %s', async (_, turns, told) => {
    // Two ranges are refused as too large first, and are no one's turn.
    const chain = nodes((asked) => turns[asked] ?? 0)
    const expected = told.map((each) => expect.stringMatching(each))
    expect(await tellsOf(chain, on)).toEqual({ taken: [], faults: expected, isOver: true })
  })

  test('what is a day older than its end is not doubted', async () => {
    const chain = nodes((asked) => (asked < 2 ? 1 : 0))
    const { taken, faults } = await tellsOf(chain, { ...on, ts: 86_400 + 51 })
    expect({ taken: taken.length, faults }).toEqual({ taken: 1, faults: [] })
  })
})

//  one     ├──────────── all at once ───────────┤
//  other   ├── 10 ──┼── 10 ──┼── 10 ──┼── 10 ──┤   both: as long as that is no more than some
//                                                  thousand questions; else one alone
describe('of two endpoints, one of which answers ten blocks at once', () => {
  const tenAtOnce = ({ by, range }: Asked) =>
    by === 'two' && lengthOf(range) > 10 ? tooLarge(10) : success([])

  test('both tell a chain of some blocks', async () => {
    const { chain, asked } = chainOf(tenAtOnce)
    await sweepAll(chain, { filters: [filterOf('a')], range, times: true })
    expect(asked.filter(({ by }) => by === 'one')).toEqual([])
    const answered = asked.filter(({ range }) => lengthOf(range) <= 10)
    expect(answered.reduce((sum, { range }) => sum + lengthOf(range), 0)).toBe(100)
    // What was refused is tried again, ever more seldom.
    expect(asked.length).toBeLessThan(10 + 5)
  })

  test('one alone tells a chain of very many, and that is said', async () => {
    const { chain, asked } = chainOf(tenAtOnce)
    const journal = createJournal()
    const filters = [filterOf('a'), filterOf('b')]
    const long = { from: 1, to: 20_001 }
    const deps = { chain, onAlone: createSingleEndpointWarning(journal.logger) }
    const sweep = createLogScan({ filters, range: long, times: true, take: () => {} }, deps)
    expect(await sweep.step()).toBe(null)
    expect(sweep.isOver()).toBe(true)
    expect(asked.map(({ by, range }) => `${by} ${lengthOf(range)}`)).toEqual([
      'two 20001',
      'two 20001',
      'one 20001',
      'one 20001',
    ])
    expect(journal.count('The past is told by one endpoint alone')).toBe(1)
  })

  test('that one is asked for less where it refuses, too', async () => {
    const { chain, asked } = chainOf(({ by, range }) =>
      lengthOf(range) > (by === 'two' ? 10 : 9000) ? tooLarge() : success([]),
    )
    const long = { from: 1, to: 30_000 }
    await sweepAll(chain, { filters: [filterOf('a')], range: long, times: true })
    const answered = asked.filter(({ by, range }) => by === 'one' && lengthOf(range) <= 9000)
    expect(answered.reduce((sum, { range }) => sum + lengthOf(range), 0)).toBe(30_000)
    expect(asked.length).toBeLessThan(30)
  })
})
