import { importsOf } from './imports.ts'
import type { Source, Violation } from './source.ts'

/** What starts a process, a thread, a database or a browser. */
const starters = ['node:child_process', 'node:worker_threads', 'playwright-core']

/** The project `unit` of vitest.config.ts: `npm run test:unit` is for these, and fast. */
const unitTest = /^(src|sandbox|dashboard)\/.*(?<!\.integration)\.test\.tsx?$/

/** Unit tests that need more than their own process, themselves or by a helper for tests. */
export const unitViolations = (sources: readonly Source[]): readonly Violation[] => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const findStarter = (source: Source, seen: Set<string>): string | null => {
    if (seen.has(source.path)) return null
    seen.add(source.path)
    for (const { specifier, target, typeOnly } of importsOf(source)) {
      if (typeOnly) continue
      if (starters.includes(specifier)) return `${source.path} imports ${specifier}`
      const next = byPath.get(target ?? '')
      // The service may start a thread; a unit test of it gives it something else to start.
      const isHelper = next?.isTest === true || next?.path.startsWith('sandbox/') === true
      const found = next !== undefined && isHelper ? findStarter(next, seen) : null
      if (found !== null) return found
    }
    return null
  }
  return sources.flatMap((source) => {
    const found = unitTest.test(source.path) ? findStarter(source, new Set()) : null
    const what = `${found}: name this test *.integration.test.ts`
    return found === null ? [] : [{ path: source.path, line: 1, what }]
  })
}
