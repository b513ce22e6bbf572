import { describe, expect, it } from 'vitest'
import {
  hashOf,
  headerOf,
  logOf,
  quantity,
  startFakeNode,
  tsOf,
} from '../../test/support/rpc/fake-node.ts'
import { createTestReader, logsOf } from '../../test/support/rpc/reader.ts'

const all = { topics: [] }
const timeless = (block: number, logIndex: number) =>
  logOf(block, logIndex, { blockTimestamp: '0x0' })
const start = async (over: Parameters<typeof createTestReader>[1] = {}) => {
  const node = await startFakeNode()
  return { node, ...createTestReader([node.url], over) }
}

describe('times of logs that state none', () => {
  it('come from the headers of the blocks that have logs, in one batch', async () => {
    const { node, reader } = await start()
    node.logs = [timeless(10, 0), timeless(12, 0), timeless(12, 1), timeless(17, 0)]
    const read = await logsOf(reader, { from: 10, to: 20 }, all)
    expect(read.ok && read.value.map(({ ts }) => ts)).toEqual([10, 12, 12, 17].map(tsOf))
    const asked = node.received.slice(1).map(({ body }) => JSON.parse(body).slice(1))
    expect(asked).toMatchObject([[{ params: ['0xc', false] }, { params: ['0x11', false] }]])
  })

  it('are remembered by the hash of the block', async () => {
    const { node, reader } = await start()
    node.logs = [timeless(12, 0)]
    await logsOf(reader, { from: 10, to: 20 }, all)
    const { length } = node.received
    await logsOf(reader, { from: 10, to: 20 }, all)
    expect(node.received).toHaveLength(length + 1)

    node.branch = 1
    node.logs = [logOf(12, 0, { blockHash: hashOf(12, 1), blockTimestamp: '0x0' })]
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({ ok: true })
    expect(node.received).toHaveLength(length + 3)
  })

  it('of many blocks come in batches of a hundred', async () => {
    const { node, reader } = await start()
    node.logs = Array.from({ length: 250 }, (_, i) => timeless(100 + i, 0))
    const read = await logsOf(reader, { from: 50, to: 500 }, all)
    expect(read.ok && read.value.map(({ ts }) => ts)).toEqual(
      node.logs.map(({ blockNumber }) => tsOf(Number(blockNumber))),
    )
    // The range itself and its halves come first: no response was larger before.
    const sizes = node.received.slice(3).map(({ body }) => JSON.parse(body).length)
    // The last has room for the chain id, too.
    expect(sizes.sort()).toEqual([100, 100, 51])
  })

  it('a rate limit inside a batch costs only what it left out', async () => {
    const { node, reader, timer } = await start()
    node.logs = Array.from({ length: 50 }, (_, i) => timeless(100 + i, 0))
    let budget = 23
    node.reply = () => {
      budget = 23
      return undefined
    }
    node.answer = ({ method }) =>
      method === 'eth_getBlockByNumber' && budget-- <= 0
        ? { error: { code: 429, message: 'compute units per second exceeded' } }
        : undefined
    expect(await logsOf(reader, { from: 50, to: 500 }, all)).toMatchObject({ ok: true })
    const sizes = node.received.slice(1).map(({ body }) => JSON.parse(body).length)
    expect(sizes).toEqual([51, 28, 5])
    expect(timer.slept).toEqual([1000, 2000])
  })

  it.each([
    ['stated for some logs only', [logOf(12, 0), timeless(15, 0)]],
    ['stated for one log of a block only', [logOf(12, 0), timeless(12, 1)]],
    ['two for one block', [logOf(12, 0), logOf(12, 1, { blockTimestamp: '0x68' })]],
    ['before the range', [logOf(12, 0, { blockTimestamp: quantity(tsOf(10) - 1) })]],
    ['after the range', [logOf(12, 0, { blockTimestamp: quantity(tsOf(20) + 1) })]],
    ['against the header', [logOf(20, 0, { blockTimestamp: quantity(tsOf(10)) }), logOf(12, 0)]],
  ])('%s: the headers decide', async (_, logs) => {
    const { node, reader } = await start()
    node.logs = logs
    const read = await logsOf(reader, { from: 10, to: 20 }, all)
    expect(read.ok && read.value.every(({ block, ts }) => ts === tsOf(block))).toBe(true)
  })

  it('a header with another hash than the logs name is a fault', async () => {
    const { node, reader } = await start()
    node.logs = [timeless(12, 0)]
    node.answer = ({ params }) => (params[0] === '0xc' ? { result: headerOf(12, 1) } : undefined)
    const fault = { kind: 'malformed', detail: expect.stringContaining('block 12') }
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toEqual({ ok: false, fault })
  })
})
