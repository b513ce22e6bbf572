import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOwners } from './owners.ts'

/*
 *   hold ──── leave ····· grace ····· lonely
 *   hold ──── leave ··· hold ──── leave ····· grace ····· lonely
 */

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const grace = 60_000

test('ends when the last holder has gone for the grace period, not before', () => {
  const onLonely = vi.fn()
  const lifetime = createOwners(onLonely)
  const [leaveA, leaveB] = [lifetime.add(), lifetime.add()]
  leaveA()
  vi.advanceTimersByTime(2 * grace)
  expect(onLonely).not.toHaveBeenCalled()
  leaveB()
  vi.advanceTimersByTime(grace - 1)
  expect(onLonely).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onLonely).toHaveBeenCalledOnce()
})

test('whoever comes within the grace period saves it', () => {
  const onLonely = vi.fn()
  const lifetime = createOwners(onLonely)
  lifetime.add()()
  vi.advanceTimersByTime(grace / 2)
  const leave = lifetime.add()
  vi.advanceTimersByTime(2 * grace)
  expect(onLonely).not.toHaveBeenCalled()
  leave()
  vi.advanceTimersByTime(grace)
  expect(onLonely).toHaveBeenCalledOnce()
})

test('leaving twice counts once', () => {
  const onLonely = vi.fn()
  const lifetime = createOwners(onLonely)
  const leave = lifetime.add()
  lifetime.add()
  leave()
  leave()
  vi.advanceTimersByTime(2 * grace)
  expect(onLonely).not.toHaveBeenCalled()
})
