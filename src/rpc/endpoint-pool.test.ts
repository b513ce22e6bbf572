import { describe, expect, it } from 'vitest'
import {
  createPatientHttpClient,
  saying,
  serve,
  unreachableUrl,
} from '../../test/support/net/loopback.ts'
import { hashOf, startFakeNode } from '../../test/support/rpc/fake-node.ts'
import { createLate, createTestReader } from '../../test/support/rpc/reader.ts'

const anchor = (block: number, branch = 0) => ({ value: { block, hash: hashOf(block, branch) } })
const tooMany = { status: 429, body: 'slow down' }

describe('one endpoint', () => {
  it('is asked again after a fault, with growing pauses', async () => {
    const node = await startFakeNode()
    const { reader, timer } = createTestReader([node.url])
    let faults = 3
    node.reply = () => (faults-- > 0 ? { status: 503, body: 'oops' } : undefined)
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
    expect(timer.slept).toEqual([250, 500, 1000])
  })

  it('waits as long as the node says, and not longer than a question may', async () => {
    const node = await startFakeNode()
    const { reader, timer } = createTestReader([node.url])
    let faults = 1
    node.reply = () => (faults-- > 0 ? { ...tooMany, headers: { 'retry-after': '4' } } : undefined)
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
    expect(timer.slept).toEqual([4000])

    faults = 1
    node.reply = () => (faults-- > 0 ? { ...tooMany, headers: { 'retry-after': '60' } } : undefined)
    const limited = { fault: { kind: 'rate-limited', retryAfterSeconds: 60 } }
    expect(await reader.getBlockRef(7)).toMatchObject(limited)
    const { length } = node.received
    timer.advance(20_000)
    expect(await reader.getBlockRef(7)).toMatchObject({ fault: { retryAfterSeconds: 40 } })
    expect(node.received).toHaveLength(length)
    timer.advance(40_000)
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
  })

  it('is left alone while its circuit is open, and comes back', async () => {
    const node = await startFakeNode()
    const { reader, timer, lines } = createTestReader([node.url], { limits: { waitMsMax: 5000 } })
    node.reply = () => ({ status: 502, body: 'bad gateway' })
    expect(await reader.getBlockRef(7)).toMatchObject({ fault: { kind: 'unreachable' } })
    expect(reader.endpoints()[0]).toMatchObject({ state: 'open', faults: { unreachable: 5 } })
    const { length } = node.received
    for (let i = 0; i < 20; i++) await reader.getBlockRef(7)
    expect(node.received).toHaveLength(length)

    node.reply = () => undefined
    timer.advance(10_000)
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
    expect(reader.endpoints()[0]).toMatchObject({ state: 'ready' })
    expect(lines).toEqual([
      expect.stringContaining('warn RPC endpoint disabled after repeated failures'),
      expect.stringContaining('info RPC endpoint recovered'),
    ])
  })

  it('a question to an open circuit is one trial at a time', async () => {
    const node = await startFakeNode()
    const { reader, timer } = createTestReader([node.url], { limits: { waitMsMax: 5000 } })
    node.reply = () => ({ status: 502, body: 'bad gateway' })
    await reader.getBlockRef(7)
    const { length } = node.received
    timer.advance(10_000)
    await Promise.all(Array.from({ length: 10 }, () => reader.getBlockRef(7)))
    expect(node.received).toHaveLength(length + 1)
  })

  it('that is too slow is asked a second time for the same, and not a third', async () => {
    const node = await startFakeNode()
    const { reader } = createTestReader([node.url], { httpClient: createLate(() => true) })
    expect(await reader.getBlockRef(7)).toMatchObject({ fault: { kind: 'timeout' } })
    expect(reader.endpoints()[0]).toMatchObject({ requests: 2, faults: { timeout: 2 } })
  })

  it('that loses one answer is no trouble', async () => {
    const node = await startFakeNode()
    let lost = 1
    const { reader } = createTestReader([node.url], { httpClient: createLate(() => lost-- > 0) })
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
    expect(reader.endpoints()[0]).toMatchObject({ requests: 2, faults: { timeout: 1 } })
  })

  it('that is never in time with a range is asked for less', async () => {
    const node = await startFakeNode()
    let lateBlocks = 50
    const isLate = (body: string): boolean => {
      const [, from, to] = /"fromBlock":"(\w+)","toBlock":"(\w+)"/.exec(body) ?? []
      return Number(to) - Number(from) + 1 > lateBlocks
    }
    const { reader } = createTestReader([node.url], { httpClient: createLate(isLate) })
    const read = (to: number) => reader.readRange({ from: 101, to }, { topics: [] })
    expect(await read(151)).toMatchObject({
      fault: { kind: 'range-too-large', suggestedBlocks: null },
    })
    expect(await read(150)).toMatchObject({ ok: true })
    lateBlocks = 0
    expect(await read(101)).toMatchObject({ fault: { kind: 'timeout' } })
  })

  // A cooldown is not a range fault, else the caller would request less and less.
  it('that rests after timeouts is not said to be asked for too much', async () => {
    const node = await startFakeNode()
    const { reader } = createTestReader([node.url], {
      httpClient: createLate(() => true),
      limits: { waitMsMax: 5000 },
    })
    const kinds: (string | null)[] = []
    for (let i = 0; i < 6; i++) {
      const read = await reader.readRange({ from: 1, to: 100 }, { topics: [] })
      kinds.push(read.ok ? null : read.fault.kind)
    }
    expect(kinds.slice(3)).toEqual(['timeout', 'timeout', 'timeout'])
    expect(reader.endpoints()[0]).toMatchObject({ requests: 5 })
  })

  it('a stop ends the waiting', async () => {
    const stop = new AbortController()
    const node = await startFakeNode()
    node.reply = () => {
      stop.abort()
      return { status: 503, body: 'oops' }
    }
    const { reader, timer } = createTestReader([node.url], { signal: stop.signal })
    expect(await reader.getBlockRef(7)).toEqual({
      ok: false,
      fault: { kind: 'unreachable', detail: 'shutting down' },
    })
    expect(timer.slept).toEqual([])
  })
})

