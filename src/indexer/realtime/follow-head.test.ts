import { describe, expect, test } from 'vitest'
import { expectGapless, rangesOnly } from '../../../test/support/indexer/asked-ranges.ts'
import { createFollowerHarness } from '../../../test/support/indexer/follow-stage.ts'
import type { RpcFault } from '../../ports/chain-reader.ts'

const tooLarge: RpcFault = { kind: 'range-too-large', suggestedBlocks: null, detail: 'too many' }
const unreachable: RpcFault = { kind: 'unreachable', detail: 'reset' }
const limited: RpcFault = { kind: 'rate-limited', retryAfterSeconds: 7, detail: 'slow down' }

const sizeOf = (range: string): number => {
  const [from = 0, to = 0] = range.split('-').map(Number)
  return to - from + 1
}

describe('far behind the head', () => {
  test('requests one range first, then three at a time, and ingests in order', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    await stage.step()
    expect(stage.asked).toEqual(['heads', '1-1000'])
    await stage.step()
    expect(stage.asked).toEqual(['heads', '1-1000', '1001-2000', '2001-3000', '3001-4000'])
    expect(stage.taken).toEqual(['1-1000', '1001-2000'])
    await stage.catchUp()
    expect(stage.taken.slice(2)).toEqual(rangesOnly(stage.asked).slice(2))
    expectGapless(stage.taken, 20_000)
  })

  test('a chain of 100,000 events is read in so many requests', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    await stage.catchUp()
    expectGapless(stage.taken, 20_000)
    expect(stage.asked).toHaveLength(1 + 20)
  })

  test('ingests responses in chain order whatever their order of arrival', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    await stage.step()
    const waiting = new Map<number, () => void>()
    stage.node.hold = ({ from }) =>
      new Promise((resolve) => {
        waiting.set(from, resolve)
      })
    const stepping = stage.step()
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect([...waiting.keys()]).toEqual([1001, 2001, 3001])
    waiting.get(3001)?.()
    waiting.get(2001)?.()
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(stage.taken).toEqual(['1-1000'])
    stage.node.hold = () => Promise.resolve()
    waiting.get(1001)?.()
    await stepping
    await stage.catchUp()
    expectGapless(stage.taken, 20_000)
  })

  test('heads are asked for once a poll, and the store hears of each', async () => {
    const stage = createFollowerHarness({ latest: 100_000, logsPerBlock: 5 })
    for (let steps = 0; steps < 9; steps++) {
      await stage.step()
      stage.node.latest += 100
      stage.node.nowTs += 1
    }
    expect(stage.asked.filter((each) => each === 'heads')).toHaveLength(3)
    expect([...new Set(stage.heads)]).toEqual([100_000, 100_300, 100_600])
  })

  test('a clock that is put back does not make old heads young', async () => {
    const stage = createFollowerHarness({ latest: 100_000 })
    await stage.step()
    stage.node.nowTs -= 3600
    await stage.step()
    expect(stage.asked.filter((each) => each === 'heads')).toHaveLength(2)
  })

  test('one range is settled after sixteen, the rest when all is read', async () => {
    const stage = createFollowerHarness({ latest: 40_000, logsPerBlock: 5 })
    await stage.catchUp()
    expect(stage.taken).toHaveLength(40)
    const [first = 0, second = 0, ...rest] = stage.finality.at
    const endOf = (at: number) => Number(stage.taken[at]?.split('-')[1])
    expect([first, second, rest]).toEqual([endOf(15), endOf(31), []])
    await stage.step()
    expect(stage.finality.at).toHaveLength(3)
  })

  test('a check whose range is still being read continues in the next step', async () => {
    const stage = createFollowerHarness({ latest: 40_000, logsPerBlock: 5 })
    stage.finality.outcome = { kind: 'reading' }
    while (stage.finality.at.length < 3) await stage.step()
    expect(stage.finality.at.map(String)).toEqual(
      stage.taken.slice(15, 18).map((range) => range.split('-')[1]),
    )
  })
})

