import { expect, test } from 'vitest'
import { createRandom, seedFor } from './random.ts'

const draws = (seed: number, count: number): number[] => {
  const random = createRandom(seed)
  return Array.from({ length: count }, random.next)
}

test('equal seeds give equal sequences, other seeds other ones', () => {
  expect(draws(1, 20)).toEqual(draws(1, 20))
  expect(draws(1, 20)).not.toEqual(draws(2, 20))
})

test('resumes from a saved state', () => {
  const random = createRandom(5)
  random.next()
  const resumed = createRandom(random.state())
  expect([random.next(), random.normal()]).toEqual([resumed.next(), resumed.normal()])
})

test('draws have the expected mean: a half if uniform, zero if normal', () => {
  const random = createRandom(9)
  const mean = (draw: () => number): number =>
    Array.from({ length: 20_000 }, draw).reduce((sum, value) => sum + value, 0) / 20_000
  expect(mean(random.next)).toBeCloseTo(0.5, 1)
  expect(mean(random.normal)).toBeCloseTo(0, 1)
})

test('derives a separate seed for each subject', () => {
  expect(new Set([seedFor(1, 'price A'), seedFor(1, 'price B'), seedFor(2, 'price A')]).size).toBe(
    3,
  )
})
