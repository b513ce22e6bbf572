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

test('ends a grace period after the last owner left', () => {
  const onAbandoned = vi.fn()
  const owners = createOwners(onAbandoned)
  const [leaveA, leaveB] = [owners.add(), owners.add()]
  leaveA()
  vi.advanceTimersByTime(2 * grace)
  expect(onAbandoned).not.toHaveBeenCalled()
  leaveB()
  vi.advanceTimersByTime(grace - 1)
  expect(onAbandoned).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onAbandoned).toHaveBeenCalledOnce()
})

test('a new owner within the grace period keeps it running', () => {
  const onAbandoned = vi.fn()
  const owners = createOwners(onAbandoned)
  owners.add()()
  vi.advanceTimersByTime(grace / 2)
  const leave = owners.add()
  vi.advanceTimersByTime(2 * grace)
  expect(onAbandoned).not.toHaveBeenCalled()
  leave()
  vi.advanceTimersByTime(grace)
  expect(onAbandoned).toHaveBeenCalledOnce()
})

test('counts leaving twice as once', () => {
  const onAbandoned = vi.fn()
  const owners = createOwners(onAbandoned)
  const leave = owners.add()
  owners.add()
  leave()
  leave()
  vi.advanceTimersByTime(2 * grace)
  expect(onAbandoned).not.toHaveBeenCalled()
})
