import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBodyBuffer, decodeBody } from './response-body.ts'

const pieces = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 })
const copyOf = (body: readonly Uint8Array[]) => body.map((piece) => new Uint8Array(piece))

it('a text is that of all pieces, wherever a letter was cut', () => {
  const bytes = Buffer.from('a€b')
  for (let at = 0; at <= bytes.length; at++) {
    expect(decodeBody([bytes.subarray(0, at), bytes.subarray(at)])).toBe('a€b')
  }
  expect(decodeBody([])).toBe('')
})

describe('a desk', () => {
  it('puts one body after the other together', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 4 }), (bodies) => {
        const gather = createBodyBuffer()
        for (const body of bodies) {
          expect(Buffer.from(gather(copyOf(body)))).toEqual(Buffer.concat(body))
        }
      }),
    )
  })

  it('puts together what is longer than itself', () => {
    const gather = createBodyBuffer()
    const half = () => new Uint8Array(5 * 1024 * 1024).fill(7)
    const whole = gather([half(), half(), Uint8Array.of(8)])
    expect(whole).toHaveLength(10 * 1024 * 1024 + 1)
    expect(whole.at(-1)).toBe(8)
    expect(gather([Uint8Array.of(9)])).toEqual(Buffer.of(9))
    expect(whole.at(0)).toBe(7)
  })

  it('gives the memory of a piece back, but none that others share', () => {
    const own = new Uint8Array(10)
    const shared = Buffer.from('one of many')
    createBodyBuffer()([own, shared])
    expect(own).toHaveLength(0)
    expect(shared.toString()).toBe('one of many')
  })
})
