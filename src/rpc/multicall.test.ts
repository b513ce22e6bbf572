import fc from 'fast-check'
import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../domain/units.ts'
import { decodeAggregate, encodeAggregate } from './multicall.ts'

const abi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
])
const hex = fc
  .uint8Array({ maxLength: 100 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

describe('aggregate3', () => {
  it('each call may fail for itself', () => {
    const calls = [{ to: `0x${'a1'.repeat(20)}`, data: '0x313ce567' }] as const
    expect(encodeAggregate(calls).slice(0, 10)).toBe('0x82ad56cb')
    const [[call] = []] = decodeFunctionData({ abi, data: encodeAggregate(calls) }).args
    expect(call?.target.toLowerCase()).toBe(calls[0].to)
    expect(call).toMatchObject({ allowFailure: true, callData: calls[0].data })
  })

  it('what the contract encodes is read back', () => {
    const result = fc.record({ success: fc.boolean(), returnData: hex })
    fc.assert(
      fc.property(fc.array(result, { maxLength: 10 }), (results) => {
        const data = encodeFunctionResult({ abi, functionName: 'aggregate3', result: results })
        expect(decodeAggregate(data, results.length)).toEqual({ ok: true, value: results })
        expect(decodeAggregate(data, results.length + 1).ok).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  it('any other bytes are malformed, never an exception', () => {
    fc.assert(
      fc.property(hex, (data) => {
        expect(decodeAggregate(data, 3)).toEqual({ ok: false, fault: 'malformed' })
      }),
    )
  })
})
