import { describe, expect, test } from 'vitest'
import { createLogProgress } from './progress.ts'

const total = 100_000

/** Feeds (second, done) pairs of a phase; returns the logged fields. */
const loggedFields = (steps: readonly (readonly [number, number, string?])[]) => {
  const lines: Record<string, unknown>[] = []
  let now = 0
  const say = (): void => {}
  const info = (_: string, fields: Record<string, unknown> = {}): void => {
    lines.push(fields)
  }
  const logger = { debug: say, info, warn: say, error: say }
  const progress = createLogProgress({ logger, clock: { now: () => now } })
  for (const [ts, done, phase = 'swaps'] of steps) {
    now = ts
    progress.bootstrap({ phase, done, total, events: done * 2 })
  }
  return lines.map(({ phase, done, etaSeconds }) => ({ phase, done, etaSeconds }))
}

/** One step a second from `from` to `to`, each of so many. */
const steadily = (from: number, to: number, start: number, each: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => [from + at, start + at * each] as const)

describe('the ETA', () => {
  //  done  │        ╱  100/s: the rest takes so long as the last seconds say,
  //        │  ____╱    not as the average of all
  //        │╱  10/s
  test('follows a rate that changes', () => {
    const slow = steadily(0, 20, 0, 10)
    const fast = steadily(21, 40, 300, 100)
    const lines = loggedFields([...slow, ...fast])
    expect(lines.map(({ etaSeconds }) => etaSeconds)).toEqual([
      null,
      (total - 100) / 10,
      (total - 200) / 10,
      (total - 1200) / 100,
      (total - 2200) / 100,
    ])
  })

  test('is known of steps that take longer than the rate is measured over', () => {
    const lines = loggedFields([
      [0, 0],
      [60, 1000],
      [120, 3000],
    ])
    expect(lines.map(({ etaSeconds }) => etaSeconds)).toEqual([null, 5940, 2910])
  })

  test('is unknown, not infinite, while nothing gets on', () => {
    const lines = loggedFields([...steadily(0, 10, 0, 100), [20, 1000], [40, 1000]])
    expect(lines.map(({ etaSeconds }) => etaSeconds)).toEqual([null, 990, null, null])
  })

  test.each([
    [
      'begins',
      [
        [0, 5000],
        [10, 10_000],
        [11, 10, 'state'],
      ],
      'state',
    ],
    [
      'starts over',
      [
        [0, 5000],
        [10, 10_000],
        [20, 10],
      ],
      'swaps',
    ],
  ] as const)('is not that of before when a phase %s', (_, steps, phase) => {
    expect(loggedFields(steps).at(-1)).toEqual({ phase, done: 10, etaSeconds: null })
  })

  test('is nothing at the end', () => {
    expect(loggedFields([...steadily(0, 10, 99_000, 100)]).at(-1)).toMatchObject({ etaSeconds: 0 })
  })
})