describe('at the head', () => {
  test.each([0, 20])(
    'with %i confirmations new blocks cost one question for heads and one for them',
    async (confirmations) => {
      const stage = createFollowerHarness({ latest: 1000, confirmations })
      await stage.catchUp()
      await stage.step()
      stage.asked.length = 0
      for (let polls = 0; polls < 3; polls++) {
        stage.node.latest += 10
        expect(await stage.step()).toEqual({ waitMs: 3000 })
      }
      const to = 1000 - confirmations
      const ranges = [0, 10, 20].map((more) => `${to + more + 1}-${to + more + 10}`)
      expect(stage.asked).toEqual(ranges.flatMap((range) => ['heads', range]))
    },
  )

  test('nothing new costs one question', async () => {
    const stage = createFollowerHarness({ latest: 1000 })
    await stage.catchUp()
    stage.asked.length = 0
    for (let polls = 0; polls < 3; polls++) await stage.step()
    expect(stage.asked).toEqual(['heads', 'heads', 'heads'])
  })

  test('a head that went back is waited out', async () => {
    const stage = createFollowerHarness({ latest: 1000 })
    await stage.catchUp()
    stage.asked.length = 0
    stage.node.latest = 900
    expect(await stage.step()).toEqual({ waitMs: 3000 })
    expect(stage.asked).toEqual(['heads'])
    expect(stage.heads.at(-1)).toBe(900)
  })

  test('reports why the finality check failed beside the success of the step', async () => {
    const stage = createFollowerHarness({ latest: 1000 })
    stage.finality.outcome = { kind: 'fault', fault: { kind: 'behind', detail: 'forgot' } }
    await stage.catchUp()
    await stage.step()
    expect(stage.reported.at(-1)).toBe('behind: forgot')
    stage.node.latest = 1010
    await stage.step()
    expect(stage.taken.at(-1)).toBe('1001-1010')
    expect(stage.reported.at(-1)).toBe('behind: forgot')
    stage.finality.outcome = { kind: 'idle' }
    await stage.step()
    expect(stage.reported.at(-1)).toBe(null)
  })
})

describe('when something goes wrong', () => {
  //   asked    [1001-2000] [2001-3000: too many] [3001-4000]
  //   then                 [2001-2500] alone, and on from there
  test('a range in the middle that is too large drops those behind it and shrinks', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    stage.node.faultOf = (_, range) =>
      range !== undefined && range.to - range.from >= 900 && range.from > 2000 ? tooLarge : null
    await stage.step()
    await stage.step()
    expect(await stage.step()).toEqual({ waitMs: 0 })
    expect(stage.taken).toEqual(['1-1000', '1001-2000'])
    stage.asked.length = 0
    await stage.step()
    expect(stage.asked).toEqual(['2001-2500'])
    await stage.catchUp()
    expectGapless(stage.taken, 20_000)
    expect(stage.reported.every((error) => error === null)).toBe(true)
  })

  test('a single block that is too large is a fault', async () => {
    const stage = createFollowerHarness({ latest: 1 })
    stage.node.faultOf = (_, range) => (range === undefined ? null : tooLarge)
    expect(await stage.step()).toEqual({ waitMs: 1000 })
    expect(stage.reported).toEqual(['range-too-large: too many'])
  })

  test('waits after a fault of one range, then requests it and all after it again', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    await stage.step()
    let faults = 1
    stage.node.faultOf = (_, range) => (range?.from === 2001 && faults-- > 0 ? unreachable : null)
    await stage.step()
    expect(await stage.step()).toEqual({ waitMs: 1000 })
    expect(stage.reported.at(-1)).toBe('unreachable: reset')
    stage.asked.length = 0
    await stage.step()
    expect(stage.asked).toEqual(['heads', '2001-3000', '3001-4000', '4001-5000'])
    await stage.catchUp()
    expectGapless(stage.taken, 20_000)
  })

  test('a limited rate is waited for as long as it says, and shrinks nothing', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    await stage.step()
    stage.node.faultOf = (_, range) => (range === undefined ? null : limited)
    expect(await stage.step()).toEqual({ waitMs: 7000 })
    stage.node.faultOf = () => null
    await stage.catchUp()
    expect(new Set(stage.taken.slice(1, -1).map(sizeOf))).toEqual(new Set([1000]))
  })

  test('another writer is given way to', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    await stage.step()
    stage.moveByAnother()
    expect(await stage.step()).toEqual({ waitMs: 1000 })
    stage.standAt(1700)
    stage.asked.length = 0
    await stage.step()
    expect(stage.asked).toEqual(['heads', '1701-2700', '2701-3700', '3701-4700'])
  })

  test('records the head while no new block is confirmed', async () => {
    const stage = createFollowerHarness({ latest: 20_000 })
    stage.node.faultOf = (_, range) => (range === undefined ? null : unreachable)
    await stage.step()
    stage.node.latest = 20_500
    await stage.step()
    expect(stage.heads).toEqual([20_000, 20_500])
  })
})

