import { describe, expect, it } from 'vitest'
import { hashOf, pool, quantity, startFakeNode, word } from '../../test/support/rpc/fake-node.ts'
import { createTestReader } from '../../test/support/rpc/reader.ts'
import type { Address } from '../domain/units.ts'

const slot = hashOf(0)
const at = { block: 777, hash: hashOf(777), ts: 0 }
const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const manyOf = (count: number) => Array.from({ length: count }, (_, number) => addressOf(number))

describe('storageAt', () => {
  it('reads words of any length as a node gives them', async () => {
    const node = await startFakeNode()
    const { reader } = createTestReader([node.url])
    expect(await reader.getStorageAt([pool], slot, at)).toEqual({ ok: true, value: [word(42)] })
    expect(node.calls()).toContainEqual({
      jsonrpc: '2.0',
      id: 3,
      method: 'eth_getStorageAt',
      params: [pool, slot, '0x309'],
    })
  })

  it.each([null, '0x', '42', `0x${'0'.repeat(65)}`])('%j is no word', async (result) => {
    const node = await startFakeNode()
    node.answer = ({ method }) => (method === 'eth_getStorageAt' ? { result } : undefined)
    const { reader } = createTestReader([node.url], { limits: { waitMsMax: 0 } })
    expect(await reader.getStorageAt([pool], slot, at)).toMatchObject({
      fault: { kind: 'malformed' },
    })
  })

  // 200 is about what an issuer lists today; the request more is the proof of the chain's id.
  it('asks for 200 contracts in 5 requests at most, and answers in their order', async () => {
    const node = await startFakeNode()
    node.answer = ({ method, params }) =>
      method === 'eth_getStorageAt' ? { result: quantity(Number(params[0]) * 2 + 1) } : undefined
    const { reader } = createTestReader([node.url])
    const words = manyOf(200).map((_, number) => word(number * 2 + 1))
    expect(await reader.getStorageAt(manyOf(200), slot, at)).toEqual({ ok: true, value: words })
    expect(node.received.length).toBeLessThanOrEqual(5)
  })

  it('asks nothing for no contract', async () => {
    const node = await startFakeNode()
    const { reader } = createTestReader([node.url])
    expect(await reader.getStorageAt([], slot, at)).toEqual({ ok: true, value: [] })
    expect(node.received).toEqual([])
  })

  it('a failed word is null, and the others are returned', async () => {
    const node = await startFakeNode()
    node.answer = ({ params }) =>
      params[0] === addressOf(1) ? { error: { code: -32000, message: 'not now' } } : undefined
    const { reader } = createTestReader([node.url])
    const value = [word(42), null, word(42)]
    expect(await reader.getStorageAt(manyOf(3), slot, at)).toEqual({ ok: true, value })
  })

  it('a node that returns none is at fault', async () => {
    const node = await startFakeNode()
    node.answer = ({ method }) =>
      method === 'eth_getStorageAt' ? { error: { code: -32601, message: 'no' } } : undefined
    const { reader } = createTestReader([node.url])
    expect(await reader.getStorageAt(manyOf(2), slot, at)).toMatchObject({
      fault: { kind: 'rejected' },
    })
  })
})
