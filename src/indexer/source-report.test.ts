import { describe, expect, it } from 'vitest'
import type { SourceRecord } from '../domain/status/source-state.ts'
import { createSourceReport } from './source-report.ts'

const fresh: SourceRecord = {
  source: 'quotes',
  enabled: true,
  lastAttemptTs: null,
  lastSuccessTs: null,
  lastError: null,
  partial: false,
  failures: 0,
}

const createReport = (
  before: SourceRecord | null = null,
  lasting?: () => readonly (string | null)[],
) => {
  let now = 100
  const written: SourceRecord[] = []
  const store = {
    recordSource: async (record: SourceRecord) => {
      written.push(record)
    },
  }
  const clock = { now: () => now }
  const deps = {
    store: store as never,
    clock,
    stored: before,
    ...(lasting && { permanentWarnings: lasting }),
  }
  return {
    ...createSourceReport('quotes', deps),
    at: (ts: number) => {
      now = ts
    },
    written,
  }
}

describe('the report of a source', () => {
  it('records successes and failures with their times', async () => {
    const report = createReport()
    await report.success()
    report.at(105)
    await report.failure('unreachable: refused')
    await report.failure('unreachable: refused')
    report.at(110)
    await report.success('3 of 4 quotes')
    const succeeded = { ...fresh, lastAttemptTs: 100, lastSuccessTs: 100 }
    const succeededLate = { ...fresh, lastAttemptTs: 110, lastSuccessTs: 110 }
    const failed = { ...succeeded, lastAttemptTs: 105, lastError: 'unreachable: refused' }
    expect(report.written).toEqual([
      succeeded,
      { ...failed, failures: 1 },
      { ...failed, failures: 2 },
      { ...succeededLate, partial: true, lastError: '3 of 4 quotes' },
    ])
  })

  it('is written once per second, however often it is tried', async () => {
    const report = createReport()
    for (const ts of [100, 100, 100, 101, 101]) {
      report.at(ts)
      await report.success()
    }
    expect(report.written.map((record) => record.lastSuccessTs)).toEqual([100, 101])
  })

  it('continues where the last run ended, and is enabled from now on', async () => {
    const before = { ...fresh, enabled: false, lastSuccessTs: 50, failures: 3 }
    const report = createReport(before)
    await report.failure('down')
    expect(report.written).toMatchObject([{ enabled: true, lastSuccessTs: 50, failures: 4 }])
  })

  // A wrong address in the network file: every reading succeeds, and something is missing for ever.
  it('names what is missing in every success as long as it is missing', async () => {
    let lacks: readonly (string | null)[] = [null, 'uniswapV3[0].factory: no contract', null]
    const report = createReport(null, () => lacks)
    await report.success()
    await report.success('3 of 4 pools')
    lacks = [null]
    await report.success()
    expect(report.written.map(({ partial, lastError }) => [partial, lastError])).toEqual([
      [true, 'uniswapV3[0].factory: no contract'],
      [true, 'uniswapV3[0].factory: no contract; 3 of 4 pools'],
      [false, null],
    ])
  })

  it('cuts what a source says about its failure', async () => {
    const report = createReport()
    await report.failure('x'.repeat(5000))
    expect(report.written[0]?.lastError).toHaveLength(200)
  })
})
