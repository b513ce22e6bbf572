import { describe, expect, it } from 'vitest'
import { createPatientHttpClient, type Handler, serve } from '../../test/support/net/loopback.ts'
import { createManualTimer } from '../../test/support/net/timer.ts'
import { word } from '../../test/support/rpc/fake-node.ts'
import type { Hex } from '../domain/units.ts'
import { createVerifierNode } from './verifier-node.ts'

type Question = { readonly id: number; readonly method: string; readonly params: unknown[] }
type Reply = { readonly result: unknown } | { readonly error: unknown }

const at = { block: 7, hash: word(7) }
const token: Hex = `0x${'aa'.repeat(20)}`
const call = { to: token, data: '0x313ce567' } as const

/** Answers each call of a request; `refuse` replaces the whole reply, if it returns one. */
const answering =
  (
    answer: (question: Question) => Reply,
    refuse: (questions: readonly Question[]) => Reply | null = () => null,
  ): Handler =>
  ({ body }, response) => {
    const parsed = JSON.parse(body) as Question | readonly Question[]
    const questions = Array.isArray(parsed) ? (parsed as readonly Question[]) : [parsed as Question]
    const refused = refuse(questions)
    const replies = questions.map((each) => ({ jsonrpc: '2.0', id: each.id, ...answer(each) }))
    response.end(JSON.stringify(refused ?? (Array.isArray(parsed) ? replies : replies[0])))
  }

const open = async (
  handler: Handler,
  over: { batchMax?: number; requestsPerSecond?: number } = {},
) => {
  const { url, received } = await serve(handler)
  const timer = createManualTimer()
  const node = createVerifierNode({
    url: `${url}/v2/secret-key-123`,
    httpClient: createPatientHttpClient(),
    timer,
    requestsPerSecond: 1000,
    batchMax: 100,
    ...over,
  })
  return { node, received, timer }
}

const failing = (message: string, code = -32000): Handler =>
  answering(() => ({ error: { code, message } }))

describe('a method that the node does not have', () => {
  it.each([
    'the method eth_getProof does not exist/is not available',
    'Method not found',
    'Method eth_getProof is not supported',
    'The method eth_getProof is not available on this plan',
    'Unsupported method: eth_getProof on ROBINHOOD_MAINNET',
    'rpc method is not allowed',
  ])('%s', async (message) => {
    const { node } = await open(failing(message, -32601))
    const [proof] = await node.readProofs([{ address: token, slots: [word(1)] }], at)
    expect(proof).toEqual({
      ok: false,
      fault: { kind: 'no-method', reason: 'the node has no eth_getProof' },
    })
  })
})

describe('a state that the node does not keep', () => {
  it.each([
    'missing trie node ef7df5d8 (path )',
    'distance to target block exceeds maximum proof window',
    'historical state 0xabc is not available',
    'missing trie node 3fd1 (path ) state 0x9a1f is not available, not found',
    `state ${`0x${'9a'.repeat(32)}`} is not available`,
    'metadata is not found',
    'required historical state unavailable (reexec=128)',
    'requested block is too old, block must be within 100000 blocks of the head block number',
    'World state unavailable',
    'BlockOutOfRangeError: block height is 243 but requested was 7',
    'header not found',
  ])('%s', async (message) => {
    const { node } = await open(failing(message))
    const fault = { kind: 'no-state', reason: 'the node keeps no state of block 7' }
    expect(await node.call([call], at)).toEqual([{ ok: false, fault }])
    const proofs = await node.readProofs([{ address: token, slots: [] }], at)
    expect(proofs).toEqual([{ ok: false, fault }])
  })
})

