import { expect, test } from 'vitest'
import { createEtaEstimator } from './progress-eta.ts'

const at = (done: number, phase = 'swaps') => ({ phase, done, total: 1000 })

test('the time left follows from the pace of the last ten seconds', () => {
  const estimate = createEtaEstimator()
  expect(estimate(at(0), 0).etaSeconds).toBeNull()
  expect(estimate(at(100), 10).etaSeconds).toBe(90)
  // Ten times as fast from here: after ten seconds nothing else is remembered.
  expect(estimate(at(600), 15).etaSeconds).toBe(4)
  expect(estimate(at(700), 21).etaSeconds).toBe(18)
})

test('a step that takes longer than the window is measured against the one before', () => {
  const estimate = createEtaEstimator()
  estimate(at(0), 0)
  expect(estimate(at(500), 60).etaSeconds).toBe(60)
})

test('another phase, or one that began again, has no pace yet; nor has what stands still', () => {
  const estimate = createEtaEstimator()
  estimate(at(500), 0)
  expect(estimate(at(100, 'state'), 5).etaSeconds).toBeNull()
  expect(estimate(at(100, 'state'), 9).etaSeconds).toBeNull()
  expect(estimate(at(50, 'state'), 10).etaSeconds).toBeNull()
})
