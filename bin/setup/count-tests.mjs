/** @typedef {{ status: string, assertionResults: { status: string }[] }} FileResult */

/**
 * Counts the results of vitest's JSON report. A file that failed without a failed test in it (it
 * could not be loaded), or a run that failed outside of any, counts as one failure.
 * @param {{ testResults: FileResult[] } | null} report
 * @param {boolean} runFailed
 * @returns {{ passed: number, failed: number }}
 */
export const countTests = (report, runFailed) => {
  const files = report?.testResults ?? []
  const count = (results, status) => results.filter((result) => result.status === status).length
  const failuresOf = ({ status, assertionResults }) =>
    Math.max(count(assertionResults, 'failed'), status === 'failed' ? 1 : 0)
  const passed = files.reduce((sum, file) => sum + count(file.assertionResults, 'passed'), 0)
  const failed = files.reduce((sum, file) => sum + failuresOf(file), 0)
  return { passed, failed: runFailed ? Math.max(failed, 1) : failed }
}
