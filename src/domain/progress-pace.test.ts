import { expect, test } from 'vitest'
import { createProgressPace, etaSecondsOf } from './progress-pace.ts'

const at = (done: number, phase = 'swaps') => ({ phase, done, total: 1000 })

test('the time left follows from the pace of the last ten seconds', () => {
  const pace = createProgressPace()
  expect(etaSecondsOf(pace(at(0), 0))).toBeNull()
  expect(etaSecondsOf(pace(at(100), 10))).toBe(90)
  // Ten times as fast from here: after ten seconds nothing else is remembered.
  expect(etaSecondsOf(pace(at(600), 15))).toBe(4)
  expect(etaSecondsOf(pace(at(700), 21))).toBe(18)
})

test('a step that takes longer than the window is measured against the one before', () => {
  const pace = createProgressPace()
  pace(at(0), 0)
  expect(etaSecondsOf(pace(at(500), 60))).toBe(60)
})

test('another phase, or one that began anew, has no pace yet; nor has what stands still', () => {
  const pace = createProgressPace()
  pace(at(500), 0)
  expect(etaSecondsOf(pace(at(100, 'state'), 5))).toBeNull()
  expect(etaSecondsOf(pace(at(100, 'state'), 9))).toBeNull()
  expect(etaSecondsOf(pace(at(50, 'state'), 10))).toBeNull()
})
