import { expect, it } from 'vitest'
import { hashOf, quantity, startFakeNode, word } from '../../test/support/rpc/fake-node.ts'
import { createTestReader } from '../../test/support/rpc/reader.ts'

const senderOf = (txHash: string) => `0x${txHash.slice(-40)}`
const minedAt = (block: number, from: number, count = 1) =>
  Array.from({ length: count }, (_, at) => ({ txHash: word(from + at), block }))

const transactionOf = (txHash: string, block: number | null) => ({
  hash: txHash,
  blockNumber: block === null ? null : quantity(block),
  blockHash: block === null ? null : hashOf(block),
  from: senderOf(txHash).toUpperCase().replace('0X', '0x'),
})

const open = async (resultOf: (txHash: string) => unknown) => {
  const node = await startFakeNode()
  node.answer = ({ method, params }) =>
    method === 'eth_getTransactionByHash' ? { result: resultOf(String(params[0])) } : undefined
  return { node, ...createTestReader([node.url], { limits: { waitMsMax: 0 } }) }
}

it('reads a hundred senders in one request and the proof of the chain', async () => {
  const { node, reader } = await open((txHash) => transactionOf(txHash, 7))
  const asked = minedAt(7, 1, 100)
  const value = asked.map(({ txHash }) => senderOf(txHash))
  expect(await reader.readSenders(asked)).toEqual({ ok: true, value })
  expect(node.received.length).toBeLessThanOrEqual(2)
})

it('has no sender of a transaction that is unknown, pending or in another block', async () => {
  const results = [null, transactionOf(word(2), null), transactionOf(word(3), 8)]
  const { reader } = await open((txHash) => {
    const at = Number(txHash) - 1
    return at < results.length ? results[at] : transactionOf(txHash, 7)
  })
  const value = [null, null, null, senderOf(word(4))]
  expect(await reader.readSenders(minedAt(7, 1, 4))).toEqual({ ok: true, value })
})

it.each([
  ['another transaction', transactionOf(word(9), 7)],
  ['no sender', { ...transactionOf(word(1), 7), from: null }],
  ['half an address', { ...transactionOf(word(1), 7), from: '0x12' }],
  ['no object', '0x'],
])('a node that answers with %s is at fault', async (_, result) => {
  const { reader } = await open(() => result)
  expect(await reader.readSenders(minedAt(7, 1))).toMatchObject({ fault: { kind: 'malformed' } })
})

it('asks nothing for no transaction', async () => {
  const { node, reader } = await open(() => null)
  expect(await reader.readSenders([])).toEqual({ ok: true, value: [] })
  expect(node.received).toEqual([])
})
