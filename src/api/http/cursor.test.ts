import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor, isCursorText } from './cursor.ts'

const scope = ['pool candles', '0xabc', '1h', 'desc']
const anyPayload = fc.string({ unit: 'binary-ascii', maxLength: 90 })

test('a cursor carries its payload as text that needs no escapes', () => {
  fc.assert(
    fc.property(anyPayload, (payload) => {
      const text = encodeCursor(scope, payload)
      expect(isCursorText(text)).toBe(true)
      expect(decodeCursor(scope, text)).toBe(payload)
    }),
  )
})

test('another list does not take it', () => {
  const text = encodeCursor(scope, '1795215600')
  const others = [[], scope.slice(1), [...scope.slice(0, 3), 'asc'], ['pool candles0xabc', '1h']]
  for (const other of others) expect(decodeCursor(other, text)).toBeUndefined()
})

test('a cut, extended or changed cursor is none', () => {
  const text = encodeCursor(scope, '24880412.17.0xfeed')
  const cut = Array.from({ length: text.length }, (_, length) => text.slice(0, length))
  const changed = Array.from(text, (letter, at) => {
    return text.slice(0, at) + (letter === 'A' ? 'B' : 'A') + text.slice(at + 1)
  })
  for (const wrong of [...cut, ...changed, `${text}A`, `${text}==`]) {
    expect(decodeCursor(scope, wrong), wrong).toBeUndefined()
  }
})

test.each(['', ' ', 'a b', 'a=', 'a'.repeat(257), 'ä'])(
  '%j is not even the shape of one',
  (text) => {
    expect(isCursorText(text)).toBe(false)
  },
)
