import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseIsoDate, toIsoDate, toIsoTime } from './iso-time.ts'

const seconds = fc.integer({ min: 0, max: 100_000_000_000 })

test('times and dates are those of the platform', () => {
  fc.assert(
    fc.property(seconds, (ts) => {
      const text = new Date(ts * 1000).toISOString()
      expect(toIsoTime(ts)).toBe(text.replace('.000', ''))
      expect(toIsoDate(Math.floor(ts / 86_400))).toBe(text.slice(0, 10))
      expect(parseIsoDate(text.slice(0, 10))).toBe(Math.floor(ts / 86_400))
    }),
  )
})

test.each(['2026-02-30', '2026-13-01', '2026-00-10', '2026-1-01', '26-01-01', '', '2026-01-01 '])(
  '%j is no date',
  (text) => {
    expect(parseIsoDate(text)).toBeNull()
  },
)
