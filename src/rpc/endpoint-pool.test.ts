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
