import { expect, test } from 'vitest'
import { createVolumeWindows, noVolumes } from './volume-windows.ts'

const sumOf = (usd: bigint, rest: { swaps?: number; unpriced?: number } = {}) => ({
  pool: 1,
  usdMicro: usd * 1_000_000n,
  swaps: 1,
  unpriced: 0,
  estimated: 0,
  ...rest,
})
type Sum = ReturnType<typeof sumOf>

const changeOf = (entered: readonly Sum[], left: readonly Sum[] = [], isWhole = false) => ({
  isWhole,
  hour: { entered, left },
  day: { entered, left: [] },
})

test('what entered is added, what left is taken off, beyond what a number holds too', () => {
  const book = createVolumeWindows()
  const huge = sumOf(2n ** 80n)
  expect(book.take(changeOf([huge, sumOf(3n)]))).toEqual(new Set([1]))
  expect(book.take(changeOf([], [huge]))).toEqual(new Set([1]))
  expect(book.of(1)).toMatchObject({ vol1hUsd: 3, vol24hUsd: 2 ** 80, swaps24h: 2 })
})

test('a swap without a price makes a window unknown until it leaves', () => {
  const book = createVolumeWindows()
  const unpriced = sumOf(0n, { unpriced: 1 })
  book.take(changeOf([unpriced, sumOf(3n)]))
  expect(book.of(1)).toMatchObject({ vol1hUsd: null, vol24hUsd: null })
  book.take(changeOf([], [unpriced]))
  expect(book.of(1)).toMatchObject({ vol1hUsd: 3, vol24hUsd: null })
})

test('counted anew, what is the same stays the same object and is not told', () => {
  const book = createVolumeWindows()
  book.take(changeOf([sumOf(3n), { ...sumOf(4n), pool: 2 }]))
  const before = book.of(1)
  expect(book.take(changeOf([sumOf(3n)], [], true))).toEqual(new Set([2]))
  expect(book.of(1)).toBe(before)
  expect(book.of(2)).toBe(noVolumes)
})

test('what was never counted can not leave', () => {
  const book = createVolumeWindows()
  book.take(changeOf([sumOf(3n)]))
  expect(() => book.take(changeOf([], [sumOf(3n, { swaps: 2 })]))).toThrow('pool 1')
  expect(() => book.take(changeOf([], [{ ...sumOf(3n), pool: 9 }]))).toThrow('pool 9')
})
