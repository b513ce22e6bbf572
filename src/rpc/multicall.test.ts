import fc from 'fast-check'
import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  parseAbi,
} from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../domain/units.ts'
import { decodeAggregate, encodeAggregate } from './multicall.ts'

const abi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
])
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
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

  it('is encoded as viem does it', () => {
    const call = fc.record({ to: address, data: hex })
    fc.assert(
      fc.property(fc.array(call, { maxLength: 10 }), (calls) => {
        const all = calls.map(({ to, data }) => ({
          target: to,
          allowFailure: true,
          callData: data,
        }))
        const theirs = encodeFunctionData({ abi, functionName: 'aggregate3', args: [all] })
        expect(encodeAggregate(calls)).toBe(theirs)
      }),
    )
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

  it('an answer that is cut off, or read at another place, is malformed or the same', () => {
    const result = fc.record({ success: fc.boolean(), returnData: hex })
    const spoiled = fc.record({ at: fc.nat(), digit: fc.constantFrom('0', '1', '2', '4', 'f') })
    fc.assert(
      fc.property(
        fc.array(result, { minLength: 1, maxLength: 4 }),
        spoiled,
        (results, { at, digit }) => {
          const whole = encodeFunctionResult({ abi, functionName: 'aggregate3', result: results })
          const count = results.length
          const place = 2 + (at % (whole.length - 2))
          const cut = decodeAggregate(whole.slice(0, place - (place % 2)) as Hex, count)
          if (cut.ok) expect(cut.value).toEqual(results)
          const other = `${whole.slice(0, place)}${digit}${whole.slice(place + 1)}` as Hex
          const ours = decodeAggregate(other, count)
          if (!ours.ok) return
          const theirs = decodeFunctionResult({ abi, functionName: 'aggregate3', data: other })
          expect(ours.value).toEqual(theirs)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('one long text that stands for many results is malformed', () => {
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const tuple = [word(1), word(64), word(4), 'cafe0000'.padEnd(64, '0')].join('')
    const list = (...places: readonly number[]): Hex =>
      `0x${[word(32), word(places.length), ...places.map(word), tuple].join('')}`
    expect(decodeAggregate(list(32), 1)).toEqual({
      ok: true,
      value: [{ success: true, returnData: '0xcafe0000' }],
    })
    expect(decodeAggregate(list(64, 64), 2).ok).toBe(false)
  })

  it('any other bytes are malformed, never an exception', () => {
    fc.assert(
      fc.property(hex, (data) => {
        expect(decodeAggregate(data, 3)).toEqual({ ok: false, fault: 'malformed' })
      }),
    )
  })
})
