import { expect, test } from 'vitest'
import type { VolumeSum } from '../../ports/store-batches.ts'
import { createVolumeWindows, noVolumes } from './volume-windows.ts'

const sumOf = (usd: bigint, rest: Partial<VolumeSum> = {}): VolumeSum => ({
  pool: 1,
  usdMicro: usd * 1_000_000n,
  swaps: 1,
  unpriced: 0,
  estimated: 0,
  implausible: 0,
  feeYield: 2_000_000_000n,
  yielded: 1,
  ...rest,
})

const changeOf = (
  entered: readonly VolumeSum[],
  left: readonly VolumeSum[] = [],
  isReset = false,
) => ({
  isReset,
  hour: { entered, left },
  day: { entered, left: [] },
})

test('adds entered sums and subtracts left ones exactly, beyond safe integers', () => {
  const windows = createVolumeWindows()
  const huge = sumOf(2n ** 80n)
  expect(windows.apply(changeOf([huge, sumOf(3n)]))).toEqual(new Set([1]))
  expect(windows.apply(changeOf([], [huge]))).toEqual(new Set([1]))
  expect(windows.get(1)).toMatchObject({ vol1hUsd: 3, vol24hUsd: 2 ** 80, swaps24h: 2 })
})

test('reports null while a window contains an unpriced swap', () => {
  const windows = createVolumeWindows()
  const unpriced = sumOf(0n, { unpriced: 1 })
  windows.apply(changeOf([unpriced, sumOf(3n)]))
  expect(windows.get(1)).toMatchObject({ vol1hUsd: null, vol24hUsd: null })
  windows.apply(changeOf([], [unpriced]))
  expect(windows.get(1)).toMatchObject({ vol1hUsd: 3, vol24hUsd: null })
})

test('reports no yield while that of a swap in the window is unknown', () => {
  const windows = createVolumeWindows()
  windows.apply(changeOf([sumOf(3n), sumOf(4n, { swaps: 2, yielded: 2 })]))
  expect(windows.get(1).feeYield24h).toBe(0.004)
  windows.apply(changeOf([sumOf(1n, { yielded: 0, feeYield: 0n })]))
  expect(windows.get(1).feeYield24h).toBeNull()
})

test('keeps the object of an unchanged volume after a reset and does not report its pool', () => {
  const windows = createVolumeWindows()
  windows.apply(changeOf([sumOf(3n), { ...sumOf(4n), pool: 2 }]))
  const before = windows.get(1)
  expect(windows.apply(changeOf([sumOf(3n)], [], true))).toEqual(new Set([2]))
  expect(windows.get(1)).toBe(before)
  expect(windows.get(2)).toBe(noVolumes)
})

test('throws when swaps leave that were not counted', () => {
  const windows = createVolumeWindows()
  windows.apply(changeOf([sumOf(3n)]))
  expect(() => windows.apply(changeOf([], [sumOf(3n, { swaps: 2 })]))).toThrow('pool 1')
  expect(() => windows.apply(changeOf([], [{ ...sumOf(3n), pool: 9 }]))).toThrow('pool 9')
})
