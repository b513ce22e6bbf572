import { describe, expect, it } from 'vitest'
import { multicall3 } from '../../test/support/rpc/fake-contracts.ts'
import {
  type FakeAnswer,
  type FakeNode,
  hashOf,
  startFakeNode,
  word,
} from '../../test/support/rpc/fake-node.ts'
import { createTestReader } from '../../test/support/rpc/reader.ts'
import type { Address, Hex } from '../domain/units.ts'

const token: Address = `0x${'7'.repeat(40)}`
const other: Address = `0x${'8'.repeat(40)}`
const at = { block: 777, hash: hashOf(777), ts: 0 }
const data: Hex = '0x313ce567'
const revert: FakeAnswer = { error: { code: 3, message: 'execution reverted' } }
const refusal: FakeAnswer = { error: { code: -32603, message: 'Internal error' } }
const nothing: FakeAnswer = { result: '0x' }
const six: FakeAnswer = { result: word(6) }

/** Answers the calls to one contract in turn, the last answer again and again. */
const answering = (node: FakeNode, answers: readonly FakeAnswer[]): (() => number) => {
  let asked = 0
  node.answer = ({ method, params }) => {
    if (method !== 'eth_call') return undefined
    if ((params[0] as { to?: string }).to !== token) return six
    asked += 1
    return answers[Math.min(asked, answers.length) - 1]
  }
  return () => asked
}

/** The result for the token where each node answers in turn; another token is always answered. */
const readFrom = async (...nodes: (readonly FakeAnswer[])[]) => {
  const started = await Promise.all(nodes.map(startFakeNode))
  const counts = started.map((node, position) => answering(node, nodes[position] ?? []))
  const { reader, timer } = createTestReader(started.map(({ url }) => url))
  const calls = [token, other].map((to) => ({ to, data }))
  const read = await reader.callContracts(calls, at, { confirmed: true })
  if (!read.ok) throw new Error(read.fault.detail)
  const [result, answered] = read.value
  expect(answered).toEqual({ ok: true, data: word(6) })
  return { result, asked: counts.map((count) => count()), slept: timer.slept.length }
}

const reverted = { ok: false, reason: 'reverted' }
const unanswered = { ok: false, reason: 'unanswered' }
const answered = { ok: true, data: word(6) }

describe('a result without data counts by two calls', () => {
  it('data needs no second call', async () => {
    expect(await readFrom([six], [six])).toEqual({ result: answered, asked: [1, 0], slept: 0 })
  })

  it.each<[string, readonly (readonly FakeAnswer[])[], object]>([
    ['a revert at two endpoints', [[revert], [revert]], reverted],
    ['no code at two endpoints', [[nothing], [nothing]], { ok: true, data: '0x' }],
    ['a revert twice at the only endpoint', [[revert, revert]], reverted],
    ['a revert at one, and no code at the other', [[revert], [nothing]], unanswered],
    ['a revert and then a refusal', [[revert, refusal]], unanswered],
    ['a refusal and then a revert', [[refusal, revert]], unanswered],
    ['a refusal at both', [[refusal], [refusal]], unanswered],
    ['a refusal at one, and a revert at the other', [[refusal], [revert]], unanswered],
  ])('%s', async (_, nodes, expected) => {
    const { result } = await readFrom(...nodes)
    expect(result).toEqual(expected)
  })

  // An endpoint without the state says the same as a contract without code.
  it.each<[string, readonly FakeAnswer[]]>([
    ['no code', [nothing]],
    ['a revert', [revert]],
    ['a refusal', [refusal]],
  ])('data of one endpoint counts against %s of the other', async (_, wrong) => {
    expect((await readFrom(wrong, [six])).result).toEqual(answered)
    expect((await readFrom([six], wrong)).result).toEqual(answered)
  })

  it('the only endpoint is asked twice, some time apart', async () => {
    expect(await readFrom([nothing, six])).toEqual({ result: answered, asked: [2], slept: 1 })
  })

  it('an endpoint on another branch has no say', async () => {
    const [ours, foreign] = [await startFakeNode(), await startFakeNode()]
    answering(ours, [revert])
    foreign.branch = 1
    answering(foreign, [nothing])
    const { reader } = createTestReader([ours.url, foreign.url])
    const calls = [{ to: token, data }]
    const read = await reader.callContracts(calls, at, { confirmed: true })
    expect(read).toEqual({ ok: true, value: [reverted] })
  })

  it('over Multicall3 too', async () => {
    const node = await startFakeNode()
    answering(node, [nothing, refusal])
    const { reader } = createTestReader([node.url], { multicall3 })
    const read = await reader.callContracts([{ to: token, data }], at, { confirmed: true })
    expect(read).toEqual({ ok: true, value: [unanswered] })
  })
})

describe('a word of zeros counts by two calls', () => {
  const wordsOf = async (...nodes: (readonly FakeAnswer[])[]) => {
    const started = await Promise.all(nodes.map(startFakeNode))
    for (const [position, node] of started.entries()) {
      const answers = [...(nodes[position] ?? [])]
      const next = () => (answers.length > 1 ? answers.shift() : answers[0])
      node.answer = ({ method }) => (method === 'eth_getStorageAt' ? next() : undefined)
    }
    const { reader } = createTestReader(started.map(({ url }) => url))
    const read = await reader.getStorageAt([token], word(1), at)
    return read.ok ? read.value : read.fault.kind
  }
  const zero: FakeAnswer = { result: word(0) }

  it.each<[string, readonly (readonly FakeAnswer[])[], unknown]>([
    ['twice', [[zero, zero]], [word(0)]],
    ['at two endpoints', [[zero, zero], [zero]], [word(0)]],
    ['against a word', [[zero], [six]], [word(6)]],
    ['against a refusal', [[zero, refusal]], [null]],
    ['a word at once', [[six]], [word(6)]],
  ])('%s', async (_, nodes, expected) => {
    expect(await wordsOf(...nodes)).toEqual(expected)
  })
})
