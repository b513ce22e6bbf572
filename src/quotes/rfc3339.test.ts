import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRfc3339 } from './rfc3339.ts'

describe('a time as text', () => {
  it.each([
    ['2026-09-23T18:43:40.689754062Z', 1_790_189_020],
    ['2026-09-23T18:43:40Z', 1_790_189_020],
    ['2026-09-23t18:43:40z', 1_790_189_020],
    ['2026-09-23T14:43:40-04:00', 1_790_189_020],
    ['2026-09-24T00:13:40+05:30', 1_790_189_020],
    ['1970-01-01T00:00:00Z', 0],
    ['1969-12-31T23:59:59Z', -1],
    ['2000-02-29T00:00:00Z', 951_782_400],
    ['2016-12-31T23:59:60Z', 1_483_228_800],
    ['0001-01-01T00:00:00Z', -62_135_596_800],
  ])('%s is %s', (text, seconds) => {
    expect(parseRfc3339(text)).toBe(seconds)
  })

  it.each([
    '',
    'now',
    '1790189020',
    '2026-09-23',
    '2026-09-23T18:43:40',
    '2026-09-23T18:43Z',
    '2026-09-23T18:43:40.Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-09-23T24:00:00Z',
    '2026-09-23T18:60:00Z',
    '2026-09-23T18:43:61Z',
    '2026-09-23T18:43:40+24:00',
    '2026-09-23T18:43:40+0400',
    ' 2026-09-23T18:43:40Z',
    '+02026-09-23T18:43:40Z',
  ])('%j is none', (text) => {
    expect(parseRfc3339(text)).toBeNull()
  })

  it('agrees with the calendar of the runtime', () => {
    const years = { min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(parseRfc3339(date.toISOString())).toBe(Math.floor(date.getTime() / 1000))
      }),
      { numRuns: 2000 },
    )
  })
})