describe('other faults', () => {
  it('a block that the node does not know', async () => {
    const { node } = await open(answering(() => ({ result: null })))
    const reason = `the node does not know block ${at.hash}`
    expect(await node.readBlock(at.hash)).toEqual({
      ok: false,
      fault: { kind: 'no-block', reason },
    })
    const behind = await open(failing('block not found'))
    expect(await behind.node.readBlock(7)).toMatchObject({ fault: { kind: 'no-block' } })
  })

  it('another chain', async () => {
    const { node } = await open(answering(() => ({ result: '0x1' })))
    expect(await node.requireChain(1)).toEqual({ ok: true, value: 1 })
    expect(await node.requireChain(4663)).toEqual({
      ok: false,
      fault: { kind: 'wrong-chain', reason: 'the node is on chain 1, the service on chain 4663' },
    })
  })

  it('a contract that reverts is not a node that refuses', async () => {
    const { node } = await open(failing('execution reverted', 3))
    expect(await node.call([call], at)).toMatchObject([{ fault: { kind: 'reverted' } }])
    const refusing = await open(failing('invalid argument 1: hex string has length 3'))
    expect(await refusing.node.call([call], at)).toMatchObject([{ fault: { kind: 'refused' } }])
  })

  it('answers of another form are refused, whatever they are', async () => {
    for (const result of ['none', '0x1', 5, true, [], {}, null, undefined]) {
      const { node } = await open(answering(() => ({ result })))
      const [returned] = await node.call([call], at)
      expect(returned).toMatchObject({ ok: false, fault: { kind: 'refused' } })
      const isRecord = result !== null && typeof result === 'object' && !Array.isArray(result)
      expect((await node.readBlock(7)).ok).toBe(isRecord)
    }
    const page = await open((_, response) => void response.end('<html>busy</html>'))
    expect(await page.node.readBlock(7)).toMatchObject({ fault: { kind: 'refused' } })
  })

  it('a node that does not answer is asked again, and its key is not shown', async () => {
    const { node, received, timer } = await open((_, response) => void response.destroy())
    const [returned] = await node.call([call], at)
    expect(returned).toMatchObject({ ok: false, fault: { kind: 'unreachable' } })
    expect(JSON.stringify(returned)).not.toContain('secret-key')
    expect(received).toHaveLength(5)
    expect(timer.slept).toEqual([500, 1000, 2000, 4000])
  })
})

describe('limits of the node', () => {
  const numbers = (questions: number) =>
    Array.from({ length: questions }, (_, i): typeof call => ({ ...call, data: word(i) as never }))
  const echo = ({ params }: Question): Reply => ({ result: (params[0] as { data: Hex }).data })
  const expected = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ok: true, value: word(i) }))

  it('calls go in batches, and their answers keep the order', async () => {
    const { node, received } = await open(answering(echo), { batchMax: 10 })
    expect(await node.call(numbers(25), at)).toEqual(expected(25))
    expect(received).toHaveLength(3)
  })

  it('after a refused batch, batches are smaller', async () => {
    const refuse = (questions: readonly Question[]) =>
      questions.length > 3 ? { error: { code: -32600, message: 'batch of more than 3' } } : null
    const { node, received } = await open(answering(echo, refuse), { batchMax: 12 })
    expect(await node.call(numbers(12), at)).toEqual(expected(12))
    expect(received).toHaveLength(5)
    expect(await node.call(numbers(6), at)).toEqual(expected(6))
    expect(received).toHaveLength(7)
  })

  it('what was rate-limited is asked again after a pause, and nothing else', async () => {
    let refusals = 0
    const { node, received, timer } = await open(
      answering((question) => {
        if (question.id !== 2 || refusals > 0) return echo(question)
        refusals += 1
        return { error: { code: 429, message: 'rate limit' } }
      }),
    )
    expect(await node.call(numbers(4), at)).toEqual(expected(4))
    expect(timer.slept).toEqual([500])
    expect(received).toHaveLength(2)
    const last = JSON.parse(received.at(-1)?.body ?? '[]') as unknown
    expect(Array.isArray(last)).toBe(false)
  })

  it('requests keep the rate', async () => {
    const { node, timer } = await open(answering(echo), { batchMax: 1, requestsPerSecond: 20 })
    const start = timer.nowMs()
    expect(await node.call(numbers(41), at)).toEqual(expected(41))
    expect(timer.nowMs() - start).toBeGreaterThanOrEqual(2000)
  })

  it('receipts are asked for one by one where there is no method for all', async () => {
    const hashes = [word(1), word(2)]
    const { node } = await open(
      answering(({ method, params }) =>
        method === 'eth_getBlockReceipts'
          ? { error: { code: -32601, message: 'Method not found' } }
          : { result: { transactionHash: params[0] } },
      ),
    )
    const block = { hash: word(7), number: '0x7', transactions: hashes }
    expect(await node.readReceipts(block)).toEqual({
      ok: true,
      value: hashes.map((transactionHash) => ({ transactionHash })),
    })
  })
})
