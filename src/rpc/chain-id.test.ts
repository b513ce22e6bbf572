import { describe, expect, it } from 'vitest'
import { hashOf, startFakeNode } from '../../test/support/rpc/fake-node.ts'
import { createTestReader } from '../../test/support/rpc/reader.ts'

const anchor = (block: number, branch = 0) => ({ value: { block, hash: hashOf(block, branch) } })

describe('the chain id is proved before anything is believed', () => {
  it('a wrong one takes the endpoint out, and says so once', async () => {
    const [wrong, right] = [await startFakeNode(), await startFakeNode()]
    wrong.chainId = 1
    const { reader, timer, lines } = createTestReader([wrong.url, right.url])
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
    expect(await reader.getBlockRef(8)).toMatchObject(anchor(8))
    expect(wrong.received).toHaveLength(1)
    expect(reader.endpoints()[0]?.state).toBe('wrong-chain')
    expect(lines).toEqual([expect.stringMatching(/^error .*chain ID is 1, expected 4663/)])

    wrong.chainId = 4663
    timer.advance(300_001)
    await reader.getBlockRef(9)
    expect(reader.endpoints()[0]?.state).toBe('ready')
  })

  it('a wrong one seen once is used again within a minute', async () => {
    const node = await startFakeNode()
    const { reader, timer } = createTestReader([node.url], { random: () => 1 })
    node.chainId = 1
    expect(await reader.getBlockRef(7)).toMatchObject({ fault: { kind: 'wrong-chain' } })
    node.chainId = 4663
    timer.advance(14_999)
    expect(await reader.getBlockRef(7)).toMatchObject({ fault: { kind: 'wrong-chain' } })
    timer.advance(1)
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
    expect(await reader.getHeads()).toMatchObject({ ok: true })
    expect(reader.endpoints()[0]?.state).toBe('ready')
    expect(timer.slept).toEqual([])
  })

  it('an endpoint that keeps serving another chain is looked at every few minutes', async () => {
    const [wrong, right] = [await startFakeNode(), await startFakeNode()]
    wrong.chainId = 1
    const { reader, timer } = createTestReader([wrong.url, right.url])
    const seconds: number[] = []
    for (let second = 0; second < 1200; second++) {
      const asked = wrong.received.length
      expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
      if (wrong.received.length > asked) seconds.push(second)
      timer.advance(1000)
    }
    expect(seconds).toEqual([0, 10, 50, 210, 510, 810, 1110])
    expect(timer.slept).toEqual([])
  })

  // Quotes and blocks are asked for at the same moment, and each question fails for itself.
  it('logs a wrong chain ID once until the endpoint recovers', async () => {
    const node = await startFakeNode()
    node.chainId = 1
    const { reader, timer, lines } = createTestReader([node.url])
    const askAll = () => Promise.all([1, 2, 3].map((block) => reader.getBlockRef(block)))
    await askAll()
    timer.advance(450_001)
    node.reply = () => ({ status: 503, body: '' })
    await askAll()
    node.reply = () => undefined
    timer.advance(450_001)
    await askAll()
    const countErrors = () => lines.filter((line) => line.startsWith('error')).length
    expect(countErrors()).toBe(1)
    node.chainId = 4663
    timer.advance(450_001)
    expect(await reader.getBlockRef(4)).toMatchObject(anchor(4))
    node.chainId = 1
    timer.advance(60_001)
    await askAll()
    expect(countErrors()).toBe(2)
  })

  it('with no other endpoint it is the fault, at once', async () => {
    const wrong = await startFakeNode()
    wrong.chainId = 1
    const { reader, timer } = createTestReader([wrong.url])
    for (let i = 0; i < 2; i++) {
      expect(await reader.chainId()).toMatchObject({ fault: { kind: 'wrong-chain' } })
    }
    expect(timer.slept).toEqual([])
    expect(wrong.received).toHaveLength(1)
  })

  // The caller stops after a wrong chain, and waits after a failure.
  it.each([
    ['unreachable', { status: 503, body: '' }],
    ['rate-limited', { status: 429, body: '', headers: { 'retry-after': '3000' } }],
  ])('it is no fault of another endpoint that is %s', async (kind, reply) => {
    for (const turn of [0, 1]) {
      const [wrong, away] = [await startFakeNode(), await startFakeNode()]
      wrong.chainId = 1
      away.reply = () => reply
      const urls = [wrong.url, away.url]
      const { reader, timer } = createTestReader(turn === 0 ? urls : urls.toReversed())
      for (let i = 0; i < 3; i++) {
        expect(await reader.getBlockRef(7)).toMatchObject({ fault: { kind } })
        timer.advance(1_000)
      }
    }
  })

  it('an endpoint that is pointed elsewhere is found out by the next poll', async () => {
    const node = await startFakeNode()
    const { reader } = createTestReader([node.url])
    expect(await reader.getHeads()).toMatchObject({ ok: true })
    node.chainId = 1
    expect(await reader.getHeads()).toMatchObject({ fault: { kind: 'wrong-chain' } })
    expect(await reader.getBlockRef(7)).toMatchObject({ fault: { kind: 'wrong-chain' } })
  })

  it('by each request of its own: nodes of two chains may stand behind one address', async () => {
    const node = await startFakeNode()
    const { reader, timer } = createTestReader([node.url])
    node.reply = () => {
      // The next request meets the other one.
      node.chainId = node.received.length % 2 === 0 ? 1 : 4663
      return undefined
    }
    const range = { from: 1, to: 9 }
    const questions = [
      () => reader.getHeads(),
      () => reader.getBlockRef(7),
      () => reader.readRange(range, { topics: [] }),
      () => reader.callContracts([{ to: `0x${'1'.repeat(40)}`, data: '0x' }], 'latest'),
      () =>
        reader.getStorageAt([`0x${'1'.repeat(40)}`], hashOf(1), {
          block: 1,
          hash: hashOf(1),
          ts: 0,
        }),
      () => reader.chainId(),
    ]
    for (const question of questions) {
      const asked = node.received.length
      await question()
      expect(await question()).toMatchObject({ fault: { kind: 'wrong-chain' } })
      expect(node.received).toHaveLength(asked + 2)
      timer.advance(450_000)
    }
  })

  it('of an endpoint without batches many share one proof, renewed every minute', async () => {
    const node = await startFakeNode()
    const message = 'batches are not supported: batch not allowed'
    node.reply = (calls) =>
      calls.length > 1
        ? { body: JSON.stringify({ id: null, error: { code: -32600, message } }) }
        : undefined
    const { reader, timer } = createTestReader([node.url])
    await reader.getBlockRef(1)
    expect(reader.endpoints()[0]).toMatchObject({ batchCallsMax: 1, requests: 3 })
    const proofs = () => node.calls().filter(({ method }) => method === 'eth_chainId').length
    const before = proofs()
    timer.advance(60_000)
    await Promise.all(Array.from({ length: 5 }, (_, i) => reader.getBlockRef(i)))
    expect(proofs()).toBe(before + 1)
    timer.advance(60_000)
    await reader.getBlockRef(7)
    expect(proofs()).toBe(before + 2)
  })
})
