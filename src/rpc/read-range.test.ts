import { describe, expect, it } from 'vitest'
import { logOf, startFakeNode } from '../../test/support/rpc/fake-node.ts'
import { createTestReader, logsOf } from '../../test/support/rpc/reader.ts'

const all = { topics: [] }
const start = async (over: Parameters<typeof createTestReader>[1] = {}) => {
  const node = await startFakeNode()
  return { node, ...createTestReader([node.url], over) }
}

describe('too much in one range', () => {
  const refusing = async (message: string) => {
    const { node, reader, timer } = await start()
    node.answer = ({ method }) =>
      method === 'eth_getLogs' ? { error: { code: -32602, message } } : undefined
    return { node, reader, timer }
  }

  it('what the node says it would answer is passed on, without a second try', async () => {
    const { node, reader, timer } = await refusing('block range is too wide (maximum 4)')
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({
      fault: { kind: 'range-too-large', suggestedBlocks: 4 },
    })
    expect(node.received).toHaveLength(1)
    expect(timer.slept).toEqual([])
    expect(reader.endpoints()[0]?.state).toBe('ready')
  })

  it('unless it is no less than what was refused', async () => {
    const { reader } = await refusing('eth_getLogs is limited to a 10,000 range')
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({
      fault: { kind: 'range-too-large', suggestedBlocks: null },
    })
  })

  it('an answer beyond our own cap is the same fault', async () => {
    const { node, reader } = await start({ limits: { logsBytesMax: 20_000 } })
    node.logs = Array.from({ length: 100 }, (_, i) => logOf(12, i))
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({
      fault: { kind: 'range-too-large', suggestedBlocks: null },
    })
  })

  it('an unknown text may mean a range limit, except for a single block', async () => {
    const { reader } = await refusing('the moon is in the wrong phase')
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({
      fault: { kind: 'range-too-large', suggestedBlocks: null },
    })
    expect(await logsOf(reader, { from: 10, to: 10 }, all)).toMatchObject({
      fault: { kind: 'rejected', detail: expect.stringContaining('the moon') },
    })
  })

  it('halving comes to an end, whatever is said', async () => {
    const { reader } = await refusing('the moon is in the wrong phase')
    let blocks = 1_000
    for (let tries = 1; ; tries++) {
      expect(tries).toBeLessThan(12)
      const read = await logsOf(reader, { from: 0, to: blocks - 1 }, all)
      if (!read.ok && read.fault.kind === 'rejected') break
      blocks = Math.ceil(blocks / 2)
    }
    expect(blocks).toBe(1)
  })

  it('a rate limit is waited out, and the range stays as it is', async () => {
    const { node, reader, timer } = await start()
    let faults = 2
    node.answer = ({ method }) =>
      method === 'eth_getLogs' && faults-- > 0
        ? { error: { code: -32005, message: 'rate limit exceeded' } }
        : undefined
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({ ok: true })
    expect(timer.slept).toEqual([1000, 2000])
    const ranges = node.calls().filter(({ method }) => method === 'eth_getLogs')
    expect(new Set(ranges.map((call) => JSON.stringify(call.params))).size).toBe(1)
  })
})
