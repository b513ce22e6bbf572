import { expect, test } from 'vitest'
import { washWords } from './wash-words.ts'

test.each([
  [null, null],
  [0, null],
  [0.049, null],
  [0.05, '5% left out'],
  [0.499, '49% left out'],
  [0.5, '50% left out: most of the volume is wash trading'],
  [1, '100% left out: most of the volume is wash trading'],
])('the part %s of the volume: %s', (washShare24h, words) => {
  expect(washWords({ washShare24h })).toBe(words)
})
