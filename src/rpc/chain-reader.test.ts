import { describe, expect, it } from 'vitest'
import { serve } from '../../test/support/net/loopback.ts'
import {
  hashOf,
  headerOf,
  logOf,
  pool,
  startFakeNode,
  topic,
  tsOf,
  word,
} from '../../test/support/rpc/fake-node.ts'
import { createTestReader, logsOf } from '../../test/support/rpc/reader.ts'

const all = { topics: [] }
const anchorOf = (block: number, branch = 0) => ({
  block,
  hash: hashOf(block, branch),
  ts: tsOf(block),
})
const timeless = (block: number, logIndex: number) =>
  logOf(block, logIndex, { blockTimestamp: '0x0' })
const start = async (over: Parameters<typeof createTestReader>[1] = {}) => {
  const node = await startFakeNode()
  return { node, ...createTestReader([node.url], over) }
}

describe('heads', () => {
  it('the latest block and the final one come in one request', async () => {
    const { node, reader } = await start()
    await reader.chainId()
    expect(await reader.getHeads()).toEqual({
      ok: true,
      value: { latest: anchorOf(1000), finalized: anchorOf(900) },
    })
    expect(node.received).toHaveLength(2)
    expect(JSON.parse(node.received[1]?.body ?? '')).toMatchObject([
      { method: 'eth_chainId' },
      { params: ['finalized', false] },
      { params: ['latest', false] },
    ])
  })

  it.each([
    ['the node knows no such block', { result: null }],
    ['the node knows no such tag', { error: { code: -32602, message: 'invalid block tag' } }],
    ['geth before the merge', { error: { code: -39001, message: 'finalized block not found' } }],
    ['it is ahead of the head', { result: headerOf(1001) }],
  ])('nothing is final where %s', async (_, answer) => {
    const { node, reader } = await start()
    node.answer = ({ params }) => (params[0] === 'finalized' ? answer : undefined)
    expect(await reader.getHeads()).toEqual({
      ok: true,
      value: { latest: anchorOf(1000), finalized: null },
    })
  })

  it('final by depth', async () => {
    const { node, reader } = await start({ finality: { blocks: 64 } })
    expect(await reader.getHeads()).toEqual({
      ok: true,
      value: { latest: anchorOf(1000), finalized: anchorOf(936) },
    })
    node.head = 63
    expect(await reader.getHeads()).toMatchObject({ value: { finalized: null } })
  })

  it.each([
    ['nothing', { result: null }],
    ['another form', { result: [] }],
    ['a header without a hash', { result: { ...headerOf(1000), hash: null } }],
    ['a header without a time', { result: { ...headerOf(1000), timestamp: 7 } }],
  ])('a latest block that is %s is a fault', async (_, answer) => {
    const { node, reader } = await start()
    node.answer = ({ params }) => (params[0] === 'latest' ? answer : undefined)
    expect(await reader.getHeads()).toMatchObject({ ok: false })
  })
})

describe('anchor', () => {
  it('is a block by number, hash and time', async () => {
    const { reader } = await start()
    expect(await reader.getBlockRef(77)).toEqual({ ok: true, value: anchorOf(77) })
  })

  it('of a block that is not there yet: behind', async () => {
    const { reader } = await start()
    expect(await reader.getBlockRef(1001)).toMatchObject({ fault: { kind: 'behind' } })
  })

  it('the header of another block is not believed', async () => {
    const { node, reader } = await start({ limits: { waitMsMax: 0 } })
    node.answer = ({ params }) => (params[0] === '0x4d' ? { result: headerOf(78) } : undefined)
    expect(await reader.getBlockRef(77)).toMatchObject({ fault: { kind: 'malformed' } })
  })
})

