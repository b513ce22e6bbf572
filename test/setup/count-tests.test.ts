import { expect, test } from 'vitest'
import { loadFromBin } from './temporary-clone.ts'

type File = { status: string; assertionResults: { status: string }[] }
type CountTests = {
  readonly countTests: (
    report: { testResults: File[] } | null,
    runFailed: boolean,
  ) => { passed: number; failed: number }
}
const { countTests } = await loadFromBin<CountTests>('setup/count-tests.mjs')

const file = (status: string, ...results: string[]): File => ({
  status,
  assertionResults: results.map((each) => ({ status: each })),
})

test.each<readonly [string, File[] | null, boolean, number, number]>([
  ['all well', [file('passed', 'passed', 'passed'), file('passed', 'passed')], false, 3, 0],
  ['two failures in one file', [file('failed', 'passed', 'failed', 'failed')], true, 1, 2],
  ['a file that does not load', [file('failed'), file('passed', 'passed')], true, 1, 1],
  ['a failure outside of any test', [file('passed', 'passed')], true, 1, 1],
  ['no report at all', null, true, 0, 1],
])('%s', (_what, testResults, runFailed, passed, failed) => {
  const report = testResults === null ? null : { testResults }
  expect(countTests(report, runFailed)).toEqual({ passed, failed })
})