describe('several endpoints', () => {
  it('the first that is fit answers; the next takes over without a pause', async () => {
    const [first, second] = [await startFakeNode(), await startFakeNode()]
    const { reader, timer } = createTestReader([unreachableUrl, first.url, second.url])
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
    first.reply = () => tooMany
    second.branch = 1
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7, 1))
    expect(timer.slept).toEqual([])
    first.reply = () => undefined
    timer.advance(1000)
    expect(await reader.getBlockRef(8)).toMatchObject(anchor(8))
  })

  it('all are asked before a question is too slow, and none a second time', async () => {
    const nodes = await Promise.all([1, 2, 3].map(startFakeNode))
    const urls = nodes.map(({ url }) => url)
    let late = 2
    const { reader } = createTestReader(urls, { httpClient: createLate(() => late-- > 0) })
    expect(await reader.getBlockRef(7)).toMatchObject(anchor(7))
    late = 3
    expect(await reader.getBlockRef(8)).toMatchObject({ fault: { kind: 'timeout' } })
    expect(reader.endpoints().map(({ faults }) => faults.timeout)).toEqual([2, 2, 1])
  })

  it('a node behind the block gives way to one that knows it, now and the next time', async () => {
    const [behind, ahead] = [await startFakeNode(), await startFakeNode()]
    behind.head = 100
    const { reader, timer } = createTestReader([behind.url, ahead.url])
    expect(await reader.getBlockRef(500)).toMatchObject(anchor(500))
    const { length } = behind.received
    expect(await reader.getBlockRef(501)).toMatchObject(anchor(501))
    expect(behind.received).toHaveLength(length)
    expect(await reader.getBlockRef(50)).toMatchObject(anchor(50))
    expect(behind.received).toHaveLength(length + 1)
    timer.advance(1001)
    behind.head = 1000
    expect(await reader.getBlockRef(501)).toMatchObject(anchor(501))
    expect(behind.received).toHaveLength(length + 2)
  })

  it('when no node knows the block, that is the fault', async () => {
    const nodes = [await startFakeNode(), await startFakeNode()]
    const { reader } = createTestReader(nodes.map(({ url }) => url))
    expect(await reader.getBlockRef(5000)).toMatchObject({ fault: { kind: 'behind' } })
    for (const node of nodes) node.head = 5000
    expect(await reader.getBlockRef(5000)).toMatchObject(anchor(5000))
  })

  it('a node whose head stands still comes last', async () => {
    const [still, alive] = [await startFakeNode(), await startFakeNode()]
    const { reader, timer } = createTestReader([still.url, alive.url])
    for (let second = 0; second <= 62; second++) {
      await reader.getHeads()
      alive.head += 10
      timer.advance(1000)
    }
    expect(await reader.getHeads()).toMatchObject({ value: { latest: { block: alive.head } } })
  })
})

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

describe('what is counted and shown', () => {
  it('requests, calls, faults by kind', async () => {
    const node = await startFakeNode()
    const { reader } = createTestReader([node.url])
    await reader.getHeads()
    await reader.getBlockRef(5000)
    expect(reader.endpoints()).toEqual([
      {
        host: new URL(node.url).host,
        state: 'ready',
        headBlock: 1000,
        batchCallsMax: 100,
        logsCutAt: null,
        requests: 2,
        calls: 5,
        faults: { behind: 1 },
      },
    ])
  })

  it('no secret, in no fault, no log line and no report', async () => {
    const canary = 'CANARY5f3759df'
    const echo = await serve((request, response) => {
      const message = `${request.path} ${request.headers.authorization} is not authorised`
      response.end(JSON.stringify({ id: 1, error: { code: -32000, message } }))
    })
    const wrong = await serve(saying('{"id":1,"result":"0x1"}'))
    for (const base of [echo.url, wrong.url, unreachableUrl, 'http://localhost:1']) {
      const url = `${base.replace('//', `//user:${canary}@`)}/${canary}?key=${canary}`
      const { reader, lines } = createTestReader([url], { httpClient: createPatientHttpClient() })
      const shown = JSON.stringify([await reader.getBlockRef(7), reader.endpoints(), lines])
      expect(shown).not.toContain(canary)
      expect(shown).toContain(new URL(base).host)
    }
  })
})
