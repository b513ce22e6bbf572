import { describe, expect, it } from 'vitest'
import { failure, success } from '../domain/outcome.ts'
import {
  type ChainIdCheck,
  chainIdCall,
  createBatches,
  createChainIdCheck,
  type Post,
} from './batches.ts'
import type { RpcCallFault } from './classify-error.ts'
import type { RpcCall } from './json-rpc.ts'

const calls = (count: number): RpcCall[] =>
  Array.from({ length: count }, (_, i) => ({ method: `m${i}`, params: [] }))
const fault = (kind: 'rejected' | 'too-large' | 'unreachable'): RpcCallFault => ({
  kind,
  detail: '',
})
const batchTooLarge = (callsMax: number | null): RpcCallFault => ({
  kind: 'batch-too-large',
  callsMax,
  detail: '',
})

const chainId = 7

const proofOf = (post: Post): ChainIdCheck =>
  createChainIdCheck({
    chainId,
    nowMs: () => 0,
    requestChainId: async () => {
      const sent = await post([chainIdCall], 1)
      return sent.ok ? success(sent.value[0]) : sent
    },
  })

const answerTo = (call: RpcCall) => success(call === chainIdCall ? '0x7' : call.method)

/** An endpoint that refuses some requests; answers name the call. */
const endpoint = (refuse: (calls: readonly RpcCall[]) => RpcCallFault | null, callsMax = 100) => {
  const sizes: number[] = []
  const post: Post = async (part) => {
    sizes.push(part.length)
    const refusal = refuse(part)
    return refusal === null ? success(part.map(answerTo)) : failure(refusal)
  }
  const batches = createBatches({ post, callsMax, chainIdCheck: proofOf(post) })
  const send = (count: number, splittable = true) =>
    batches.send(calls(count), { splittable, bytesMax: 1 })
  return { sizes, send, batches }
}
const namesOf = (count: number) => calls(count).map(({ method }) => success(method))

describe('batches', () => {
  it('are no longer than the limit', async () => {
    const { send, sizes } = endpoint(() => null, 4)
    expect(await send(10)).toEqual(success(namesOf(10)))
    expect(sizes).toEqual([1, 4, 4, 3])
  })

  it('take the chain id along where they have room for it', async () => {
    const { send, sizes } = endpoint(() => null, 4)
    await send(3)
    await send(4)
    await send(0)
    expect(sizes).toEqual([4, 4, 1])
  })

  it('of another chain bring nothing', async () => {
    const post: Post = async (part) => success(part.map(() => success('0x8')))
    const batches = createBatches({ post, callsMax: 3, chainIdCheck: proofOf(post) })
    for (const count of [0, 1, 3, 9]) {
      const sent = await batches.send(calls(count), { splittable: true, bytesMax: 1 })
      expect(sent).toMatchObject({ fault: { kind: 'wrong-chain' } })
    }
  })

  it('are not cut to make room for the chain id', async () => {
    const { send, sizes, batches } = endpoint((part) =>
      part.length > 3 ? batchTooLarge(null) : null,
    )
    expect(await send(3, false)).toEqual(success(namesOf(3)))
    expect(sizes).toEqual([4, 1, 3])
    expect(batches.callsMax()).toBe(3)
  })

  it('a stated limit is believed and remembered', async () => {
    const { send, sizes, batches } = endpoint((part) => (part.length > 3 ? batchTooLarge(3) : null))
    expect(await send(7)).toEqual(success(namesOf(7)))
    expect(await send(3)).toEqual(success(namesOf(3)))
    expect(sizes).toEqual([8, 1, 3, 3, 1, 3])
    expect(batches.callsMax()).toBe(3)
  })

  it('an unstated limit is found by halving', async () => {
    const { send, batches } = endpoint((part) => (part.length > 6 ? batchTooLarge(null) : null))
    expect(await send(50)).toEqual(success(namesOf(50)))
    expect(batches.callsMax()).toBe(6)
  })

  it('each call of a batch may say that the batch is too long', async () => {
    const post: Post = async (part) =>
      success(part.map((call) => (part.length > 2 ? failure(batchTooLarge(2)) : answerTo(call))))
    const batches = createBatches({ post, callsMax: 100, chainIdCheck: proofOf(post) })
    const sent = await batches.send(calls(5), { splittable: false, bytesMax: 1 })
    expect(sent).toEqual(success(namesOf(5)))
  })

  it('an endpoint without batches that reports it in an unknown text', async () => {
    const { send } = endpoint((part) => (part.length > 1 ? fault('rejected') : null))
    expect(await send(3, false)).toEqual(success(namesOf(3)))
  })

  it('an endpoint that refuses everything is soon believed', async () => {
    const { send, sizes } = endpoint(() => fault('rejected'))
    expect(await send(100)).toEqual(failure(fault('rejected')))
    expect(sizes.length).toBeLessThanOrEqual(8)
  })

  it('one call with too long an answer fails alone', async () => {
    const { send } = endpoint((part) =>
      part.some(({ method }) => method === 'm5') ? fault('too-large') : null,
    )
    const expected = namesOf(20).map((answer, i) =>
      i === 5 ? failure(fault('too-large')) : answer,
    )
    expect(await send(20)).toEqual(success(expected))
  })

  it('what wants one moment of one node is not cut because its answer is too long', async () => {
    const { send, sizes } = endpoint(() => fault('too-large'))
    expect(await send(3, false)).toEqual(failure(fault('too-large')))
    expect(sizes).toEqual([4])
  })

  it('other faults are passed on at once', async () => {
    const { send, sizes } = endpoint(() => fault('unreachable'))
    expect(await send(3)).toEqual(failure(fault('unreachable')))
    expect(sizes).toEqual([4])
  })
})
