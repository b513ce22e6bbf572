import { describe, expect, test } from 'vitest'
import type { ChainLog } from '../../domain/chain/chain-log.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { BlockRange, ChainReader, LogFilter, RpcFault } from '../../ports/chain.ts'
import { createSweep, type SweepTarget, stepSweeps } from './sweep.ts'

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

/** A chain whose answers to each question, asked of two nodes or of one, are given. */
const chainOf = (answerOf: (asked: Asked) => Answer) => {
  const asked: Asked[] = []
  const ask = (one: Asked): Answer => {
    asked.push(one)
    return answerOf(one)
  }
  const chain = {
    logs: async (range: BlockRange, filter: LogFilter) => ask({ by: 'one', range, filter }),
    witnessedRange: async (range: BlockRange, filter: LogFilter) => {
      const told = ask({ by: 'two', range, filter })
      return told.ok ? success({ logs: told.value, witnesses: 2 }) : told
    },
  } as unknown as ChainReader
  return { chain, asked }
}

const tooLarge = (suggestedBlocks: number | null = null): Answer => ({
  ok: false,
  fault: { kind: 'range-too-large', suggestedBlocks, detail: '' },
})

const lengthOf = ({ from, to }: BlockRange): number => to - from + 1

/** Steps until it is over; what was taken, and up to where each time. */
const sweepAll = async (chain: ChainReader, target: Omit<SweepTarget, 'take'>) => {
  const taken: { readonly places: readonly string[]; readonly to: number }[] = []
  const take: SweepTarget['take'] = (logs, to) =>
    taken.push({ places: logs.map(({ block, logIndex }) => `${block}.${logIndex}`), to })
  const sweep = createSweep({ ...target, take }, chain)
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
    const taken = await sweepAll(chain, { filters, range, need: 'light' })
    expect(taken).toEqual([{ places: ['1.0', '3.1', '7.2'], to: 100 }])
  })

  test('goes on in smaller ranges for all filters once one of them is refused', async () => {
    const { chain, asked } = chainOf(({ range, filter }) =>
      filter.addresses?.[0] === '0xb' && lengthOf(range) > 30 ? tooLarge() : success([]),
    )
    const filters = [filterOf('a'), filterOf('b')]
    const taken = await sweepAll(chain, { filters, range, need: 'light' })
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
    const sweep = createSweep(
      { filters, range, need: 'light', take: (_, to) => taken.push(to) },
      chain,
    )
    expect(await stepSweeps([sweep])).toMatchObject({ kind: 'timeout' })
    expect({ taken, done: sweep.blocksDone() }).toEqual({ taken: [], done: 0 })
    isDown = false
    expect(await stepSweeps([sweep])).toBe(null)
    expect({ taken, done: sweep.blocksDone() }).toEqual({ taken: [100], done: 100 })
  })

  test('of one block that is refused says so', async () => {
    const { chain } = chainOf(() => tooLarge())
    const one = { from: 5, to: 5 }
    const sweep = createSweep(
      { filters: [filterOf('a')], range: one, need: 'light', take: () => {} },
      chain,
    )
    expect(await sweep.step()).toMatchObject({ kind: 'range-too-large' })
    expect(sweep.isOver()).toBe(false)
  })

  test('over no blocks asks nobody', async () => {
    const { chain, asked } = chainOf(() => success([]))
    const none = { from: 6, to: 5 }
    expect(await sweepAll(chain, { filters: [filterOf('a')], range: none, need: 'whole' })).toEqual(
      [],
    )
    expect(asked).toEqual([])
  })
})

describe('a sweep that nothing is held against later', () => {
  const asksOf = (asked: readonly Asked[]) =>
    asked.map(({ by, range }) => `${by} ${lengthOf(range)}`)
  const whole = { filters: [filterOf('a')], range, need: 'whole' } as const

  test.each<[string, (asked: Asked) => Answer, readonly string[]]>([
    ['asks two nodes', () => success([]), ['two 100']],
    [
      'asks one for what the second has too small ranges for',
      ({ by, range }) => (by === 'two' && lengthOf(range) > 10 ? tooLarge() : success([])),
      ['two 100', 'one 100'],
    ],
    [
      'asks no single node again once it refused, too, until two answer',
      ({ range }) => (lengthOf(range) > 30 ? tooLarge() : success([])),
      ['two 100', 'one 100', 'two 50', 'two 25', 'two 75', 'one 75', 'two 37', 'two 18', 'two 57'],
    ],
  ])('%s', async (_, answerOf, expected) => {
    const { chain, asked } = chainOf(answerOf)
    await sweepAll(chain, whole)
    expect(asksOf(asked).slice(0, expected.length)).toEqual(expected)
  })
})