describe('logs', () => {
  it('come with their times and the ends of their range, in one request', async () => {
    const { node, reader } = await start()
    await reader.chainId()
    node.logs = [logOf(12, 0), logOf(17, 3)]
    const { length } = node.received
    const filter = { addresses: [pool], topics: [[topic], null] }
    const read = await reader.readRange({ from: 10, to: 20 }, filter)
    expect(read).toMatchObject({
      value: { parentHash: hashOf(9), last: anchorOf(20), logs: [{ block: 12 }, { block: 17 }] },
    })
    expect(read.ok && read.value.logs[0]).toEqual({
      address: pool,
      topics: [topic, word(0)],
      data: word(12),
      block: 12,
      blockHash: hashOf(12),
      ts: tsOf(12),
      txHash: word(12_000),
      txIndex: 0,
      logIndex: 0,
    })
    expect(node.received).toHaveLength(length + 1)
    expect(node.calls().at(-1)?.params).toEqual([
      { fromBlock: '0xa', toBlock: '0x14', address: [pool], topics: [[topic], null] },
    ])
    expect(await logsOf(reader, { from: 10, to: 20 }, filter)).toEqual({
      ok: true,
      value: read.ok && read.value.logs,
    })
  })

  it('of one block', async () => {
    const { node, reader } = await start()
    node.logs = [timeless(12, 0)]
    expect(await reader.readRange({ from: 12, to: 12 }, all)).toMatchObject({
      value: { parentHash: hashOf(11), last: anchorOf(12), logs: [{ ts: tsOf(12) }] },
    })
    expect(node.calls().map(({ method }) => method)).toEqual([
      'eth_chainId',
      'eth_getBlockByNumber',
      'eth_getLogs',
    ])
  })

  it('of a filter that matches nothing are none, and no node is asked for all', async () => {
    const { node, reader } = await start()
    node.logs = [logOf(12, 0)]
    expect(await reader.readRange({ from: 10, to: 20 }, { topics: [[]] })).toMatchObject({
      value: { logs: [], last: anchorOf(20) },
    })
    expect(node.calls().some(({ method }) => method === 'eth_getLogs')).toBe(false)
  })

  it('a node behind the range is found out, though it answers without an error', async () => {
    const { node, reader } = await start()
    node.logs = [logOf(12, 0), logOf(19, 0)]
    node.head = 15
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({
      fault: { kind: 'behind' },
    })
  })

  it('no range is a bug, and not a fault', async () => {
    const { reader } = await start()
    await expect(logsOf(reader, { from: 5, to: 4 }, all)).rejects.toThrow(RangeError)
    await expect(logsOf(reader, { from: -1, to: 4 }, all)).rejects.toThrow(RangeError)
    await expect(logsOf(reader, { from: 0.5, to: 4 }, all)).rejects.toThrow(RangeError)
  })
})

describe('impossible responses', () => {
  const quick = { limits: { waitMsMax: 0 } }
  it.each([
    ['a pending log', [logOf(12, 0, { blockNumber: null })]],
    ['log outside the range', [logOf(21, 0)]],
    ['a log of another branch at the end', [logOf(20, 0, { blockHash: hashOf(20, 1) })]],
    ['a log of another branch at the start', [logOf(10, 0, { blockHash: hashOf(10, 1) })]],
    ['two logs at one index', [logOf(12, 0), logOf(12, 0, { data: '0x' })]],
    ['no list', {}],
    ['null', null],
  ])('%s: malformed, and the endpoint is at fault', async (_, result) => {
    const { node, reader } = await start(quick)
    node.answer = ({ method }) => (method === 'eth_getLogs' ? { result } : undefined)
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({
      fault: { kind: 'malformed' },
    })
    expect(reader.endpoints()[0]).toMatchObject({ state: 'cooldown', faults: { malformed: 1 } })
  })

  it('another endpoint is asked instead', async () => {
    const [liar, honest] = [await startFakeNode(), await startFakeNode()]
    liar.answer = ({ method }) => (method === 'eth_getLogs' ? { result: null } : undefined)
    honest.logs = [logOf(12, 0)]
    const { reader } = createTestReader([liar.url, honest.url])
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({
      value: [{ block: 12 }],
    })
  })

  it('cut off at any byte', async () => {
    let length = 0
    const answers = [
      { id: 1, result: '0x1237' },
      { id: 2, result: headerOf(20) },
      { id: 3, result: headerOf(10) },
      { id: 4, result: [logOf(12, 0)] },
    ]
    const whole = JSON.stringify(answers)
    const { url } = await serve((_, response) => {
      response.end(whole.slice(0, length))
    })
    const { reader, timer } = createTestReader([url], quick)
    for (; length < whole.length; length += 7) {
      const read = await logsOf(reader, { from: 10, to: 20 }, all)
      expect(read).toMatchObject({ fault: { kind: 'malformed' } })
      timer.advance(20_000)
    }
    length = whole.length
    expect(await logsOf(reader, { from: 10, to: 20 }, all)).toMatchObject({
      value: [{ block: 12 }],
    })
  })
})
