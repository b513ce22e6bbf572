import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRequestBudget } from './request-budget.ts'

it('lets as many through within a minute as are allowed, and again when they are past', () => {
  const budget = createRequestBudget(2)
  const asked = [0, 30, 59, 60, 89, 90, 119, 120]
  expect(asked.map((ts) => budget.spend(1, 1000 + ts) === 1)).toEqual([
    ...[true, true, false],
    ...[true, false, true],
    ...[false, true],
  ])
})

it('never lets more through in any minute, whenever it is asked', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 })
  fc.assert(
    fc.property(waits, fc.integer({ min: 1, max: 5 }), (seconds, perMinuteMax) => {
      const budget = createRequestBudget(perMinuteMax)
      let now = 0
      const times: number[] = []
      for (const wait of seconds) {
        now += wait
        const left = times.filter((ts) => ts > now - 60).length < perMinuteMax
        expect(budget.spend(1, now) === 1).toBe(left)
        if (left) times.push(now)
      }
    }),
  )
})

it('a clock that is put back does not lock it', () => {
  const budget = createRequestBudget(1)
  expect([5000, 5001, 1000].map((now) => budget.spend(1, now))).toEqual([1, 0, 1])
})

it('lets a part of many through', () => {
  const budget = createRequestBudget(5)
  const asked = [0, 15, 30, 59, 60]
  expect(asked.map((ts) => budget.spend(2, ts))).toEqual([2, 2, 1, 0, 2])
})

it('pauses for a minute on request', () => {
  const budget = createRequestBudget(5)
  budget.pause(100)
  expect(budget.spend(1, 159)).toBe(0)
  expect(budget.spend(1, 160)).toBe(1)
})
