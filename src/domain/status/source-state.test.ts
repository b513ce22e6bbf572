import { describe, expect, test } from 'vitest'
import type { SourceState } from './data-status.ts'
import { policyDefault } from './freshness.ts'
import {
  computeSourceState,
  initialSourceRecord,
  type SourceId,
  type SourceRecord,
  sourceIds,
  sourceMaxAgeSeconds,
  toSourceView,
} from './source-state.ts'

const now = 1_000_000
const startedTs = now - 10_000
const reading = { now, policy: policyDefault, startedTs }

/** Quotes that came a second ago, as they should. */
const good: SourceRecord = {
  source: 'quotes',
  enabled: true,
  lastAttemptTs: now - 1,
  lastSuccessTs: now - 1,
  lastError: null,
  partial: false,
  failures: 0,
}

/*
 *  success ... 45 s ........ 450 s .......
 *          ok      |  stale  |     down          a failed or partial attempt: degraded for ok
 */
describe('the state of a source', () => {
  const failed = { failures: 1, lastError: 'timeout' }
  const table: readonly [string, Partial<SourceRecord>, SourceState][] = [
    ['the last attempt succeeded', {}, 'ok'],
    ['the success is as old as it may be', { lastSuccessTs: now - 45 }, 'ok'],
    ['the last attempt failed, the success is young', failed, 'degraded'],
    ['the last attempt was partial', { partial: true }, 'degraded'],
    ['the success is a second too old', { lastSuccessTs: now - 46 }, 'stale'],
    ['ten times too old', { lastSuccessTs: now - 450 }, 'stale'],
    ['more than ten times too old', { lastSuccessTs: now - 451 }, 'down'],
    ['failing and too old', { ...failed, lastSuccessTs: now - 46 }, 'stale'],
    ['two failures, never a success', { failures: 2, lastSuccessTs: null }, 'degraded'],
    ['three failures, never a success', { failures: 3, lastSuccessTs: null }, 'down'],
    ['three failures after a success', { failures: 3, lastSuccessTs: now - 20 }, 'degraded'],
    ['a success of the future', { lastSuccessTs: now + 60 }, 'stale'],
    ['never tried', { lastAttemptTs: null, lastSuccessTs: null }, 'pending'],
    ['not tried since the start', { lastAttemptTs: startedTs - 1 }, 'pending'],
    ['tried in the second of the start', { lastAttemptTs: startedTs }, 'ok'],
    ['switched off', { enabled: false }, 'disabled'],
    ['switched off after failing', { enabled: false, failures: 9 }, 'disabled'],
  ]
  test.each(table)('%s', (_, rest, state) => {
    expect(computeSourceState({ ...good, ...rest }, reading)).toBe(state)
  })

  test('no process has ever written to this store', () => {
    expect(computeSourceState(good, { ...reading, startedTs: null })).toBe('pending')
  })
})

test('each source has its limit, from the policy where that names one', () => {
  const policy = { ...policyDefault, quoteMaxAgeSeconds: 7, poolMaxAgeSeconds: 8 }
  const limits = sourceIds.map((source: SourceId) => [source, sourceMaxAgeSeconds(source, policy)])
  expect(limits).toEqual([
    ['quotes', 7],
    ['pools', 8],
    ['swaps', 8],
    ['screener', 120],
  ])
})

describe('the row of a source', () => {
  test('shows its times as written and its age as of now', () => {
    const record = { ...good, lastSuccessTs: now - 50, lastError: 'timeout', failures: 2 }
    expect(toSourceView(record, reading)).toEqual({
      source: 'quotes',
      state: 'stale',
      lastAttemptTs: now - 1,
      lastSuccessTs: now - 50,
      lastError: 'timeout',
      ageSeconds: 50,
    })
  })

  test('has nulls before the first attempt', () => {
    expect(toSourceView(initialSourceRecord('swaps', true), reading)).toEqual({
      source: 'swaps',
      state: 'pending',
      lastAttemptTs: null,
      lastSuccessTs: null,
      lastError: null,
      ageSeconds: null,
    })
  })
})
