import { describe, expect, it } from 'vitest'
import { isRecord, parseJson, readAddress, readAmount, readDecimal } from './json.ts'

describe('values of a foreign document', () => {
  it.each([
    ['225.38', 225.38],
    [225.38, 225.38],
    ['0', 0],
    ['-1.5', -1.5],
    ['.5', null],
    ['1e3', null],
    ['0x10', null],
    ['', null],
    [' 1', null],
    ['NaN', null],
    ['Infinity', null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    ['1'.repeat(400), null],
    [null, null],
    [true, null],
    [['1'], null],
  ])('decimalOf(%j) is %s', (value, expected) => {
    expect(readDecimal(value)).toBe(expected)
  })

  it('an amount is not negative', () => {
    expect([readAmount('0'), readAmount(2), readAmount('-2'), readAmount('x')]).toEqual([
      0,
      2,
      null,
      null,
    ])
  })

  it('an address is lowercase afterwards', () => {
    const address = '0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC'
    expect(readAddress(address)).toBe(address.toLowerCase())
    expect(readAddress(`${address}0`)).toBeNull()
    expect(readAddress(null)).toBeNull()
  })

  it('a record is neither a list nor null', () => {
    expect([isRecord({}), isRecord([]), isRecord(null), isRecord('{}')]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('a text nested beyond measure is read or refused, never thrown', () => {
    const deep = '['.repeat(1e5)
    expect(parseJson(deep)).toEqual({ ok: false, fault: 'not-json' })
    expect(typeof parseJson(deep + ']'.repeat(1e5)).ok).toBe('boolean')
  })
})