describe('ranges of several branches', () => {
  //   settled      indexed
  //   .. 500 ---- 1000a                    ingested
  //         '---- 1000b ---- [1001-2000]   what the chain says now
  test('handles a reorg during read-ahead before it ingests another range', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    await stage.step()
    stage.node.settled = 500
    stage.node.branchOf = (block) => (block > 700 ? 1 : 0)
    expect(await stage.step()).toEqual({ waitMs: 0 })
    expect(stage.taken).toEqual(['1-1000', 'branch 501-20000'])
    stage.node.latest = 20_010
    await stage.catchUp()
    await stage.step()
    expect(stage.taken.at(-1)).toBe('20001-20010')
  })

  test('below the settled block it stops the index, until the chain is the right one', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    await stage.step()
    stage.node.settled = 500
    stage.node.branchOf = (block) => (block > 300 ? 1 : 0)
    for (let steps = 0; steps < 3; steps++) {
      expect(await stage.step()).toEqual({ waitMs: 10_000 })
    }
    expect(stage.taken).toEqual(['1-1000'])
    expect(stage.reported.at(-1)).toMatch(/^finality-violated: settled block 500 has hash 0x/)
    expect(stage.journal.of('error')).toHaveLength(3)
    stage.node.branchOf = () => 0
    await stage.catchUp()
    expectGapless(stage.taken, 20_000)
    expect(stage.reported.at(-1)).toBe(null)
  })

  //   ingested [1-1000]  [1001-2000] canonical, [2001-3000] of an endpoint on another branch
  test('a node on another branch is not believed while ours stands', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5 })
    stage.node.branchOf = (_, question) => (question === '2001-3000' ? 1 : 0)
    await stage.step()
    await stage.step()
    expect(await stage.step()).toEqual({ waitMs: 1000 })
    expect(stage.reported.at(-1)).toBe(
      'behind: block 2001 reported by the endpoint is on another branch',
    )
    expect(stage.taken).toEqual(['1-1000', '1001-2000'])
    stage.node.branchOf = () => 0
    stage.asked.length = 0
    await stage.step()
    expect(stage.asked).toEqual(['heads', '2001-3000', '3001-4000', '4001-5000'])
    await stage.catchUp()
    expectGapless(stage.taken, 20_000)
  })

  test('a head of the same height with another hash is looked into once', async () => {
    const stage = createFollowerHarness({ latest: 1000 })
    await stage.catchUp()
    stage.node.branchOf = (_, question) => (question === 'heads' ? 1 : 0)
    stage.asked.length = 0
    for (let polls = 0; polls < 3; polls++) await stage.step()
    expect(stage.asked).toEqual(['heads', 'anchor', 'heads', 'heads'])
  })
})
