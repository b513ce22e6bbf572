import { expect, it } from 'vitest'
import { createPace } from './pace.ts'

const limits = { perReadMax: 2, perMinuteMax: 5 }

it('lets a few through at a time, each in its turn', () => {
  const pace = createPace(limits)
  const symbols = ['A', 'B', 'C']
  expect(pace.take(symbols, 0)).toEqual(['A', 'B'])
  expect(pace.take(symbols, 15)).toEqual(['C', 'A'])
  expect(pace.take(symbols, 30)).toEqual(['B'])
  expect(pace.take(symbols, 59)).toEqual([])
  expect(pace.take(symbols, 60)).toEqual(['C', 'A'])
})

it('rests for a minute when told to', () => {
  const pace = createPace(limits)
  pace.rest(100)
  expect(pace.take(['A'], 159)).toEqual([])
  expect(pace.take(['A'], 160)).toEqual(['A'])
})

it('a clock put back does not stop it', () => {
  const pace = createPace(limits)
  for (let i = 0; i < 3; i++) pace.take(['A', 'B'], 5000)
  expect(pace.take(['A', 'B'], 5000)).toEqual([])
  expect(pace.take(['A', 'B'], 100)).toHaveLength(2)
})

it('takes no more than there is', () => {
  expect(createPace(limits).take(['A'], 0)).toEqual(['A'])
  expect(createPace(limits).take([], 0)).toEqual([])
})
