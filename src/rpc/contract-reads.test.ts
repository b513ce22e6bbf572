import { describe, expect, it } from 'vitest'
import { answerCalls, type Behaviour, multicall3 } from '../../test/support/rpc/fake-contracts.ts'
import { hashOf, startFakeNode, word } from '../../test/support/rpc/fake-node.ts'
import { createLate, createTestReader } from '../../test/support/rpc/reader.ts'
import type { Address, Hex } from '../domain/units.ts'
import type { ContractCall } from '../ports/chain-reader.ts'

const token = (i: number): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`
const callsTo = (count: number): ContractCall[] =>
  Array.from({ length: count }, (_, i) => ({ to: token(i), data: '0x313ce567' }))
const honest = (address: Address): Behaviour => ({ returns: word(BigInt(address)) })
const answersOf = (count: number) =>
  callsTo(count).map(({ to }) => ({ ok: true, data: word(BigInt(to)) }))
const bytes = (length: number): Hex => `0x${'ab'.repeat(length)}`
const reverted = { ok: false, reason: 'reverted' }
const tooLarge = { ok: false, reason: 'too-large' }
const unanswered = { ok: false, reason: 'unanswered' }

/** A chain on which one contract is not like the others. */
const start = async (hostile?: { at: number } & Behaviour, over = {}) => {
  const node = await startFakeNode()
  node.answer = answerCalls((address) =>
    hostile !== undefined && address === token(hostile.at) ? hostile : honest(address),
  )
  const test = createTestReader([node.url], { multicall3, ...over })
  await test.reader.chainId()
  const before = node.received.length
  return { node, ...test, requests: () => node.received.length - before }
}

describe('many calls', () => {
  it('are one request, in order, at the block that was asked for', async () => {
    const { node, reader, requests } = await start()
    expect(await reader.callContracts(callsTo(200), 777)).toEqual({
      ok: true,
      value: answersOf(200),
    })
    expect(requests()).toBe(1)
    expect(node.calls().at(-1)).toMatchObject({
      method: 'eth_call',
      params: [{ to: multicall3, gas: '0x1c9c380' }, '0x309'],
    })
  })

  it('come in pieces of 300', async () => {
    const { reader, requests } = await start()
    expect(await reader.callContracts(callsTo(700), 'latest')).toEqual({
      ok: true,
      value: answersOf(700),
    })
    expect(requests()).toBe(3)
  })

  it('none', async () => {
    const { reader, requests } = await start()
    expect(await reader.callContracts([], 'latest')).toEqual({ ok: true, value: [] })
    expect(requests()).toBe(0)
  })

  it('without Multicall3 they are batches of single calls, each with its own gas', async () => {
    const { node, reader, requests } = await start(undefined, { multicall3: null })
    expect(await reader.callContracts(callsTo(120), 'latest')).toEqual({
      ok: true,
      value: answersOf(120),
    })
    expect(requests()).toBe(3)
    expect(node.calls().at(-1)?.params).toEqual([
      { to: token(119), data: '0x313ce567', gas: '0xf4240' },
      'latest',
    ])
  })

  it('where Multicall3 is not yet, single calls answer', async () => {
    const { node, reader } = await start()
    node.answer = answerCalls(
      (address) => (address === multicall3 ? undefined : honest(address)),
      false,
    )
    expect(await reader.callContracts(callsTo(60), 5)).toEqual({ ok: true, value: answersOf(60) })
  })
})

// A state is selected by block number; only the header proves which block that is.
describe.each([
  ['over Multicall3', { multicall3 }],
  ['one by one', { multicall3: null }],
] as const)('after a block of a branch, %s', (_, over) => {
  const onto = (branch: number) => ({ block: 777, hash: hashOf(777, branch), ts: 0 })

  it('are one request to a node that has that block', async () => {
    const { reader, requests } = await start(undefined, over)
    expect(await reader.callContracts(callsTo(20), onto(0))).toEqual({
      ok: true,
      value: answersOf(20),
    })
    expect(requests()).toBe(1)
  })

  // Else no endpoint would be used for later blocks during the cooldown of the others.
  it('a node that has another one is not taken for one that knows none above', async () => {
    const [left, foreign] = [await start(undefined, over), await startFakeNode()]
    left.node.branch = 1
    foreign.chainId = 1
    const { reader } = createTestReader([foreign.url, left.node.url], over)
    expect(await reader.callContracts(callsTo(20), onto(0))).toMatchObject({
      fault: { kind: 'behind' },
    })
    expect(await reader.getBlockRef(800)).toMatchObject({ value: { hash: hashOf(800, 1) } })
  })

  it('a node that has another one is passed over', async () => {
    const [left, right] = [await start(undefined, over), await start(undefined, over)]
    left.node.branch = 1
    right.node.answer = answerCalls(() => ({ returns: word(5) }))
    const { reader } = createTestReader([left.node.url, right.node.url], over)
    const results = await reader.callContracts(callsTo(20), onto(0))
    expect(results).toMatchObject({ ok: true, value: [{ data: word(5) }, ...Array(19).fill({})] })
    expect(await left.reader.callContracts(callsTo(20), onto(0))).toMatchObject({
      fault: {
        kind: 'behind',
        detail: expect.stringContaining('endpoint has a different block 777'),
      },
    })
  })
})

describe.each([
  ['over Multicall3', { multicall3 }],
  ['one by one', { multicall3: null }],
])('one hostile contract spoils only itself, %s', (_, over) => {
  it.each([
    ['reverts, with a text that tempts us to wait', { returns: 'revert' } as const, reverted],
    ['burns all gas that it gets', { gas: 1e12, returns: 'revert' } as const, reverted],
    ['returns 64 KB', { returns: bytes(65_536) } as const, 'whole'],
    ['returns a byte more', { returns: bytes(65_537) } as const, tooLarge],
    ['returns a megabyte', { gas: 900_000, returns: bytes(1_000_000) } as const, tooLarge],
    ['returns ten megabytes', { gas: 900_000, returns: bytes(10_000_000) } as const, tooLarge],
    ['has no code', { returns: '0x' } as const, { ok: true, data: '0x' }],
  ])('that %s', async (_name, behaviour, expected) => {
    const { reader, timer, requests } = await start({ at: 17, ...behaviour }, over)
    const spoilt = expected === 'whole' ? { ok: true, data: behaviour.returns } : expected
    const answers = answersOf(100).map((answer, i) => (i === 17 ? spoilt : answer))
    expect(await reader.callContracts(callsTo(100), 'latest')).toEqual({ ok: true, value: answers })
    expect(timer.slept).toEqual([])
    expect(requests()).toBeLessThan(20)
  })
})

describe('when the node is at fault, no contract is blamed', () => {
  it('behind', async () => {
    const { node, reader } = await start()
    node.answer = () => ({ error: { code: -32000, message: 'missing trie node' } })
    expect(await reader.callContracts(callsTo(3), 5)).toMatchObject({ fault: { kind: 'behind' } })
  })

  it('rejecting every call with an unknown text', async () => {
    const { node, reader } = await start()
    node.answer = () => ({ error: { code: -32601, message: 'method disabled' } })
    expect(await reader.callContracts(callsTo(3), 5)).toMatchObject({ fault: { kind: 'rejected' } })
  })

  it('one call that ends in such words stays unanswered, and the others are answered', async () => {
    const { node, reader } = await start(undefined, { multicall3: null })
    const chain = node.answer
    node.answer = (call) =>
      (call.params[0] as { to?: string } | undefined)?.to === token(1)
        ? { error: { code: -32000, message: 'a new kind of failure' } }
        : chain(call)
    const [first, , third] = answersOf(3)
    expect(await reader.callContracts(callsTo(3), 5)).toEqual({
      ok: true,
      value: [first, unanswered, third],
    })
  })

  // Multicall3 cannot say why a call failed, and the node refuses to run it alone.
  it.each([
    [-32603, 'Internal error'],
    [-32000, 'execution aborted (timeout = 5s)'],
    [-32000, 'query timed out'],
    [-32015, 'upstream node failed'],
  ])('one call that a node refuses with %i %s, over Multicall3', async (code, message) => {
    const { node, reader } = await start({ at: 1, returns: 'revert' })
    const chain = node.answer
    node.answer = (call) =>
      (call.params[0] as { to?: string } | undefined)?.to === token(1)
        ? { error: { code, message } }
        : chain(call)
    const [first, , third] = answersOf(3)
    const value = [first, unanswered, third]
    expect(await reader.callContracts(callsTo(3), 5)).toEqual({ ok: true, value })
  })

  it('too slow for many, not for few', async () => {
    let slow = 0
    const { reader } = await start(undefined, { httpClient: createLate(() => slow-- > 0) })
    // Twice for eight, twice for the first four.
    slow = 4
    expect(await reader.callContracts(callsTo(8), 5)).toEqual({ ok: true, value: answersOf(8) })
  })

  it('never answering: soon given up', async () => {
    let isLate = false
    const given = { httpClient: createLate(() => isLate), limits: { waitMsMax: 5000 } }
    const { reader } = await start(undefined, given)
    isLate = true
    expect(await reader.callContracts(callsTo(200), 5)).toMatchObject({ ok: false })
    expect(reader.endpoints()[0]).toMatchObject({ faults: { timeout: 5 } })
  })

  it('answering something else than results', async () => {
    const { node, reader } = await start(undefined, { limits: { waitMsMax: 0 } })
    node.answer = ({ method }) => (method === 'eth_call' ? { result: 'yes' } : undefined)
    expect(await reader.callContracts(callsTo(3), 5)).toMatchObject({
      fault: { kind: 'malformed' },
    })
  })
})

it('an endpoint that takes three calls at a time is found out once', async () => {
  const { node, reader } = await start(undefined, { multicall3: null })
  const message = 'Batch of more than 3 requests are not allowed on free tier'
  node.reply = (calls) =>
    calls.length > 3
      ? { status: 500, body: JSON.stringify({ id: null, error: { code: 31, message } }) }
      : undefined
  expect(await reader.callContracts(callsTo(9), 5)).toEqual({ ok: true, value: answersOf(9) })
  expect(reader.endpoints()[0]).toMatchObject({ batchCallsMax: 3, requests: 5 })
  await reader.callContracts(callsTo(9), 5)
  expect(reader.endpoints()[0]).toMatchObject({ requests: 8 })
})
